// Node.js and the npm packages that `./dev setup test` installs below build/.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace tipstaff::conformance {

struct Packages {
  std::string node;     // the program
  std::string modules;  // .../node_modules
};

// NotFound says what is missing and how to get it: a test that did not run has not passed.
absl::StatusOr<Packages> FindPackages();

// The folder of the PyPI packages, an extra; "" where they or python3 are missing.
const std::string& PythonPackages();

}  // namespace tipstaff::conformance
