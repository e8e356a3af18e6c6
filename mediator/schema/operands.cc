#include "mediator/schema/operands.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/escape.h"
#include "mediator/schema/numbers.h"
#include "mediator/schema/pattern.h"

namespace tipstaff::schema::internal {
namespace {

// The memory of one expression; larger ones are refused when they are compiled.
constexpr int64_t kMaxPatternMemory = 2 << 20;
constexpr size_t kShownNameColumns = 60;

std::string Quoted(absl::string_view name) {
  return absl::StrCat("`", base::EscapeAndCut(name, kShownNameColumns), "`");
}

}  // namespace

std::string PointerToken(absl::string_view key) {
  return absl::StrReplaceAll(key, {{"~", "~0"}, {"/", "~1"}});
}

Types TypeOf(json::Value value) {
  for (const Types type :
       {kNullType, kBooleanType, kIntegerType, kNumberType, kStringType, kArrayType, kObjectType}) {
    if (IsOfType(value, type)) return type;
  }
  return 0;
}

void Operands::Fail(ProblemKind kind, json::Value at, const std::string& pointer,
                    std::string message) {
  problems_.push_back({.kind = kind, .at = at, .pointer = pointer, .message = std::move(message)});
  if (!IsWarning(problems_.back())) failed_ = true;
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
    case Keyword::kPattern: {
      const size_t before = code_.patterns.size();
      ReadPattern(slot, constraint);
      if (code_.patterns.size() == before) return;
      break;
    }
    case Keyword::kText:
      ReadText(slot, constraint);
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

void Operands::ReadCount(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (value.kind() == json::Kind::kInteger && value.integer() >= 0) {
    constraint.count = static_cast<uint64_t>(value.integer());
  } else {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         absl::StrCat("`", slot.member.key, "` takes a whole number that is not negative"));
  }
}

void Operands::ReadNumber(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_number()) {
    Fail(ProblemKind::kBadValue, value, slot.pointer,
         absl::StrCat("`", slot.member.key, "` takes a number"));
  } else if (constraint.keyword == Keyword::kMultipleOf && value.number() <= 0) {
    Fail(ProblemKind::kBadValue, value, slot.pointer, "`multipleOf` takes a number over 0");
  } else {
    constraint.index = AddConstant(value);
  }
}

void Operands::ReadPattern(const Slot& slot, Constraint& constraint) {
  const json::Value value = slot.member.value;
  if (!value.is_string()) {
    return Fail(ProblemKind::kBadValue, value, slot.pointer,
                "`pattern` takes a regular expression as a string");
  }
  absl::StatusOr<std::string> pattern = ToRe2(value.string());
  std::string problem;
  if (pattern.ok()) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kMaxPatternMemory);
    auto compiled = std::make_unique<re2::RE2>(*pattern, options);
    if (compiled->ok()) {
      constraint.index = static_cast<uint32_t>(code_.patterns.size());
      code_.patterns.push_back(std::move(compiled));
      return;
    }
    problem = compiled->error();
  } else {
    problem = std::string(pattern.status().message());
  }
  if (options_.dialect == Dialect::kTool) {
    code_.unchecked.push_back(slot.pointer);
    return;
  }
  Fail(ProblemKind::kBadPattern, value, slot.pointer,
       absl::StrCat("the pattern cannot be used: ",
                    base::EscapeAndCut(problem, 2 * kShownNameColumns)));
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
  }
}

bool Operands::ReadOptional(const json::Member& argument) {
  const json::Value optional = argument.value.Find("optional");
  if (optional.exists() && !optional.is_bool()) {
    Fail(ProblemKind::kBadValue, optional,
         absl::StrCat("/", PointerToken(argument.key), "/optional"),
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

bool Operands::Finish() {
  absl::StatusOr<json::Document> document = std::move(constants_.EndArray()).Build();
  if (!document.ok()) {
    Fail(ProblemKind::kBadValue, json::Value(), "", std::string(document.status().message()));
    return false;
  }
  code_.constants_owner = *std::move(document);
  for (json::Value value : code_.constants_owner.root().items()) code_.constants.push_back(value);
  return true;
}

}  // namespace tipstaff::schema::internal
