// What one call of a tool may read and use, whether rows in stub.yaml or a script handle it.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"
#include "stubs/engine/definition.h"
#include "stubs/engine/random.h"
#include "stubs/engine/tables.h"

namespace tipstaff::engine {

// Lives as long as the call. `definition`, `tables` and `sequences` must outlive it.
class CallScope {
 public:
  // `tool`: an index into definition.tools. `sequences`: the last number given out for each id, in
  // the order of definition.ids.
  CallScope(const Definition& definition, size_t tool, Tables& tables,
            std::vector<uint64_t>& sequences, RandomStream random, std::string now,
            json::Value arguments, json::Value bindings)
      : definition_(definition),
        tool_(tool),
        tables_(tables),
        sequences_(sequences),
        random_(random),
        now_(std::move(now)),
        arguments_(arguments),
        bindings_(bindings) {}

  const Definition& definition() const { return definition_; }
  const std::string& tool() const { return definition_.tools[tool_].tool.name; }
  Tables& tables() { return tables_; }
  RandomStream& random() { return random_; }
  const std::string& now() const { return now_; }  // RFC 3339
  json::Value arguments() const { return arguments_; }
  json::Value bindings() const { return bindings_; }

  // The next id of definition.ids[index] that is not a key in any table; ResourceExhausted when
  // none is found.
  absl::StatusOr<std::string> NextId(size_t index);

  // Keeps a line for the stub's author; beyond the limits it is dropped.
  void Log(absl::string_view line);
  std::vector<std::string>& log() { return log_; }

 private:
  const Definition& definition_;
  const size_t tool_;
  Tables& tables_;
  std::vector<uint64_t>& sequences_;
  RandomStream random_;
  const std::string now_;
  const json::Value arguments_;
  const json::Value bindings_;
  std::vector<std::string> log_;
};

}  // namespace tipstaff::engine
