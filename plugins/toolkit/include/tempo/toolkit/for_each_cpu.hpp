#pragma once

// A function marked TEMPO_FOR_EACH_CPU exists twice, for CPUs with and without AVX2, and the loader
// takes one. Neither fuses nor reorders, so that both give the same bits. Tests define the macro as
// nothing to have the portable one.
// Under the thread sanitizer there is one: what chooses runs before the sanitizer is ready.
#ifndef TEMPO_FOR_EACH_CPU
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang__)  // which does not combine the two
#define TEMPO_FOR_EACH_CPU [[gnu::target_clones("avx2", "default"), gnu::noinline]]
#else
#define TEMPO_FOR_EACH_CPU [[gnu::noinline]]
#endif
#endif
