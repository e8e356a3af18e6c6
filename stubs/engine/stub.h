// Stubs: simulated systems, declared in stub.yaml with Lua where a write needs logic.
//
//   std::shared_ptr<const Stub> stub = Stub::Load(files, diagnostics);
//   auto state = State::Create(stub, {.seed = "s", .backend = "mail"});
//   Reply reply = (*state)->Call(1, "send_message", arguments);
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "mediator/call/outcome.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::engine {

// The stub's files by path relative to its folder: stub.yaml, *.lua, schema/*, fixtures/*,
// replies/*. Runs pin
// these bytes, so replay needs no folder.
struct StubFiles {
  std::string folder;  // as the user knows it, for messages
  std::map<std::string, std::string> files;
};

// Reads the files of a stub's folder, as above. NotFound without
// stub.yaml; FailedPrecondition when they are too large.
absl::StatusOr<StubFiles> ReadStubFiles(const std::string& folder);

// A loaded stub: immutable, shared by runs, thread-safe.
class Stub {
 public:
  virtual ~Stub() = default;
  // Null when there was an error (S...; StubExplanations() in codes.h). Scripts are compiled and
  // run up to the function that they return.
  static std::shared_ptr<const Stub> Load(StubFiles files, source::Diagnostics& diagnostics);

  virtual const std::string& name() const = 0;
  virtual const std::string& description() const = 0;
  virtual absl::Span<const call::Tool> tools() const = 0;
  virtual const StubFiles& files() const = 0;
};

struct StateOptions {
  std::string seed;         // of the run: clock, ids, randomness and faults come from it
  std::string backend;      // the alias; two aliases of one stub have different random streams
  json::Document bindings;  // the run's: scripts read them as ctx.run.bindings
  // An author looks on: a list that comes out empty has a note, too. In a run nobody would read it,
  // and a guest could make the mediator look for it again and again.
  bool for_author = false;
};

// A row that a call changed.
struct Change {
  std::string table;
  std::string key;
  absl::string_view operation;  // "insert", "update" or "delete"
  json::Document row;           // as it is now; null when it was deleted
  json::Document before;        // as it was; null when it was inserted
};

// What a call came to.
struct Reply {
  // ok, tool_error, refused, stub_error, or unknown: a fault let the call time out.
  call::OutcomeKind kind = call::OutcomeKind::kStubError;
  json::Document value;  // ok: the result, an object or what a fault or a canned reply says
  // The value is a whole CallToolResult, as a canned reply has it, whatever the kind.
  bool is_content = false;
  std::string error;    // else: a code such as "not_found"
  std::string message;  // else: a sentence for the agent; of stub_error: for the stub's author
  std::vector<Change> changes;  // in the order in which they were made
  absl::Duration delay;         // simulated slowness: the caller holds the reply back for so long
  int progress_reports = 0;     // to be spread over the delay
  std::optional<size_t> fault;  // which of stub.yaml's faults applied, from 0
  // For the stub's author, never for the agent: which fault applied, what came nearest, and what a
  // script logged. Of an ok reply something is nearest only with StateOptions::for_author.
  std::string note;
  std::vector<std::string> log;
};

// What it came to, as a test's `expect` has it: "ok", "content", "error", "refused", "stub_error"
// or "unknown" (a fault let the call time out).
absl::string_view ReplyKind(const Reply& reply);

// One run's state of one stub: in memory, made from the fixtures and the calls so far. Not
// thread-safe.
class State {
 public:
  virtual ~State() = default;
  static absl::StatusOr<std::unique_ptr<State>> Create(std::shared_ptr<const Stub> stub,
                                                       const StateOptions& options);

  // Makes one call: validates `arguments` against the tool's input schema, runs it, and keeps what
  // it changed only when kind is ok, or unknown where the fault is a time-out after the effect.
  // `number` is the run's number of the call (rising); clock, ids, random numbers and faults depend
  // on it and on the seed, so the same calls give the same bytes. A finalizing tool's refusal is
  // `refused`: a definite answer that nothing was accepted.
  virtual Reply Call(uint64_t number, absl::string_view tool, const json::Document& arguments) = 0;

  // A call again that was made before, by what is on record of it. One that was a stub error is
  // only counted, as nothing of it was kept; no other is bounded by time. So it comes out as it did
  // then, however fast the machine is now.
  virtual Reply CallAgain(uint64_t number, absl::string_view tool, const json::Document& arguments,
                          bool was_stub_error) = 0;

  virtual std::vector<std::string> TableNames() const = 0;
  // The tables with `capture: true`: what the agent did, in rows that are only added.
  virtual std::vector<std::string> CapturedTables() const = 0;
  // The column whose text names a table's rows; NotFound.
  virtual absl::StatusOr<std::string> KeyColumn(absl::string_view table) const = 0;
  // A table as a JSON array of rows in key order; NotFound.
  virtual absl::StatusOr<json::Document> Table(absl::string_view name) const = 0;
  // The row of this key; NotFound names the nearest one.
  virtual absl::StatusOr<json::Document> Row(absl::string_view table,
                                             absl::string_view key) const = 0;
  // Hex digest over all tables and counters: equal states have equal digests.
  virtual std::string Digest() const = 0;
};

}  // namespace tipstaff::engine
