// Canned answers: what a tool says to calls with known arguments, for recordings and quick stubs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mediator/json/document.h"
#include "mediator/schema/defaults.h"

namespace tipstaff::engine {

struct CannedReply {
  json::Document arguments;  // as they are compared
  json::Document result;     // where `error` is ""
  bool is_content = false;   // the result is a whole CallToolResult
  std::string error, message;
};

// Of one tool. Immutable. Arguments are compared as canonical JSON, with the defaults of what is
// not given, and without the argument that takes a submission's key, which is another in each run.
class Replies {
 public:
  Replies(schema::Defaults defaults, std::string key_argument)
      : defaults_(std::move(defaults)), key_argument_(std::move(key_argument)) {}

  // ResourceExhausted when the arguments and their defaults are too much.
  absl::Status Add(json::Value arguments, CannedReply reply);

  // Replies with equal arguments are a group: they are given in order, and the last one repeats.
  size_t groups() const { return groups_.size(); }
  // The codes of those that are errors, sorted, each once.
  std::vector<std::string> Errors() const;
  std::optional<size_t> FindGroup(json::Value complete_arguments) const;
  // The reply of a group after `given` calls that it answered.
  const CannedReply& At(size_t group, uint64_t given) const;

  // Which reply comes nearest to a call that none answers, and where they differ: for the author.
  std::string ExplainNearest(json::Value complete_arguments) const;

 private:
  // What is compared of arguments.
  absl::StatusOr<json::Document> Compared(json::Value arguments) const;

  const schema::Defaults defaults_;
  const std::string key_argument_;
  std::vector<CannedReply> all_;                // in the file's order
  std::vector<std::vector<size_t>> groups_;     // indexes in all_
  std::map<std::string, size_t> by_arguments_;  // -> index in groups_
};

}  // namespace tipstaff::engine
