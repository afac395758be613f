// What missing_dependency needs.
__attribute__((visibility("default"))) int absent_answer() { return 0; }
