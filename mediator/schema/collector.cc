#include "mediator/schema/collector.h"

#include "absl/strings/str_cat.h"
#include "mediator/schema/describe.h"

namespace tipstaff::schema::internal {

void Merge(const Code& code, const Collector& from, Collector& into) {
  for (const uint64_t key : from.failed) {
    const bool conditional = (key & 1) != 0;
    const uint32_t constraint = static_cast<uint32_t>(key >> 1);
    into.Add(constraint, code.constraints[constraint].scope && !conditional, conditional);
  }
  if (from.first.has_value() && into.WantsSite(from.first->scope)) into.first = from.first;
}

bool IsCloser(const Collector& a, const Collector& b) {
  if (a.failed.size() != b.failed.size()) return a.failed.size() < b.failed.size();
  return a.first.has_value() && b.first.has_value() && a.first->depth > b.first->depth;
}

Failure Describe(const Code& code, const Site& site, absl::Span<const json::Value> bindings) {
  const Constraint& constraint = code.constraints[site.constraint];
  Failure failure{.pointer = site.pointer,
                  .keyword = KeywordOf(code, constraint),
                  .expected = Expected(code, constraint, bindings),
                  .found = Found(code, *site.node, constraint, site.value, site.detail),
                  .origin = constraint.origin,
                  .scope = site.scope};
  if (site.choice != kNone) {
    absl::StrAppend(&failure.expected, ", or another schema of `",
                    KeywordName(code.constraints[site.choice].keyword), "`");
  }
  return failure;
}

}  // namespace tipstaff::schema::internal
