// The Checker's keywords with schemas for parts of the value, and what text they may hold.
#include "mediator/json/builder.h"
#include "tests/reference/check.h"
#include "tests/reference/texts.h"

namespace tipstaff::reference {
namespace {

// Site::kind of what nobody wrote.
constexpr uint32_t kDefaultText = 4;

// All strings and keys in `value`, however deep.
bool IsTextWithin(absl::string_view mode, json::Value value) {
  if (value.is_string() && !IsText(mode, value.string())) return false;
  for (json::Value item : value.items()) {
    if (!IsTextWithin(mode, item)) return false;
  }
  for (const json::Member& member : value.members()) {
    if (!IsText(mode, member.key) || !IsTextWithin(mode, member.value)) return false;
  }
  return true;
}

// Of what is asked last, when nothing or something else has failed.
Sure SureOf(const Tally& before, bool clear) {
  return before.passed() ? Sure::kYes : clear ? Sure::kFails : Sure::kPerhaps;
}

}  // namespace

void Checker::CheckMembers(json::Value schema, json::Value value, const Context& context,
                           Finding& finding) const {
  for (const json::Member& member : Sorted(value)) CheckMember(schema, member, context, finding);
}

void Checker::CheckMember(json::Value schema, const json::Member& member, const Context& context,
                          Finding& finding) const {
  bool listed = false;
  const auto apply = [&](const char* word, json::Value part) {
    const size_t before = finding.tally.most();
    listed = true;
    ApplyToPart(part, member.value, context, finding);
    Count(word, finding.tally.most() == before);
  };
  if (const json::Value part = schema.Find("properties").Find(member.key); part.exists()) {
    finding.named.insert(member.value.index());
    apply("properties", part);
  }
  const std::vector<json::Member> patterns = Sorted(schema.Find("patternProperties"));
  for (auto pattern = patterns.rbegin(); pattern != patterns.rend(); ++pattern) {
    if (Finds(pattern->key, member.key)) apply("patternProperties", pattern->value);
  }
  const json::Value others = schema.Find("additionalProperties");
  if (listed || !others.exists()) return;
  if (!others.is_bool() || others.boolean()) return apply("additionalProperties", others);
  Count("additionalProperties", false);
  Refuse(others, context, finding, 0, /*scope=*/false, /*deeper=*/1);
}

void Checker::CheckItems(json::Value schema, json::Value value, const Context& context,
                         Finding& finding) const {
  const json::Value prefix = schema.Find("prefixItems"), rest = schema.Find("items");
  for (size_t i = 0; i < value.size() && value.is_array(); ++i) {
    const bool first = i < prefix.size();
    const json::Value part = first ? prefix.At(i) : rest;
    if (!part.exists()) continue;
    const size_t before = finding.tally.most();
    ApplyToPart(part, value.At(i), context, finding);
    Count(first ? "prefixItems" : "items", finding.tally.most() == before);
  }
}

void Checker::CheckContains(json::Value schema, json::Value value, const Context& context,
                            Finding& finding) const {
  const json::Value wanted = schema.Find("contains");
  if (!wanted.exists() || !value.is_array()) return;
  Context inner = context;
  inner.in_place = false;
  inner.conditional = true;
  ++inner.depth;
  size_t found = 0;
  for (json::Value item : value.items()) {
    if (!Apply(wanted, item, inner).tally.passed()) continue;
    ++found;
    finding.seen.insert(item.index());
  }
  const json::Value least = schema.Find("minContains"), most = schema.Find("maxContains");
  const bool enough = least.exists() ? static_cast<double>(found) >= least.number() : found > 0;
  if (!Count(least.exists() ? "minContains" : "contains", enough)) {
    Refuse(least.exists() ? least : wanted, context, finding, 1);
  } else if (most.exists() && !Count("maxContains", static_cast<double>(found) <= most.number())) {
    Refuse(most, context, finding);
  }
}

void Checker::CheckNames(json::Value schema, json::Value value, const Context& context,
                         Finding& finding) const {
  const json::Value names = schema.Find("propertyNames");
  if (!names.exists()) return;
  Context inner = context;
  inner.in_place = false;
  ++inner.depth;
  for (const json::Member& member : Sorted(value)) {
    json::Builder name;
    name.String(member.key);
    const json::Document document = *std::move(name).Build();
    const Tally tally = Apply(names, document.root(), inner).tally;
    Count("propertyNames", tally.passed());
    finding.tally.Add(tally);
  }
}

void Checker::CheckUnevaluated(json::Value schema, json::Value value, const Context& context,
                               bool clear, Finding& finding) const {
  const Sure sure = SureOf(finding.tally, clear);
  const auto judge = [&](const char* word, json::Value part) {
    const json::Value left = schema.Find(word);
    if (!left.exists() || finding.seen.contains(part.index())) return;
    Finding late;
    ApplyToPart(left, part, context, late);
    Count(word, late.tally.passed());
    finding.tally.Add(late.tally, sure);
    finding.seen.insert(part.index());
  };
  for (json::Value item : value.items()) judge("unevaluatedItems", item);
  for (const json::Member& member : Sorted(value)) judge("unevaluatedProperties", member.value);
}

// `text` works as `unevaluated...` does: it is about the strings that no schema within this one
// looked at. `text: line` is understood of every member, item and argument, unless a schema that it
// passes says otherwise.
void Checker::CheckText(json::Value schema, json::Value value, const Context& context, bool clear,
                        Finding& finding) const {
  const json::Value written = schema.Find("text");
  if (!written.exists() && (rules_.denies || context.in_place || finding.speaks_of_text)) return;
  const std::string mode(written.exists() ? written.string() : absl::string_view("line"));
  bool good = !value.is_string() || IsText(mode, value.string());
  for (json::Value item : value.items()) {
    good = good && (finding.seen.contains(item.index()) || IsTextWithin(mode, item));
  }
  for (const json::Member& member : value.members()) {
    good = good && (finding.named.contains(member.value.index()) || IsText(mode, member.key));
    good =
        good && (finding.seen.contains(member.value.index()) || IsTextWithin(mode, member.value));
  }
  finding.speaks_of_text = finding.speaks_of_text || written.exists();
  const bool has_text = value.is_string() || value.is_array() || value.is_object();
  if (has_text) Count(written.exists() ? ("text: " + mode).c_str() : "text", good);
  if (good) return;
  const Site site = written.exists()
                        ? Site{written.index(), 0, context.conditional, context.way}
                        : Site{schema.index(), kDefaultText, context.conditional, context.way};
  finding.tally.Add(site, /*scope=*/false, context.depth, SureOf(finding.tally, clear));
}

}  // namespace tipstaff::reference
