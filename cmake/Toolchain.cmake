set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# "Dev" optimises a little (tests drive real processes) and keeps assertions.
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1 -fno-omit-frame-pointer")
set(CMAKE_C_FLAGS_DEV "-O1 -g1 -fno-omit-frame-pointer")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

option(TIPSTAFF_WERROR "warnings are errors" OFF)
option(TIPSTAFF_CRASH_POINTS "places at which tests kill the mediator: never for users" OFF)
if(TIPSTAFF_CRASH_POINTS AND CMAKE_BUILD_TYPE STREQUAL "Release")
  message(FATAL_ERROR "TIPSTAFF_CRASH_POINTS is for tests: use the preset `dev`, or leave it out")
endif()
set(TIPSTAFF_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize takes them")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

# Flags of our own code only; generated code is compiled as it comes.
add_library(tipstaff_flags INTERFACE)
target_compile_options(tipstaff_flags INTERFACE -Wall -Wextra -Wno-missing-field-initializers)
if(TIPSTAFF_WERROR)
  target_compile_options(tipstaff_flags INTERFACE -Werror)
endif()

# For ./dev fuzz: clang's coverage counters; the programs in tests/fuzz link libFuzzer.
option(TIPSTAFF_FUZZ "build the fuzz targets (clang)" OFF)
if(TIPSTAFF_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TIPSTAFF_FUZZ needs clang, as the preset `fuzz` has it")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(TIPSTAFF_SANITIZE)
  add_compile_options(-fsanitize=${TIPSTAFF_SANITIZE} -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${TIPSTAFF_SANITIZE})
endif()
