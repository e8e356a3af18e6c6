// What one call of a tool may read and use, whether rows in stub.yaml or a script handle it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/json/document.h"
#include "stubs/engine/definition.h"
#include "stubs/engine/random.h"
#include "stubs/engine/tables.h"
#include "stubs/engine/where.h"

namespace tipstaff::engine {

class ScriptRunner;

// Lives as long as the call. `definition`, `tables`, `sequences` and `scripts` must outlive it.
class CallScope {
 public:
  // `tool`: an index into definition.tools. `sequences`: the last number given out for each id, in
  // the order of definition.ids. `given`: of the tool's replies, how many of each group were given.
  CallScope(const Definition& definition, size_t tool, Tables& tables,
            std::vector<uint64_t>& sequences, const std::vector<uint64_t>& given,
            ScriptRunner& scripts, RandomStream random, absl::Time now, json::Value arguments,
            json::Value bindings)
      : definition_(definition),
        tool_(tool),
        tables_(tables),
        sequences_(sequences),
        given_(given),
        scripts_(scripts),
        random_(random),
        now_(now),
        arguments_(arguments),
        bindings_(bindings) {}

  bool for_author = false;  // as StateOptions has it

  const Definition& definition() const { return definition_; }
  const std::string& tool() const { return definition_.tools[tool_].tool.name; }
  Tables& tables() { return tables_; }
  RandomStream& random() { return random_; }
  ScriptRunner& scripts() { return scripts_; }
  // In RFC 3339: "2026-05-01T09:00:00Z", with a fraction only where there is one.
  std::string now() const;
  json::Value arguments() const { return arguments_; }
  json::Value bindings() const { return bindings_; }

  // The next id of definition.ids[index] that is not a key in any table; ResourceExhausted when
  // none is found.
  absl::StatusOr<std::string> NextId(size_t index);

  // How many replies of a group were given before this call, which gives one more.
  uint64_t GiveReply(size_t group) {
    reply_group_ = group;
    return given_[group];
  }
  std::optional<size_t> reply_group() const { return reply_group_; }

  // What an action hands to the tool's `result`, where it has one: an object with "row", "rows"
  // and so on, which references name.
  bool wants_parts() const { return definition_.tools[tool_].result.has_value(); }
  json::Value parts() const { return parts_; }
  void set_parts(json::Value parts) { parts_ = parts; }

  // Keeps a line for the stub's author; beyond the limits it is dropped.
  void Log(absl::string_view line);
  std::vector<std::string>& log() { return log_; }

  // Remembers that a script looked for rows and found none; NearMisses() says what came nearest, ""
  // for nothing. The first few are kept.
  void Missed(size_t table, absl::string_view key);
  void Missed(size_t table, RowFilter filter);
  std::string NearMisses() const;

 private:
  const Definition& definition_;
  const size_t tool_;
  Tables& tables_;
  std::vector<uint64_t>& sequences_;
  const std::vector<uint64_t>& given_;
  ScriptRunner& scripts_;
  RandomStream random_;
  const absl::Time now_;
  const json::Value arguments_;
  const json::Value bindings_;
  std::optional<size_t> reply_group_;
  json::Value parts_;
  std::vector<std::string> log_;
  struct Miss {
    size_t table;
    std::variant<std::string, RowFilter> wanted;  // a key, or conditions
  };
  std::vector<Miss> misses_;
};

}  // namespace tipstaff::engine
