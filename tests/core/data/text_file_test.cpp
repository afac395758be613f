#include "data/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {

TEST_CASE("a file takes the place of a file, and of nothing else", "[data][text_file]") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::create_symlink(pipe, folder.path() / "link");
  folder.write("whole", "text");
  for (const auto* name : {"pipe", "link"}) {
    const auto path = folder.path() / name;
    const auto fault =
        "cannot write '" + path.string() + "': it is a device or a pipe; expected a file";
    REQUIRE_THROWS_WITH(write_text_file(path, "text"), fault);
    REQUIRE_THROWS_WITH(move_whole_file(folder.path() / "whole", path), fault);
    REQUIRE(std::filesystem::is_fifo(path));
  }
  Problems problems;
  REQUIRE_FALSE(read_text_file("/dev/zero", problems));
  REQUIRE(problems.report() == "/dev/zero: is a device; expected a file");
}

TEST_CASE("text that may be there", "[data][text_file]") {
  const TemporaryFolder folder;
  REQUIRE_FALSE(text_if_there(folder.path() / "none"));
  folder.write("some", "text");
  REQUIRE(text_if_there(folder.path() / "some") == "text");
  std::filesystem::create_directory(folder.path() / "folder");
  REQUIRE_THROWS_WITH(text_if_there(folder.path() / "folder"),
                      (folder.path() / "folder").string() + ": is a folder; expected a file");
}

TEST_CASE("text files", "[data][text_file]") {
  const TemporaryFolder folder;

  SECTION("what is written is read back, whatever was there before") {
    const auto path = folder.path() / "a.txt";
    for (const std::string text : {"a longer text\r\n", "", "caf\303\251"}) {
      write_text_file(path, text);
      Problems problems;
      REQUIRE(read_text_file(path, problems) == text);
      REQUIRE(problems.empty());
    }
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
      ++files;
    REQUIRE(files == 1);  // no temporary file is left
  }
  SECTION("a writer that is killed leaves nothing, where the file system can") {
    const int can = open(folder.path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (can < 0) return;
    close(can);
    const auto child = fork();
    if (child == 0) {
      TextFileWriter writer(folder.path() / "a.txt");
      writer.append("half of it");
      _exit(0);
    }
    REQUIRE(waitpid(child, nullptr, 0) == child);
    REQUIRE(std::filesystem::is_empty(folder.path()));
  }
  SECTION("what a writer left that was killed between two names is taken over") {
    std::ofstream(folder.path() / "a.txt.part") << "whole, and without its name";
    write_text_file(folder.path() / "a.txt", "text");
    REQUIRE(read_text(folder.path() / "a.txt") == "text");
    REQUIRE(!std::filesystem::exists(folder.path() / "a.txt.part"));
  }
  SECTION("a file that has its name already gets no other") {
    const auto path = folder.path() / "a.txt";
    TextFileWriter writer(path);
    writer.append("text");
    for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code closed;
      const auto target = std::filesystem::read_symlink(open.path(), closed).string();
      if (target.starts_with(folder.path().string()))
        ::linkat(AT_FDCWD, open.path().c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
    }
    writer.finish();
    REQUIRE(read_text(path) == "text");
    REQUIRE(!std::filesystem::exists(path.string() + ".part"));
  }
  SECTION("of several writers at a time each leaves a whole file") {
    std::vector<std::string> faults(4);
    {
      std::vector<std::jthread> writers;
      for (std::size_t t = 0; t < faults.size(); ++t)
        writers.emplace_back([&, t] {
          try {
            for (int i = 0; i < 50; ++i)
              write_text_file(folder.path() / "a.txt", std::string(1000, "abcd"[t]));
          } catch (const std::exception& error) {
            faults[t] = error.what();
          }
        });
    }
    for (const auto& fault : faults) REQUIRE(fault.empty());
    const auto text = read_text(folder.path() / "a.txt");
    REQUIRE(text == std::string(1000, text.at(0)));
  }
  SECTION("a file that cannot be written names itself and the reason") {
    REQUIRE_THROWS_WITH(write_text_file(folder.path() / "no" / "a.txt", "text"),
                        "cannot write '" + (folder.path() / "no" / "a.txt").string() +
                            "': No such file or directory");
    std::filesystem::create_directory(folder.path() / "taken");
    REQUIRE_THROWS_WITH(
        write_text_file(folder.path() / "taken", "text"),
        "cannot write '" + (folder.path() / "taken").string() + "': Is a directory");
  }
  SECTION("what cannot be read is one problem") {
    const auto report = [&](const std::string& name) {
      Problems problems;
      REQUIRE(!read_text_file(folder.path() / name, problems));
      return problems.report().substr(folder.path().string().size() + 1);
    };
    REQUIRE(report("missing.toml") == "missing.toml: no such file");
    std::filesystem::create_directory(folder.path() / "folder");
    REQUIRE(report("folder") == "folder: is a folder; expected a file");
    REQUIRE(report("folder/../folder/x/y") == "folder/../folder/x/y: no such file");
    const auto secret = folder.write("secret", "text");
    ::chmod(secret.c_str(), 0);
    if (::geteuid() != 0)  // root may read everything
      REQUIRE(report("secret") == "secret: cannot be read: Permission denied");
  }
  SECTION("a byte order mark is no part of the text") {
    Problems problems;
    REQUIRE(checked_text("\357\273\277text", "a", problems) == std::string_view("text"));
    REQUIRE(problems.empty());
  }
  SECTION("UTF-8 is checked to the letter") {
    // The last code point before and after each boundary of the encoding.
    for (const std::string good : {"\177", "\302\200", "\337\277", "\340\240\200", "\355\237\277",
                                   "\356\200\200", "\360\220\200\200", "\364\217\277\277"}) {
      Problems problems;
      REQUIRE(checked_text(good, "a", problems) == good);
    }
    for (const std::string bad :
         {"\200", "\300\200", "\301\277", "\340\237\277", "\355\240\200", "\360\217\277\277",
          "\364\220\200\200", "\365\200\200\200", "\302", "\342\202", "\302A"}) {
      Problems problems;
      REQUIRE(!checked_text("ok\n" + bad, "a", problems));
      REQUIRE(to_string(problems.all().at(0).place) == "a:2:1");
    }
  }
  SECTION("lines end in LF, CRLF or CR; columns count characters") {
    const std::string text = "a\nb\r\nc\rd\303\251e";
    const auto at = [&](char c) { return to_string(place_in_text(text, text.find(c), "f")); };
    REQUIRE(at('a') == "f:1:1");
    REQUIRE(at('b') == "f:2:1");
    REQUIRE(at('c') == "f:3:1");
    REQUIRE(at('d') == "f:4:1");
    REQUIRE(at('e') == "f:4:3");
  }
}

}  // namespace tempo::test
