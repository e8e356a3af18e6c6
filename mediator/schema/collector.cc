#include "mediator/schema/collector.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/schema/describe.h"
#include "mediator/schema/lists.h"

namespace tipstaff::schema::internal {
namespace {

bool IsAscii(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

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
  // `rеp_a` with a Cyrillic letter does not look different from what is expected.
  if (ListsValues(constraint.keyword) && IsAscii(failure.expected)) {
    failure.found = base::WriteOutNonAscii(failure.found);
  }
  if (site.choice != kNone) {
    absl::StrAppend(&failure.expected, ", or another schema of `",
                    KeywordName(code.constraints[site.choice].keyword), "`");
  }
  return failure;
}

}  // namespace tipstaff::schema::internal
