// Pins: what of an MCP server was approved, each tool, resource and prompt as it said it. A pin
// file is JSON, written by `tipstaff upstream pin`; its operator changes `effect` in it, adds
// `idempotency_key` (the argument of a write that takes the mediator's key for it), and nothing
// else:
//
//   {"pins": 1, "upstream": "tickets", "generation": "legacy", "server": {...},
//    "tools": [{"name": "create_issue", "effect": "write", "digest": HEX, "pinned": {...}}, ...],
//    "resources": [{"name": ..., "digest": ..., "pinned": {...}}, ...],
//    "resource_templates": [...], "prompts": [...]}
//
// `name` is what skills say. It is the server's own where that can be one; else it is made from it
// and a digest, the same each time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"
#include "mediator/mcp/version.h"
#include "mediator/schema/program.h"

namespace tipstaff::upstream {

// What a server lists, each item a JSON object as it came.
struct Inventory {
  std::string generation;      // "legacy", "modern"; "": not known
  json::Document server_info;  // an object; null: it said none
  std::vector<std::string> tools, resources, resource_templates, prompts;
};

struct PinnedItem {
  enum class Kind { kTool, kResource, kTemplate, kPrompt };
  Kind kind = Kind::kTool;
  std::string name;   // for skills
  std::string given;  // the server's: of a tool or prompt its name, of a resource its URI
  std::string digest;
  call::Tool tool;  // with `pinned` in it
  std::optional<schema::Program> checks_output;
  std::string quarantine;  // why no skill can name it, "" where it can
};

// Immutable, but while it is made.
class Pins {
 public:
  // InvalidArgument names what is wrong, in one line.
  static absl::StatusOr<Pins> Parse(absl::string_view text);
  // Of what a server lists now. Items that are in `before` keep what its operator said of them;
  // new tools are writes. Items that cannot be pinned at all (no name, the same name or URI twice)
  // are left out and said in `problems`.
  static Pins Of(const std::string& upstream, const Inventory& inventory, const Pins* before,
                 std::vector<std::string>& problems);

  // The file.
  std::string Text() const;

  const std::string& upstream() const { return upstream_; }
  // Which generation the server was of; nothing where that is not known. It may be another now.
  std::optional<mcp::Generation> generation() const;
  const std::vector<PinnedItem>& items() const { return items_; }
  // What skills can name: the items, and completions of prompts and resource templates (where both
  // have a name, of the prompt).
  std::vector<call::Tool> Tools() const;
  // What a call of `kind` is about: of a completion the prompt or template, of a subscription the
  // resource.
  const PinnedItem* FindCalled(call::Kind kind, absl::string_view name) const;
  const PinnedItem* Find(call::Kind kind, absl::string_view name) const;

 private:
  void Add(PinnedItem item);

  std::string upstream_, generation_;
  json::Document server_info_;
  std::vector<PinnedItem> items_;  // by kind, then as the server lists them
  std::map<std::pair<call::Kind, std::string>, size_t> by_name_;
};

// What a server lists now against what was pinned.
struct Drift {
  enum class Kind { kChanged, kAdded, kRemoved };
  Kind kind = Kind::kChanged;
  PinnedItem::Kind item = PinnedItem::Kind::kTool;
  std::string name;    // for skills
  std::string before;  // the item as pinned, as JSON; "" of one that was added
  std::string after;   // as it is now; "" of one that was removed
};
std::vector<Drift> Compare(const Pins& pins, const Inventory& now);
// Names of pinned items, by kind, that may not be called: changed or removed.
using Refused = std::map<std::pair<call::Kind, std::string>, Drift::Kind>;
Refused RefusedBy(const std::vector<Drift>& drifts);

// "tool", "resource", "resource template", "prompt".
absl::string_view ItemKindName(PinnedItem::Kind kind);

}  // namespace tipstaff::upstream
