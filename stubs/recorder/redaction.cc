#include "stubs/recorder/redaction.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/fields.h"
#include "stubs/recorder/rewrite.h"

namespace tipstaff::recorder {
namespace {

// What is shorter is replaced as a whole text only: "no" stands within many others.
constexpr size_t kLeastWithin = 4;

bool LoadPointer(json::Value at, engine::Fields& fields, RedactionRule& rule) {
  if (!fields.IsText(at, "`at`")) return false;
  if (!absl::StartsWith(at.string(), "/")) {
    fields.Error(at, engine::kValueCode, "`at` is a JSON pointer", "write /reporter/email");
    return false;
  }
  for (absl::string_view token : absl::StrSplit(at.string().substr(1), '/')) {
    rule.at.push_back(absl::StrReplaceAll(token, {{"~1", "/"}, {"~0", "~"}}));
  }
  return true;
}

bool LoadExpression(json::Value matching, engine::Fields& fields, RedactionRule& rule) {
  if (!fields.IsText(matching, "`matching`")) return false;
  const RE2 compiled(re2::StringPiece(matching.string().data(), matching.string().size()),
                     RE2::Quiet);
  if (!compiled.ok()) {
    fields.Error(matching, engine::kValueCode,
                 absl::StrCat("no regular expression: ", compiled.error()));
    return false;
  }
  if (RE2::FullMatch("", compiled)) {
    fields.Error(matching, engine::kValueCode, "the expression matches the empty text",
                 "write + for * where one is needed");
    return false;
  }
  rule.matching = std::string(matching.string());
  return true;
}

std::optional<RedactionRule> LoadRule(json::Value value, engine::Fields& fields) {
  if (!fields.IsMapping(value, "a rule", {"tool", "at", "matching", "with"}, {"with"})) {
    return std::nullopt;
  }
  const json::Value tool = value.Find("tool"), at = value.Find("at"),
                    matching = value.Find("matching");
  RedactionRule rule;
  if (tool.exists() && !fields.IsText(tool, "`tool`")) return std::nullopt;
  rule.tool = std::string(value.StringOr("tool", ""));
  if (at.exists() == matching.exists()) {
    fields.Error(value, engine::kMissingKeyCode,
                 at.exists() ? "a rule has both `at` and `matching`"
                             : "a rule has neither `at` nor `matching`");
    return std::nullopt;
  }
  if (at.exists() ? !LoadPointer(at, fields, rule) : !LoadExpression(matching, fields, rule)) {
    return std::nullopt;
  }
  if (matching.exists() && !fields.IsText(value.Find("with"), "`with`")) return std::nullopt;
  json::Builder with;
  with.Copy(value.Find("with"));
  absl::StatusOr<json::Document> copy = std::move(with).Build();
  if (!copy.ok()) {
    fields.Error(value.Find("with"), engine::kValueCode, copy.status().message());
    return std::nullopt;
  }
  rule.with = *std::move(copy);
  rule.written = std::string(at.exists() ? at.string() : matching.string());
  return rule;
}

bool IsAt(const RedactionRule& rule, absl::string_view tool, const Place& place) {
  if (rule.at.empty() || rule.at.size() != place.size()) return false;
  if (!rule.tool.empty() && rule.tool != tool) return false;
  for (size_t i = 0; i < place.size(); ++i) {
    if (rule.at[i] != "*" && rule.at[i] != place[i]) return false;
  }
  return true;
}

// Which texts are replaced, and by what.
class Table {
 public:
  explicit Table(const std::vector<RedactionRule>& rules) : rules_(rules), found_(rules.size()) {
    for (const RedactionRule& rule : rules) {
      expressions_.push_back(
          rule.matching.empty() ? nullptr : std::make_unique<RE2>(rule.matching, RE2::Quiet));
    }
  }

  void Collect(absl::string_view tool, json::Value document) {
    ForEachValue(document, [&](const Place& place, json::Value value) {
      for (const json::Member& member : value.members()) CollectText(tool, member.key);
      if (value.is_string()) CollectText(tool, value.string());
      for (size_t i = 0; i < rules_.size(); ++i) {
        if (!IsAt(rules_[i], tool, place)) continue;
        if (value.is_string() && rules_[i].with.root().is_string()) {
          Add(i, value.string());
        } else {
          ++found_[i];
        }
      }
    });
  }
  void CollectText(absl::string_view tool, absl::string_view text) {
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (expressions_[i] == nullptr || (!rules_[i].tool.empty() && rules_[i].tool != tool)) {
        continue;
      }
      re2::StringPiece rest(text.data(), text.size()), match;
      while (!rest.empty() &&
             expressions_[i]->Match(rest, 0, rest.size(), RE2::UNANCHORED, &match, 1)) {
        if (match.empty()) break;
        Add(i, absl::string_view(match.data(), match.size()));
        rest.remove_prefix(match.data() + match.size() - rest.data());
      }
    }
  }

  // Call once, when all are collected.
  void Sort() {
    for (const auto& [text, replacement] : replacements_) {
      if (text.size() < kLeastWithin) continue;
      within_.emplace_back(text, replacement);
      // As it stands in a JSON text within a text.
      const std::string quoted = json::Quote(text), by = json::Quote(replacement);
      if (quoted.size() != text.size() + 2) {
        within_.emplace_back(quoted.substr(1, quoted.size() - 2), by.substr(1, by.size() - 2));
      }
    }
    std::sort(within_.begin(), within_.end(), [](const auto& a, const auto& b) {
      return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
    });
  }

  std::string TextFor(absl::string_view text) const {
    const auto whole = replacements_.find(std::string(text));
    if (whole != replacements_.end()) return whole->second;
    return within_.empty() ? std::string(text) : absl::StrReplaceAll(text, within_);
  }
  json::Value ValueFor(absl::string_view tool, const Place& place, json::Value value) const {
    for (const RedactionRule& rule : rules_) {
      if (!IsAt(rule, tool, place)) continue;
      if (value.is_string() && rule.with.root().is_string()) return {};  // by its text
      return rule.with.root();
    }
    return {};
  }
  const std::vector<size_t>& found() const { return found_; }

 private:
  void Add(size_t rule, absl::string_view text) {
    ++found_[rule];
    if (text.empty() || replacements_.contains(std::string(text))) return;
    const std::string number = absl::StrCat(++numbers_[rule]);
    replacements_[std::string(text)] =
        absl::StrReplaceAll(rules_[rule].with.root().string(), {{"{n}", number}});
  }

  const std::vector<RedactionRule>& rules_;
  std::vector<std::unique_ptr<RE2>> expressions_;  // by rule; null: none
  std::vector<size_t> found_;
  std::map<size_t, size_t> numbers_;  // the last one given, by rule
  std::map<std::string, std::string> replacements_;
  std::vector<std::pair<std::string, std::string>> within_;  // the longest first
};

template <typename Do>
void ForEachDocument(RecordedCall& call, Do apply) {
  apply(call.arguments);
  if (call.kind != RecordedCall::Kind::kError) apply(call.answer);
}

// Addresses whose domain may be somebody's, and what looks like a key.
void FindSuspects(const RecordedCall& call, std::set<std::string>& suspects) {
  static const RE2 kAddress("[A-Za-z0-9._%+-]+@([A-Za-z0-9-]+\\.)+[A-Za-z]{2,}");
  static const RE2 kReserved(
      "(?i).*(\\.|@)(example|test|invalid|localhost|example\\.(com|net|org))");
  static const RE2 kKey(
      "(gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|sk-[A-Za-z0-9_-]{"
      "20,}|"
      "eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----)");
  const auto look = [&](absl::string_view text) {
    re2::StringPiece rest(text.data(), text.size()), match;
    while (kAddress.Match(rest, 0, rest.size(), RE2::UNANCHORED, &match, 1)) {
      const std::string address(match.data(), match.size());
      if (!RE2::FullMatch(address, kReserved)) suspects.insert("the address " + address);
      rest.remove_prefix(match.data() + match.size() - rest.data());
    }
    if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kKey)) {
      suspects.insert(absl::StrCat("a key or token in a call of ", call.tool));
    }
  };
  const auto visit = [&](const json::Document& document) {
    ForEachValue(document.root(), [&](const Place&, json::Value value) {
      if (value.is_string()) look(value.string());
    });
  };
  visit(call.arguments);
  visit(call.answer);
  look(call.message);
}

}  // namespace

std::optional<std::vector<RedactionRule>> LoadRedaction(std::shared_ptr<const source::File> file,
                                                        source::Diagnostics& diagnostics) {
  const std::optional<source::Document> document = source::ParseYaml(std::move(file), diagnostics);
  if (!document) return std::nullopt;
  engine::Fields fields(*document, diagnostics);
  const size_t before = diagnostics.size();
  const json::Value list = document->root().Find("redact");
  std::vector<RedactionRule> rules;
  if (fields.IsMapping(document->root(), "a file of redaction rules", {"redact"}, {"redact"}) &&
      fields.IsSequence(list, "`redact`")) {
    if (list.size() == 0) fields.Error(list, engine::kValueCode, "`redact` without a rule");
    for (const json::Value value : list.items()) {
      if (auto rule = LoadRule(value, fields)) rules.push_back(*std::move(rule));
    }
  }
  if (diagnostics.size() != before) return std::nullopt;
  return rules;
}

absl::StatusOr<Redacted> Redact(const std::vector<RedactionRule>& rules, Recording& recording) {
  Table table(rules);
  for (RecordedCall& call : recording.calls) {
    ForEachDocument(call, [&](json::Document& one) { table.Collect(call.tool, one.root()); });
    table.CollectText(call.tool, call.message);
  }
  table.Sort();
  std::set<std::string> suspects;
  for (RecordedCall& call : recording.calls) {
    absl::Status status;
    ForEachDocument(call, [&](json::Document& one) {
      absl::StatusOr<json::Document> written =
          Rewrite(one.root(), {[&](const Place& place, json::Value value) {
                                 return table.ValueFor(call.tool, place, value);
                               },
                               [&](absl::string_view text) { return table.TextFor(text); }});
      status.Update(written.status());
      if (written.ok()) one = *std::move(written);
    });
    TIPSTAFF_RETURN_IF_ERROR(status);
    call.message = table.TextFor(call.message);
    FindSuspects(call, suspects);
  }
  for (call::Tool& tool : recording.tools) {
    tool.title = table.TextFor(tool.title);
    tool.description = table.TextFor(tool.description);
    for (json::Document* schema : {&tool.input_schema, &tool.output_schema}) {
      TIPSTAFF_ASSIGN_OR_RETURN(
          *schema,
          Rewrite(schema->root(), {[](const Place&, json::Value) { return json::Value(); },
                                   [&](absl::string_view text) { return table.TextFor(text); }}));
    }
  }
  return Redacted{table.found(), {suspects.begin(), suspects.end()}};
}

}  // namespace tipstaff::recorder
