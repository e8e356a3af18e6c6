#include "tests/reference/check.h"

#include <algorithm>
#include <map>
#include <regex>

#include "tests/reference/values.h"

namespace tipstaff::reference {
namespace {

// Site::kind.
constexpr uint32_t kArguments = 2, kMissing = 3, kText = 5;

}  // namespace

std::vector<json::Member> Sorted(json::Value object) {
  std::vector<json::Member> members;
  for (const json::Member& member : object.members()) members.push_back(member);
  std::sort(members.begin(), members.end(),
            [](const json::Member& a, const json::Member& b) { return a.key < b.key; });
  return members;
}

bool Finds(absl::string_view pattern, absl::string_view text) {
  static thread_local std::map<std::string, std::wregex> compiled;
  const auto [entry, added] = compiled.try_emplace(std::string(pattern));
  if (added) {
    const std::wstring wide(pattern.begin(), pattern.end());
    entry->second = std::wregex(wide, std::regex::ECMAScript);
  }
  std::wstring wide;
  for (const char32_t c : CodePoints(text)) {
    // White space and the end of a line to ECMA-262, which std::wregex does not know.
    wide += static_cast<wchar_t>(c == 0x2028 ? '\n' : c == 0xfeff ? '\v' : c);
  }
  return std::regex_search(wide, entry->second);
}

bool Checker::Count(const char* word, bool held) const {
  if (rules_.counters != nullptr) rules_.counters->Add(word, held);
  return held;
}

void Checker::Refuse(json::Value at, const Context& context, Finding& finding, uint32_t kind,
                     bool scope, size_t deeper) const {
  finding.tally.Add(Site{at.index(), kind, context.conditional, context.way}, scope,
                    context.depth + deeper);
}

Tally Checker::Check(json::Value value, size_t depth) const {
  return Apply(schema_, value, Context{.depth = depth}).tally;
}

Finding Checker::Apply(json::Value schema, json::Value value, Context context) const {
  Finding finding;
  if (schema.is_bool()) {
    if (!Count(schema.boolean() ? "true" : "false", schema.boolean())) {
      Refuse(schema, context, finding);
    }
    if (!rules_.standard) CheckText(schema, value, context, /*clear=*/true, finding);
    return finding;
  }
  const Resource& resource = names_.Around(schema);
  if (context.entered.empty() || context.entered.back() != &resource) {
    context.entered.push_back(&resource);
  }
  for (const char* word : {"$id", "$anchor", "$dynamicAnchor", "$defs", "title", "$comment",
                           "description", "examples", "deprecated"}) {
    if (schema.Find(word).exists()) Count(word, true);
  }
  const bool too_many = CheckAssertions(schema, value, context, finding);
  Finding parts;
  Finding& rest = too_many ? parts : finding;
  const size_t before = rest.tally.most();
  CheckInPlace(schema, value, context, rest);
  // What a schema that failed looked at is nobody's business: what is left for `unevaluated...` and
  // `text` cannot be said then.
  const bool clear = rest.tally.most() == before;
  CheckMembers(schema, value, context, rest);
  CheckItems(schema, value, context, rest);
  CheckContains(schema, value, context, rest);
  CheckNames(schema, value, context, rest);
  CheckUnevaluated(schema, value, context, clear, rest);
  if (!rules_.standard) CheckText(schema, value, context, clear, rest);
  if (too_many) finding.tally.Add(parts.tally, Sure::kPerhaps);
  return finding;
}

void Checker::ApplyToPart(json::Value schema, json::Value part, const Context& context,
                          Finding& finding) const {
  Context inner = context;
  ++inner.depth;
  inner.in_place = false;
  finding.tally.Add(Apply(schema, part, inner).tally);
  finding.seen.insert(part.index());
}

Tally CheckArguments(json::Value args, json::Value arguments, const Rules& rules) {
  Tally tally;
  for (const json::Member& arg : Sorted(args)) {
    const bool optional = arg.value.BoolOr("optional", false);
    if (optional || arguments.Find(arg.key).exists()) continue;
    tally.Add(Site{arg.value.index(), kMissing}, /*scope=*/false, /*depth=*/1);
  }
  for (const json::Member& argument : Sorted(arguments)) {
    const json::Value schema = args.Find(argument.key);
    if (schema.exists()) {
      tally.Add(Checker(schema, rules).Check(argument.value, 1));
    } else if (!rules.denies) {
      tally.Add(Site{args.index(), kArguments}, /*scope=*/false, /*depth=*/1);
    }
    if (rules.counters != nullptr) rules.counters->Add("args", schema.exists());
  }
  return tally;
}

Tally CheckUri(json::Value schema, json::Value arguments, const Rules& rules) {
  Tally tally;
  const json::Value uri = arguments.Find("uri");
  if (!uri.exists()) {
    tally.Add(Site{schema.index(), kMissing}, /*scope=*/false, /*depth=*/1);
  } else {
    tally.Add(Checker(schema, rules).Check(uri, 1));
    if (!uri.is_string()) tally.Add(Site{schema.index(), kText}, /*scope=*/false, /*depth=*/1);
  }
  for (const json::Member& argument : arguments.members()) {
    if (argument.key == "uri" || rules.denies) continue;
    tally.Add(Site{schema.index(), kArguments}, /*scope=*/false, /*depth=*/1);
  }
  return tally;
}

}  // namespace tipstaff::reference
