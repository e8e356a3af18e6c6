// A promise that a fuzz target holds the code to.
#pragma once

#include <cstdio>
#include <cstdlib>

// Ends the process with the line when `condition` does not hold: libFuzzer keeps the input then.
#define TIPSTAFF_REQUIRE(condition)                                                       \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)
