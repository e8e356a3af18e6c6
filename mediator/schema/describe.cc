#include "mediator/schema/describe.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/json/write.h"
#include "mediator/schema/address.h"
#include "mediator/schema/evaluate.h"
#include "mediator/schema/format.h"
#include "mediator/schema/operands.h"
#include "mediator/schema/plain.h"

namespace tipstaff::schema::internal {
namespace {

constexpr size_t kShownColumns = 48;
constexpr size_t kShownCandidates = 6;

std::string Quoted(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, kShownColumns), "`");
}

std::string Counted(uint64_t count, absl::string_view unit) {
  return absl::StrCat(count, " ", unit, count == 1 ? "" : "s");
}

absl::string_view UnitOf(Keyword keyword) {
  switch (keyword) {
    case Keyword::kMinBytes:
    case Keyword::kMaxBytes:
      return "byte";
    case Keyword::kMinItems:
    case Keyword::kMaxItems:
      return "item";
    case Keyword::kMinProperties:
    case Keyword::kMaxProperties:
      return "member";
    default:
      return "character";
  }
}

// What a binding stands for: all its items where they are `spread`.
void AppendBound(json::Value bound, bool spread, std::vector<std::string>& shown) {
  if (!spread) {
    shown.push_back(ShowValue(bound));
    return;
  }
  for (json::Value item : bound.items()) {
    if (shown.size() > kShownCandidates) return;
    shown.push_back(ShowValue(item));
  }
}

json::Value BoundTo(uint32_t binding, absl::Span<const json::Value> bindings) {
  return binding < bindings.size() ? bindings[binding] : json::Value();
}

std::string OneOf(const std::vector<std::string>& shown) {
  std::string words = shown.empty()       ? "nothing: the list is empty"
                      : shown.size() == 1 ? shown[0]
                                          : "one of ";
  for (size_t i = 0; shown.size() > 1 && i < shown.size(); ++i) {
    if (i == kShownCandidates) {
      absl::StrAppend(&words, ", …");
      break;
    }
    absl::StrAppend(&words, i == 0 ? "" : ", ", shown[i]);
  }
  return words;
}

// " (binding `a`, `b`)", or nothing.
std::string NamesInWords(const std::vector<std::string>& names) {
  return names.empty() ? "" : absl::StrCat(" (binding ", absl::StrJoin(names, ", "), ")");
}

std::string OneOf(const Code& code, const Constraint& constraint,
                  absl::Span<const json::Value> bindings) {
  std::vector<std::string> shown, names;
  for (const Candidate& candidate : constraint.candidates) {
    if (candidate.binding == kNone) {
      shown.push_back(ShowValue(code.constants[candidate.constant]));
      continue;
    }
    AppendBound(BoundTo(candidate.binding, bindings), constraint.spread, shown);
    names.push_back(absl::StrCat("`", code.binding_names[candidate.binding], "`"));
  }
  return absl::StrCat(OneOf(shown), NamesInWords(names));
}

std::string UrlInWords(const Code& code, const UrlOperand& url,
                       absl::Span<const json::Value> bindings) {
  std::vector<std::string> hosts, names, others;
  for (const std::string& host : url.rule.hosts) hosts.push_back(Quoted(host));
  for (const UrlSource& source : url.sources) {
    const std::string name = absl::StrCat("`", code.binding_names[source.binding], "`");
    if (source.list != kUrlHosts) {
      others.push_back(name);
      continue;
    }
    AppendBound(BoundTo(source.binding, bindings), source.spread, hosts);
    names.push_back(name);
  }
  return absl::StrCat("a plain URL at ", OneOf(hosts), NamesInWords(names),
                      " with a scheme, port and path that `url` lists", NamesInWords(others));
}

std::string ArgumentsInWords(const Code& code) {
  return code.arguments ? "one of the arguments that the permission lists"
                        : "one of the members that `properties` lists";
}

}  // namespace

std::string ShowValue(json::Value value) {
  switch (value.kind()) {
    case json::Kind::kMissing:
      return "nothing";
    case json::Kind::kString:
      return Quoted(value.string());
    case json::Kind::kArray:
      return absl::StrCat("an array of ", Counted(value.size(), "item"));
    case json::Kind::kObject:
      return absl::StrCat("an object of ", Counted(value.size(), "member"));
    default:
      return json::Dump(value);
  }
}

std::string Expected(const Code& code, const Constraint& constraint,
                     absl::Span<const json::Value> bindings) {
  const auto bound = [&](const char* words) {
    return absl::StrCat(words, json::Dump(code.constants[constraint.index]));
  };
  switch (constraint.keyword) {
    case Keyword::kType:
      return constraint.types == 0 ? "nothing" : TypesInWords(constraint.types);
    case Keyword::kConst:
    case Keyword::kEnum:
    case Keyword::kEquals:
    case Keyword::kIn:
      return OneOf(code, constraint, bindings);
    case Keyword::kEmail:
      return absl::StrCat("the plain address ", OneOf(code, constraint, bindings));
    case Keyword::kEmailDomain:
      return absl::StrCat("a plain address in ", OneOf(code, constraint, bindings));
    case Keyword::kMinimum:
      return bound("at least ");
    case Keyword::kMaximum:
      return bound("at most ");
    case Keyword::kExclusiveMinimum:
      return bound("more than ");
    case Keyword::kExclusiveMaximum:
      return bound("less than ");
    case Keyword::kMultipleOf:
      return bound("a multiple of ");
    case Keyword::kMinBytes:
    case Keyword::kMinItems:
    case Keyword::kMinLength:
    case Keyword::kMinProperties:
      return absl::StrCat("at least ", Counted(constraint.count, UnitOf(constraint.keyword)));
    case Keyword::kMaxBytes:
    case Keyword::kMaxItems:
    case Keyword::kMaxLength:
    case Keyword::kMaxProperties:
      return absl::StrCat("at most ", Counted(constraint.count, UnitOf(constraint.keyword)));
    case Keyword::kPattern:
      return absl::StrCat("a match of ", Quoted(code.patterns[constraint.index]->pattern()));
    case Keyword::kUniqueItems:
      return "items that all differ";
    case Keyword::kRequired:
      return absl::StrCat(code.arguments ? "the argument " : "the member ",
                          Quoted(code.names[constraint.index]));
    case Keyword::kDependentRequired:
    case Keyword::kDependencies:
      return absl::StrCat("the member ", Quoted(code.names[constraint.index]), " beside ",
                          Quoted(code.names[constraint.count]));
    case Keyword::kFormat:
      return std::string(FormatInWords(static_cast<Format>(constraint.index)));
    case Keyword::kPath:
      return "a relative path that means one place on every system, as `path` lists it";
    case Keyword::kUrl:
      return UrlInWords(code, code.urls[constraint.index], bindings);
    case Keyword::kPlain:
      return "text with nothing that a shell or an option parser acts on";
    case Keyword::kContains:
    case Keyword::kMinContains:
      return absl::StrCat("at least ", Counted(constraint.count, "item"),
                          " as `contains` asks for");
    case Keyword::kMaxContains:
      return absl::StrCat("at most ", Counted(constraint.count, "item"), " as `contains` asks for");
    case Keyword::kNot:
      return "a value unlike what `not` describes";
    case Keyword::kOneOf:
      return "a match of exactly one schema of `oneOf`";
    case Keyword::kUnevaluatedItems:
      return "no more items than the schema describes";
    case Keyword::kUnevaluatedProperties:
      return "one of the members that the schema describes";
    case Keyword::kAdditionalProperties:
      return ArgumentsInWords(code);
    case Keyword::kText:
      return std::string(TextModeInWords(constraint.text));
    default:
      return "something else";
  }
}

std::string Found(const Code& code, const Node& node, const Constraint& constraint,
                  json::Value value, uint64_t detail) {
  switch (constraint.keyword) {
    case Keyword::kType:
      return value.is_string() ? "a string" : ShowValue(value);
    case Keyword::kMinBytes:
    case Keyword::kMaxBytes:
      return Counted(value.string().size(), "byte");
    case Keyword::kMinLength:
    case Keyword::kMaxLength:
      return Counted(base::CountCodePoints(value.string()), "character");
    case Keyword::kMinItems:
    case Keyword::kMaxItems:
      return Counted(value.size(), "item");
    case Keyword::kMinProperties:
    case Keyword::kMaxProperties:
      return Counted(value.size(), "member");
    case Keyword::kContains:
    case Keyword::kMinContains:
    case Keyword::kMaxContains:
      return Counted(detail, "such item");
    case Keyword::kOneOf:
      return absl::StrCat("a match of ", detail, " or more");
    case Keyword::kUniqueItems:
      return "an item twice";
    case Keyword::kRequired:
    case Keyword::kDependentRequired:
    case Keyword::kDependencies:
      return "nothing";
    case Keyword::kEmail:
    case Keyword::kEmailDomain:
      return absl::StrCat(ShowValue(value),
                          ParseAddress(value.string()) ? "" : ", which is no plain address");
    case Keyword::kPath:
      return absl::StrCat(ShowValue(value), ": ",
                          PathProblem(code.paths[constraint.index], value.string()).value_or(""));
    case Keyword::kUrl:
      return absl::StrCat(ShowValue(value),
                          ParseUrl(value.string()) ? "" : ", which is no plain URL");
    case Keyword::kPlain:
      return absl::StrCat(ShowValue(value), ": ", PlainProblem(value.string()).value_or(""));
    case Keyword::kText: {
      const auto refused = detail != 0 ? std::optional<char32_t>(static_cast<char32_t>(detail))
                                       : RefusedText(code, node, constraint.text, value);
      return refused ? absl::StrFormat("U+%04X", static_cast<uint32_t>(*refused)) : "other text";
    }
    default:
      return ShowValue(value);
  }
}

std::string KeywordOf(const Code& code, const Constraint& constraint) {
  if (constraint.keyword == Keyword::kAdditionalProperties && code.arguments) return "args";
  return std::string(KeywordName(constraint.keyword));
}

}  // namespace tipstaff::schema::internal
