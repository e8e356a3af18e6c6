#include "stubs/recorder/redaction.h"

#include <re2/re2.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/schema/characters.h"
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
    for (size_t i = token.find('~'); i != absl::string_view::npos; i = token.find('~', i + 1)) {
      if (i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) continue;
      fields.Error(at, engine::kValueCode, "`~` stands alone in a JSON pointer",
                   "write ~0 for it, and ~1 for a slash");
      return false;
    }
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
  if (!fields.IsMapping(value, "a rule", {"tool", "at", "matching", "with", "optional"},
                        {"with"})) {
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
  if (const json::Value optional = value.Find("optional"); optional.exists()) {
    const std::optional<bool> given = fields.Bool(optional, "`optional`");
    if (!given) return std::nullopt;
    rule.optional = *given;
  }
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

// What a rule found, and what stands there instead.
struct Span {
  size_t begin = 0, end = 0;
  const std::string* by = nullptr;
};

// Which texts are replaced, and by what.
class Table {
 public:
  Table(const std::vector<RedactionRule>& rules, std::set<std::string> taken)
      : rules_(rules), taken_(std::move(taken)), found_(rules.size()) {
    for (const RedactionRule& rule : rules) {
      expressions_.push_back(
          rule.matching.empty() ? nullptr : std::make_unique<RE2>(rule.matching, RE2::Quiet));
    }
  }

  void Collect(absl::string_view tool, json::Value document) {
    ForEachValue(document, [&](const Place& place, json::Value value) {
      for (const json::Member& member : value.members()) CollectText(tool, member.key);
      const std::string text = TextOf(value);
      CollectText(tool, text);
      for (size_t i = 0; i < rules_.size(); ++i) {
        if (!IsAt(rules_[i], tool, place)) continue;
        ++found_[i];
        // All that stands in a list or object is gone from there, and must not stand elsewhere.
        ForEachValue(value, [&](const Place&, json::Value within) { Add(i, TextOf(within)); });
      }
    });
  }
  void CollectText(absl::string_view tool, absl::string_view text) {
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (!rules_[i].tool.empty() && rules_[i].tool != tool) continue;
      ForEachMatch(i, text, [&](size_t begin, size_t end) {
        ++found_[i];
        Add(i, text.substr(begin, end - begin));
      });
    }
  }

  // Call once, when all are collected: short texts are looked for within others only by the
  // expressions that found them.
  void Sort() {
    for (const auto& [text, replacement] : replacements_) {
      if (text.size() < kLeastWithin) continue;
      within_.emplace_back(text, &replacement);
      // As it stands in a JSON text within a text.
      const std::string quoted = json::Quote(text);
      if (quoted.size() != text.size() + 2) {
        within_.emplace_back(quoted.substr(1, quoted.size() - 2), &replacement);
      }
    }
  }

  std::string TextFor(absl::string_view text) const {
    const auto whole = replacements_.find(std::string(text));
    if (whole != replacements_.end()) return whole->second;
    std::vector<Span> spans;
    for (const auto& [within, by] : within_) {
      for (size_t at = text.find(within); at != absl::string_view::npos;
           at = text.find(within, at + 1)) {
        spans.push_back({at, at + within.size(), by});
      }
    }
    for (size_t i = 0; i < rules_.size(); ++i) {
      ForEachMatch(i, text, [&](size_t begin, size_t end) {
        const auto known = replacements_.find(std::string(text.substr(begin, end - begin)));
        if (known != replacements_.end()) spans.push_back({begin, end, &known->second});
      });
    }
    return Replace(text, std::move(spans));
  }
  // What stands in the place of a value; missing: the value, with TextFor() where it is text.
  json::Value ValueFor(absl::string_view tool, const Place& place, json::Value value) {
    for (const RedactionRule& rule : rules_) {
      if (!IsAt(rule, tool, place)) continue;
      if (value.is_string() && rule.with.root().is_string()) return {};  // by its text
      return rule.with.root();
    }
    const std::string text = TextOf(value);
    if (const auto known = values_.find(text); known != values_.end()) {
      return rules_[known->second].with.root();
    }
    if (!value.is_number()) return {};
    const std::string other = TextFor(text);
    if (other == text) return {};
    json::Builder builder;
    builder.String(other);
    made_.push_back(std::move(builder).Build().value_or(json::Document()));
    return made_.back().root();
  }

  // Whether an expression finds again what was replaced.
  bool IsLeft(absl::string_view text) const {
    bool left = false;
    for (size_t i = 0; i < rules_.size(); ++i) {
      ForEachMatch(i, text, [&](size_t begin, size_t end) {
        left = left || replacements_.contains(std::string(text.substr(begin, end - begin)));
      });
    }
    return left;
  }

  const std::vector<size_t>& found() const { return found_; }
  const std::map<std::string, std::string>& replacements() const { return replacements_; }

 private:
  // Of texts and numbers; "" of all else.
  static std::string TextOf(json::Value value) {
    if (value.is_string()) return std::string(value.string());
    return value.is_number() ? json::Dump(value) : "";
  }

  template <typename Take>
  void ForEachMatch(size_t rule, absl::string_view text, Take take) const {
    if (expressions_[rule] == nullptr) return;
    const re2::StringPiece all(text.data(), text.size());
    re2::StringPiece match;
    for (size_t at = 0; at < text.size() && expressions_[rule]->Match(
                                                all, at, all.size(), RE2::UNANCHORED, &match, 1);) {
      const size_t begin = match.data() - all.data();
      if (!match.empty()) take(begin, begin + match.size());
      // Past what was found; past one character where it was nothing.
      at = begin + std::max<size_t>(match.size(), 1);
      while (at < text.size() && (text[at] & 0xc0) == 0x80) ++at;
    }
  }

  // What overlaps is replaced as one, by what stands for the longest.
  static std::string Replace(absl::string_view text, std::vector<Span> spans) {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::string out;
    size_t at = 0;
    for (size_t i = 0; i < spans.size();) {
      Span all = spans[i];
      size_t longest = all.end - all.begin;
      for (++i; i < spans.size() && spans[i].begin < all.end; ++i) {
        if (spans[i].end - spans[i].begin > longest) {
          longest = spans[i].end - spans[i].begin;
          all.by = spans[i].by;
        }
        all.end = std::max(all.end, spans[i].end);
      }
      absl::StrAppend(&out, text.substr(at, all.begin - at), *all.by);
      at = all.end;
    }
    return absl::StrCat(out, text.substr(at));
  }

  void Add(size_t rule, absl::string_view text) {
    if (text.empty() || replacements_.contains(std::string(text))) return;
    const json::Value with = rules_[rule].with.root();
    if (!with.is_string()) values_.emplace(text, rule);
    const std::string pattern = with.is_string() ? std::string(with.string()) : "redacted";
    std::string replacement;
    do {  // one that is not taken for another text
      replacement = absl::StrReplaceAll(pattern, {{"{n}", absl::StrCat(++numbers_[rule])}});
    } while (absl::StrContains(pattern, "{n}") && taken_.contains(replacement));
    replacements_[std::string(text)] = std::move(replacement);
  }

  const std::vector<RedactionRule>& rules_;
  const std::set<std::string> taken_;              // texts of the recording
  std::vector<std::unique_ptr<RE2>> expressions_;  // by rule; null: none
  std::vector<size_t> found_;
  std::map<size_t, size_t> numbers_;  // the last one given, by rule
  std::map<std::string, std::string> replacements_;
  std::map<std::string, size_t> values_;  // those that no text replaces: the rule, by their text
  std::vector<std::pair<std::string, const std::string*>> within_;
  std::deque<json::Document> made_;  // values, until they are written
};

template <typename Do>
void ForEachDocument(RecordedCall& call, Do apply) {
  apply(call.arguments);
  if (call.kind != RecordedCall::Kind::kError) apply(call.answer);
}

// Addresses whose domain may be somebody's, and what looks like a key.
void FindSuspects(absl::string_view text, absl::string_view where,
                  std::set<std::string>& suspects) {
  static const RE2 kAddress("[^\\s@<>\"',;:()\\[\\]{}=/]+(?:@|%40)(?:[\\pL\\pN-]+\\.)+\\pL{2,}");
  static const RE2 kReserved(
      "(?i).*(\\.|@|%40)(example|test|invalid|localhost|example\\.(com|net|org))");
  static const RE2 kKey(
      "gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|glpat-[\\w-]{15,}|xox[abprs]-[A-Za-z0-9-]{10,"
      "}|"
      "A(KIA|SIA)[0-9A-Z]{16}|AIza[\\w-]{30,}|[sr]k[-_](live_|test_|proj-|ant-)?[\\w-]{20,}|"
      "hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|(?i:bearer)\\s+[\\w.~+/-]{16,}|"
      "eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----");
  re2::StringPiece rest(text.data(), text.size()), match;
  while (kAddress.Match(rest, 0, rest.size(), RE2::UNANCHORED, &match, 1)) {
    const std::string address(match.data(), match.size());
    if (!RE2::FullMatch(address, kReserved)) suspects.insert("the address " + address);
    rest.remove_prefix(match.data() + match.size() - rest.data());
  }
  if (RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kKey)) {
    suspects.insert(absl::StrCat("a key or token in ", where));
  }
}

void ForEachTextIn(json::Value document, absl::FunctionRef<void(absl::string_view)> take) {
  ForEachValue(document, [&](const Place&, json::Value one) {
    for (const json::Member& member : one.members()) take(member.key);
    if (one.is_string()) take(one.string());
    if (one.is_number()) take(json::Dump(one));
  });
}

void ForEachTextOf(const call::Tool& tool, absl::FunctionRef<void(absl::string_view)> take) {
  for (const std::string& text : {tool.name, tool.title, tool.description, tool.audience}) {
    take(text);
  }
  ForEachTextIn(tool.input_schema.root(), take);
  ForEachTextIn(tool.output_schema.root(), take);
}

// Every text that is written of a recording, with where it is.
void ForEachText(const Recording& recording,
                 absl::FunctionRef<void(absl::string_view text, const std::string& where)> take) {
  for (const RecordedCall& call : recording.calls) {
    const std::string where = absl::StrCat("call #", call.number, " of ", call.tool);
    const auto here = [&](absl::string_view text) { take(text, where); };
    ForEachTextIn(call.arguments.root(), here);
    ForEachTextIn(call.answer.root(), here);
    here(call.error);
    here(call.message);
  }
  for (const call::Tool& tool : recording.tools) {
    const std::string where = absl::StrCat("what ", tool.name, " says of itself");
    ForEachTextOf(tool, [&](absl::string_view text) { take(text, where); });
  }
}

// As a reader would take them: case and width of letters, percent signs, plus signs and JSON's
// escapes aside.
std::string Plain(absl::string_view text) {
  static const RE2 kEscape("\\\\+u([0-9a-fA-F]{4})");
  re2::StringPiece rest(text.data(), text.size());
  re2::StringPiece groups[2];
  std::string unescaped;
  while (kEscape.Match(rest, 0, rest.size(), RE2::UNANCHORED, groups, 2)) {
    absl::StrAppend(&unescaped, absl::string_view(rest.data(), groups[0].data() - rest.data()));
    const absl::StatusOr<json::Document> letter = json::Parse(
        absl::StrCat("\"\\u", absl::string_view(groups[1].data(), groups[1].size()), "\""));
    if (letter.ok()) absl::StrAppend(&unescaped, letter->root().string());  // else half a letter
    rest.remove_prefix(groups[0].data() + groups[0].size() - rest.data());
  }
  absl::StrAppend(&unescaped, absl::string_view(rest.data(), rest.size()));
  text = unescaped;
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string byte;
    if (text[i] == '%' && i + 2 < text.size() && absl::ascii_isxdigit(text[i + 1]) &&
        absl::ascii_isxdigit(text[i + 2])) {
      byte = absl::HexStringToBytes(text.substr(i + 1, 2));
      i += 2;
    } else {
      byte = text[i] == '+' ? ' ' : text[i];
    }
    plain += byte;
  }
  return schema::FoldName(plain);
}

// What was found and is long enough to be looked for in other spellings.
std::vector<std::string> PlainOriginals(const Table& table) {
  std::vector<std::string> originals;
  for (const auto& [text, replacement] : table.replacements()) {
    if (text.size() >= kLeastWithin) originals.push_back(Plain(text));
  }
  return originals;
}

bool Holds(absl::string_view text, const std::vector<std::string>& originals) {
  const std::string plain = Plain(text);
  return std::any_of(originals.begin(), originals.end(), [&](const std::string& original) {
    return absl::StrContains(plain, original);
  });
}

// By position: names of properties, literals and texts for people; never the schema's own words.
void WriteSchema(json::Value schema, const Table& table, json::Builder& builder) {
  const auto text = [&](absl::string_view one) { return table.TextFor(one); };
  if (!schema.is_object()) {
    if (!schema.is_array()) {
      builder.Copy(schema);
      return;
    }
    builder.StartArray();
    for (const json::Value item : schema.items()) WriteSchema(item, table, builder);
    builder.EndArray();
    return;
  }
  builder.StartObject();
  for (const json::Member& member : schema.members()) {
    builder.Key(member.key);
    const json::Value value = member.value;
    const absl::string_view key = member.key;
    if (key == "properties" || key == "dependentSchemas" || key == "dependentRequired" ||
        key == "required" || key == "enum" || key == "const" || key == "default" ||
        key == "examples" || key == "title" || key == "description" || key == "$comment") {
      const bool schemas = value.is_object() && (key == "properties" || key == "dependentSchemas");
      if (!schemas) {
        absl::StatusOr<json::Document> other =
            Rewrite(value, {[](const Place&, json::Value) { return json::Value(); }, text});
        builder.Copy(other.ok() ? other->root() : value);
        continue;
      }
      builder.StartObject();
      for (const json::Member& property : value.members()) {
        builder.Key(text(property.key));
        WriteSchema(property.value, table, builder);
      }
      builder.EndObject();
    } else if (value.is_object() || value.is_array()) {
      WriteSchema(value, table, builder);
    } else {
      builder.Copy(value);
    }
  }
  builder.EndObject();
}

json::Document RedactSchema(json::Value schema, const Table& table) {
  json::Builder builder(2 * json::kMaxDepth);
  WriteSchema(schema, table, builder);
  return std::move(builder).Build().value_or(json::Document());
}

// An error's code has few characters.
std::string RedactCode(const std::string& code, const Table& table) {
  const std::string other = table.TextFor(code);
  static const RE2 kCode("[a-z][a-z0-9_]{0,63}");
  return RE2::FullMatch(other, kCode) ? other : "redacted";
}

void Collect(const Recording& recording, Table& table) {
  for (const RecordedCall& call : recording.calls) {
    table.Collect(call.tool, call.arguments.root());
    if (call.kind != RecordedCall::Kind::kError) table.Collect(call.tool, call.answer.root());
    table.CollectText(call.tool, call.message);
    table.CollectText(call.tool, call.error);
  }
  for (const call::Tool& tool : recording.tools) {
    ForEachTextOf(tool, [&](absl::string_view text) { table.CollectText(tool.name, text); });
  }
}

absl::Status Replace(Table& table, Recording& recording) {
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
    if (!status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("call #", call.number, " of ", call.tool,
                                                     " after redaction: ", status.message()));
    }
    call.message = table.TextFor(call.message);
    if (call.kind == RecordedCall::Kind::kError) call.error = RedactCode(call.error, table);
  }
  for (call::Tool& tool : recording.tools) {
    tool.title = table.TextFor(tool.title);
    tool.description = table.TextFor(tool.description);
    tool.audience = table.TextFor(tool.audience);
    tool.input_schema = RedactSchema(tool.input_schema.root(), table);
    tool.output_schema = RedactSchema(tool.output_schema.root(), table);
  }
  return absl::OkStatus();
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

absl::StatusOr<Redacted> Redact(const std::vector<RedactionRule>& rules,
                                absl::Span<Recording* const> recordings) {
  std::set<std::string> taken, suspects;
  for (const Recording* one : recordings) {
    ForEachText(*one, [&](absl::string_view text, const std::string&) { taken.emplace(text); });
  }
  Table table(rules, std::move(taken));
  for (const Recording* one : recordings) Collect(*one, table);
  table.Sort();
  for (Recording* one : recordings) TIPSTAFF_RETURN_IF_ERROR(Replace(table, *one));
  const std::vector<std::string> originals = PlainOriginals(table);
  for (const Recording* one : recordings) {
    ForEachText(*one, [&](absl::string_view text, const std::string& where) {
      FindSuspects(text, where, suspects);
      if (table.IsLeft(text)) suspects.insert(absl::StrCat("what a rule found, in ", where));
      if (Holds(text, originals)) {
        suspects.insert(absl::StrCat("what a rule found, in another spelling, in ", where));
      }
    });
  }
  return Redacted{table.found(), {suspects.begin(), suspects.end()}};
}

}  // namespace tipstaff::recorder
