// Values in stub.yaml that a call fills in: {to: $args.to, at: $now, id: $id.message}.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mediator/json/builder.h"
#include "mediator/json/document.h"

namespace tipstaff::engine {

class CallScope;
class Columns;
class Fields;

// What references may name where a template stands.
struct TemplateNames {
  absl::Span<const std::string> ids;
  json::Value input;  // the tool's input schema; the arguments come from its `properties`
  // What the action hands over where the template is a tool's `result`: "row", "total".
  absl::Span<const std::string> parts;
  const Columns* row = nullptr;  // of `$row`, where they are known
};

// A text that begins with `$` refers: `$args.x` (and `$args.x.y` into it) to an argument,
// `$bindings.x` to a binding of the run, `$id.name` to the next id, `$now` to the virtual time.
// In a `result`, `$row` (and `$row.x`), `$rows`, `$total` and their like are what the action gave.
// `$$x` is the text `$x`. References elsewhere in a text are not looked for.
class Template {
 public:
  Template() = default;  // null
  // Nothing when an error was added.
  static std::optional<Template> Load(json::Value value, const TemplateNames& names,
                                      Fields& fields);

  // The value for a call: missing when it refers to what the call does not have; inside, members
  // and items that do are left out. It points into this template, the call's values, or a document
  // that is added to `storage`. ResourceExhausted: no id is left; InvalidArgument: nested too deep.
  absl::StatusOr<json::Value> Resolve(CallScope& scope, std::vector<json::Document>& storage) const;

  // Whether the run has every binding that it refers to, within a list or an object too.
  bool HasBindings(const CallScope& scope) const;
  // Whether it is an object whose member `key` is `$id.name`.
  bool Draws(absl::string_view key) const;

 private:
  struct Reference {
    enum class Kind { kArgument, kBinding, kPart, kId, kNow, kText };
    Kind kind = Kind::kText;
    std::vector<std::string> path;  // kArgument, kBinding, kPart
    size_t id = 0;
    std::string text;  // kText
  };
  // A JSON value, or a text where that is what the reference came to.
  struct Found {
    json::Value value;
    std::optional<std::string> text;
  };

  static std::optional<Reference> Parse(json::Value at, const TemplateNames& names, Fields& fields);
  static bool CheckPart(json::Value at, absl::Span<const std::string> path,
                        const TemplateNames& names, Fields& fields);
  bool Scan(json::Value copy, json::Value original, const TemplateNames& names, Fields& fields);
  const Reference* ReferenceAt(json::Value node) const;
  absl::StatusOr<Found> Follow(const Reference& reference, CallScope& scope) const;
  absl::Status WriteChild(const json::Member& child, CallScope& scope,
                          json::Builder& builder) const;
  absl::Status Write(json::Value node, CallScope& scope, json::Builder& builder) const;

  json::Document value_;
  std::vector<int32_t> reference_at_;  // by json::Value::index(); -1: none
  std::vector<Reference> references_;
};

}  // namespace tipstaff::engine
