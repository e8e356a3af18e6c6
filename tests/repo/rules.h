// The rules of the repository. Each is pure, looks at a whole tree and returns every breach.
#pragma once

#include "tests/repo/tree.h"

namespace tipstaff::repo {

// Every include between libraries is an edge that the table in docs/architecture.md lists; every
// listed library has files and every folder with C++ is a listed library; product code includes no
// test code.
Findings CheckLibraries(const Tree& tree);

// Libraries that take long to compile, or that only one place may use, stand where allowed_headers
// in header_rule.cc says: gRPC in the gate and the guest agent, SQLite in the ledger and the stub
// engine, and none in a header that other libraries include.
Findings CheckHeaders(const Tree& tree);

// Every folder with a CMakeLists.txt, a skill.yaml or a stub.yaml has a README.md; at most five
// lines that are not empty, but for skills and stubs, whose users read more.
Findings CheckReadmes(const Tree& tree);

// No marks of unfinished work, paths of one machine's folders, carriage returns, or addresses of
// package registries.
Findings CheckText(const Tree& tree);

// JSON files parse, strictly; npm lock files name no address.
Findings CheckJson(const Tree& tree);

// A page below docs/ that some file names is there. Every page docs/*-format.md names a header that
// is there and names the page back.
Findings CheckReferences(const Tree& tree);

// Each case of tests/conformance/cases.md names tests, and those are there.
Findings CheckCases(const Tree& tree);

}  // namespace tipstaff::repo
