#include "mediator/schema/operands.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/escape.h"
#include "mediator/json/pointer.h"
#include "mediator/schema/format.h"
#include "mediator/schema/lists.h"
#include "mediator/schema/numbers.h"
#include "mediator/schema/pattern.h"
#include "mediator/schema/references.h"

namespace tipstaff::schema::internal {
namespace {

// The memory of one expression; larger ones are refused when they are compiled.
constexpr int64_t kMaxPatternMemory = 2 << 20;
constexpr size_t kShownNameColumns = 60;

std::string Quoted(absl::string_view name) {
  return absl::StrCat("`", base::EscapeAndCut(name, kShownNameColumns), "`");
}

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Format::kRegex); ++i) {
    names.emplace_back(FormatName(static_cast<Format>(i)));
  }
  return names;
}

}  // namespace

Types TypeOf(json::Value value) {
  for (const Types type :
       {kNullType, kBooleanType, kIntegerType, kNumberType, kStringType, kArrayType, kObjectType}) {
    if (IsOfType(value, type)) return type;
  }
  return 0;
}

void Operands::Fail(ProblemKind kind, json::Value at, const std::string& pointer,
                    std::string message) {
  Problem problem{.kind = kind, .at = at, .pointer = pointer, .message = std::move(message)};
  if (foreign_ != nullptr) {
    problem.at = foreign_->at;
    problem.message =
        absl::StrCat("in ", Quoted(foreign_->uri), " at `", pointer, "`: ", problem.message);
    problem.pointer = foreign_->pointer;
  }
  if (!IsWarning(problem)) failed_ = true;
  // A schema may be compiled once for each way that leads to it.
  const bool again = !said_
                          .insert(absl::StrCat("p", static_cast<int>(kind), " ", problem.at.index(),
                                               " ", problem.message))
                          .second;
  if (!again) problems_.push_back(std::move(problem));
}

void Operands::NotChecked(const std::string& pointer) {
  ++not_checked_;
  const std::string& shown = foreign_ == nullptr ? pointer : foreign_->pointer;
  if (said_.insert(absl::StrCat("u", shown)).second) code_.unchecked.push_back(shown);
}

void Operands::FailAtKey(ProblemKind kind, const json::Member& member, const std::string& pointer,
                         std::string message) {
  Fail(kind, member.value, pointer, std::move(message));
  problems_.back().at_key = true;
}

void Operands::UnknownKeyword(const json::Member& member, const std::string& pointer) {
  FailAtKey(ProblemKind::kUnknownKeyword, member, pointer,
            absl::StrCat("unknown keyword ", Quoted(member.key)));
  problems_.back().wrong = std::string(member.key);
  problems_.back().candidates = KnownKeywords(options_.dialect);
}

void Operands::Read(Keyword keyword, const json::Member& member, const std::string& pointer,
                    std::vector<Constraint>& constraints) {
  const Slot slot{member, pointer};
  Constraint constraint{.keyword = keyword, .origin = member.value.index()};
  switch (keyword) {
    case Keyword::kRequired:
      return ReadRequired(slot, constraints);
    case Keyword::kConst:
    case Keyword::kEnum:
      ReadLiterals(slot, constraint);
      break;
    case Keyword::kEquals:
    case Keyword::kIn:
      ReadScope(slot, constraint);
      break;
    case Keyword::kEmail:
    case Keyword::kEmailDomain:
      ReadScope(slot, constraint);
      CheckAddresses(slot, keyword);
      break;
    case Keyword::kDependentRequired:
    case Keyword::kDependencies:
      return ReadDependent(slot, constraints);
    case Keyword::kPattern:
      if (!ReadPattern(slot, constraint)) return;
      break;
    case Keyword::kFormat:
      if (!ReadFormat(slot, constraint)) return;
      break;
    case Keyword::kText:
      ReadText(slot, constraint);
      break;
    case Keyword::kPath:
      ReadPath(slot, constraint);
      break;
    case Keyword::kUrl:
      ReadUrl(slot, constraint);
      break;
    case Keyword::kPlain:
      ReadPlain(slot);
      break;
    case Keyword::kUniqueItems:
      if (!member.value.is_bool()) {
        Fail(ProblemKind::kBadValue, member.value, pointer, "`uniqueItems` takes true or false");
      } else if (!member.value.boolean()) {
        return;
      }
      break;
    case Keyword::kMinimum:
    case Keyword::kMaximum:
    case Keyword::kExclusiveMinimum:
    case Keyword::kExclusiveMaximum:
    case Keyword::kMultipleOf:
      ReadNumber(slot, constraint);
      break;
    default:
      ReadCount(slot, constraint);
  }
  constraints.push_back(std::move(constraint));
}

Types Operands::ReadTypes(json::Value value, const std::string& pointer) {
  Types types = 0;
  const auto add = [&](json::Value name) {
    const Types type = name.is_string() ? FindType(name.string()) : 0;
    if (type == 0) {
      Fail(ProblemKind::kBadValue, name, pointer,
           absl::StrCat("unknown type", name.is_string() ? " " : "",
                        name.is_string() ? Quoted(name.string()) : "",
                        ": use string, integer, number, boolean, array, object or null"));
    }
    types |= type;
  };
  if (value.is_array()) {
    for (json::Value name : value.items()) add(name);
    if (value.size() == 0) {
      Fail(ProblemKind::kBadValue, value, pointer, "`type` takes a name or a list of names");
    }
  } else {
    add(value);
  }
  return types == 0 ? kAnyType : types;
}

void Operands::CheckAnnotation(const json::Member& member, const std::string& pointer) {
  const json::Value value = member.value;
  const auto fail = [&](const char* takes) {
    Fail(ProblemKind::kBadValue, value, pointer, absl::StrCat("`", member.key, "` takes ", takes));
  };
  if (member.key == "deprecated" || member.key == "sensitive") {
    if (!value.is_bool()) fail("true or false");
  } else if (member.key == "examples") {
    if (!value.is_array()) fail("a list");
  } else if (!value.is_string()) {
    fail("a string");
  }
}

void Operands::HelpWithReference(json::Value value) {
  if (ReadOperand(value).kind != Operand::Kind::kReference) return;
  Help("a binding stands only in `equals`, `in`, `email`, `emailDomain` and `url`");
}

void Operands::ReadCount(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (value.kind() == json::Kind::kInteger && value.integer() >= 0) {
    constraint.count = static_cast<uint64_t>(value.integer());
  } else {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         absl::StrCat("`", slot.member.key, "` takes a whole number that is not negative"));
    HelpWithReference(value);
  }
}

void Operands::ReadNumber(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_number()) {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         absl::StrCat("`", slot.member.key, "` takes a number"));
    HelpWithReference(value);
  } else if (constraint.keyword == Keyword::kMultipleOf && value.number() <= 0) {
    Fail(ProblemKind::kBadValue, value, slot.pointer, "`multipleOf` takes a number over 0");
  } else {
    constraint.index = AddConstant(value);
  }
}

bool Operands::ReadPattern(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_string()) {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         "`pattern` takes a regular expression as a string");
    return false;
  }
  constraint.index = CompilePattern(value.string(), value, slot.pointer);
  return constraint.index != kNone;
}

uint32_t Operands::CompilePattern(absl::string_view pattern, json::Value at,
                                  const std::string& pointer) {
  absl::StatusOr<std::string> translated = ToRe2(pattern);
  std::string problem;
  if (translated.ok()) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kMaxPatternMemory);
    auto compiled = std::make_unique<re2::RE2>(*translated, options);
    if (compiled->ok()) {
      code_.patterns.push_back(std::move(compiled));
      return static_cast<uint32_t>(code_.patterns.size() - 1);
    }
    problem = compiled->error_code() == re2::RE2::ErrorRepeatSize
                  ? "repeats over 1000 are not supported, and `{a,b}` needs a at most b"
                  : compiled->error();
  } else {
    problem = std::string(translated.status().message());
  }
  if (options_.dialect == Dialect::kTool) {
    NotChecked(pointer);
  } else {
    Fail(ProblemKind::kBadPattern, at, pointer,
         absl::StrCat("the pattern cannot be used: ",
                      base::EscapeAndCut(problem, 2 * kShownNameColumns)));
  }
  return kNone;
}

bool Operands::ReadFormat(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_string()) {
    Fail(ProblemKind::kBadValue, value, slot.pointer, "`format` takes the name of a format");
    return false;
  }
  const std::optional<Format> format = FindFormat(value.string());
  if (format.has_value()) {
    constraint.index = static_cast<uint32_t>(*format);
    return true;
  }
  if (options_.dialect == Dialect::kTool) {
    NotChecked(slot.pointer);
  } else {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         absl::StrCat("unknown format ", Quoted(value.string())));
    problems_.back().wrong = std::string(value.string());
    problems_.back().candidates = FormatNames();
  }
  return false;
}

uint32_t Operands::AddName(absl::string_view name) {
  code_.names.emplace_back(name.data(), name.size());
  return static_cast<uint32_t>(code_.names.size() - 1);
}

void Operands::ReadRequired(const Slot& slot, std::vector<Constraint>& constraints) {
  const json::Value value = slot.member.value;
  bool good = value.is_array();
  for (json::Value name : value.items()) {
    good = good && name.is_string();
    if (good) {
      constraints.push_back(
          {.keyword = Keyword::kRequired, .origin = name.index(), .index = AddName(name.string())});
    }
  }
  if (!good) {
    Fail(ProblemKind::kBadValue, value, slot.pointer, "`required` takes a list of member names");
    if (value.is_bool()) Help("an argument is required unless it says `optional: true`");
  }
}

// Lists of names are read here; of draft 7's `dependencies` the rest are schemas.
void Operands::ReadDependent(const Slot& slot, std::vector<Constraint>& constraints) {
  const Keyword keyword =
      FindKeyword(slot.member.key, {.draft = Draft::k7}) == Keyword::kDependencies
          ? Keyword::kDependencies
          : Keyword::kDependentRequired;
  bool good = slot.member.value.is_object();
  for (const json::Member& member : slot.member.value.members()) {
    if (keyword == Keyword::kDependencies && !member.value.is_array()) continue;
    good = good && member.value.is_array();
    for (json::Value name : member.value.items()) {
      good = good && name.is_string();
      if (!good) break;
      constraints.push_back({.keyword = keyword,
                             .origin = name.index(),
                             .count = AddName(member.key),
                             .index = AddName(name.string())});
    }
  }
  if (!good) {
    Fail(ProblemKind::kBadValue, slot.member.value, slot.pointer,
         absl::StrCat("`", slot.member.key, "` takes a mapping from names to lists of names"));
  }
}

bool Operands::ReadOptional(const json::Member& argument) {
  const json::Value optional = argument.value.Find("optional");
  if (optional.exists() && !optional.is_bool()) {
    Fail(ProblemKind::kBadValue, optional,
         absl::StrCat("/", json::PointerToken(argument.key), "/optional"),
         "`optional` takes true or false");
  }
  return optional.is_bool() && optional.boolean();
}

void Operands::ReadText(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  const auto mode = value.is_string() ? ParseTextMode(value.string()) : std::nullopt;
  if (mode.has_value()) {
    constraint.text = *mode;
  } else {
    Fail(ProblemKind::kBadValue, value, slot.pointer, "`text` takes line, lines or any");
  }
}

uint32_t Operands::AddConstant(json::Value value) {
  constants_.Copy(value);
  return constant_count_++;
}

void Operands::HashConstants(Constraint& constraint) {
  if (!ListsValues(constraint.keyword)) return;
  std::vector<json::Value> values;
  for (const Candidate& candidate : constraint.candidates) {
    if (candidate.constant != kNone) values.push_back(code_.constants[candidate.constant]);
  }
  if (values.empty() || !IsHashed(constraint.keyword, values.size())) return;
  constraint.listed = static_cast<uint32_t>(code_.listed.size());
  absl::flat_hash_set<std::string>& forms = code_.listed.emplace_back();
  for (json::Value value : values) {
    if (auto form = ListedForm(constraint.keyword, value)) forms.insert(*std::move(form));
  }
}

bool Operands::Finish() {
  absl::StatusOr<json::Document> document = std::move(constants_.EndArray()).Build();
  if (!document.ok()) {
    Fail(ProblemKind::kBadValue, json::Value(), "", std::string(document.status().message()));
    return false;
  }
  code_.constants_owner = *std::move(document);
  for (json::Value value : code_.constants_owner.root().items()) code_.constants.push_back(value);
  for (Constraint& constraint : code_.constraints) HashConstants(constraint);
  return true;
}

}  // namespace tipstaff::schema::internal
