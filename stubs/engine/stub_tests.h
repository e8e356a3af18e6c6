// Tests that come with a stub: <folder>/tests/*.yaml.
//
//   seed: s1
//   bindings: {reviewers: [dana@acme.example]}
//   tests:
//     - name: a message is captured and not delivered
//       calls:
//         - tool: send_message
//           args: {to: [dana@acme.example], subject: Hello, body: Hi}
//           expect: {ok: {delivered: false}}
//           changes: {outbox: [{op: insert, row: {subject: Hello}}]}
//       unchanged: [messages]
//       captured: {outbox: [{subject: Hello}]}
//
// Each test starts from a fresh state. `seed` and `bindings` may stand at the top of the file, in a
// test, or nowhere. `expect` is one of `ok: {...}` (a text or list where a fault or a reply gives
// one), `error: code`, `refused: code`, `stub_error: part of its message` and `unknown: timed_out`
// (a fault let the call time out), and may have `message: part of the sentence` and
// `delay: 200ms`; without `expect` a call must be ok. A value is expected in part: an object may
// have members that the test does not name, a list has as many items as the test. `changes` is all
// that a call changed, table by table in order. `unchanged` tables are at the end as they were at
// the start. `captured` tables hold these rows at the end, in the order of their keys.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/base/clock.h"
#include "stubs/engine/coverage.h"

namespace tipstaff::engine {

// What a test's state is made with where it says nothing else; calls that are tried out with the
// same give the same bytes.
inline constexpr char kTestSeed[] = "test";
inline constexpr char kTestBackend[] = "test";

struct TestResult {
  std::string name;  // "tests/send.yaml: a message is captured and not delivered"
  bool passed = false;
  std::string message;  // why not: may have several lines
  absl::Duration took;
};

// Loads the stub of `folder` and runs its tests. A stub or a test file that does not load is a
// result that failed; a stub without tests gives no result. `clock` says how long each took: in the
// stub's own time nothing does.
std::vector<TestResult> RunTests(const std::string& folder, const base::Clock& clock);

struct TestRun {
  std::vector<TestResult> results;
  std::vector<StubPart> parts;  // of a stub that loads: what of it the tests that passed reach
};
// As RunTests, of the tests whose name has `only` in it.
TestRun RunTestsOf(const std::string& folder, absl::string_view only, const base::Clock& clock);

}  // namespace tipstaff::engine
