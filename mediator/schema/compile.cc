#include "mediator/schema/compile.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/pointer.h"
#include "mediator/schema/analyze.h"
#include "mediator/schema/compiler.h"

namespace tipstaff::schema::internal {

json::Value Compiler::Reading::Part(Keyword keyword) const {
  for (const auto& [part, member] : parts) {
    if (part == keyword) return member.value;
  }
  return json::Value();
}

std::string Compiler::Reading::PointerOf(absl::string_view keyword) const {
  return absl::StrCat(request.place.pointer, "/", json::PointerToken(keyword));
}

std::shared_ptr<const Code> Compiler::Run(json::Value schema, Root root,
                                          absl::string_view argument) && {
  root_ = schema;
  code_->origin = schema.index();
  for (const Binding& binding : options_.bindings) code_->binding_names.push_back(binding.name);
  if (root == Root::kArguments) {
    own_keyword_ = "optional";
    CompileArguments(schema);
  } else if (root == Root::kOneArgument) {
    root_types_ = kStringType;
    AddArguments({{argument, schema}}, schema.index());
  } else {
    own_keyword_ = options_.own_keyword;
    AddRoot(schema, "");
  }
  for (const ScanProblem& problem : resources_.problems()) {
    if (problem.document == 0) {
      operands_.Fail(ProblemKind::kBadValue, problem.at, problem.pointer, problem.message);
    }
  }
  DrainQueue();
  operands_.SpeakOf(nullptr);
  if (!operands_.failed()) Finish();
  if (operands_.failed() || !operands_.Finish()) return nullptr;
  return std::move(code_);
}

void Compiler::AddRoot(json::Value schema, const std::string& pointer) {
  const uint32_t resource = resources_.AddRoot(schema, pointer);
  roots_.insert(schema.index());
  Request request{.place = {resource, schema, pointer},
                  .anchors = EnterResource(0, resource),
                  .depth = json::kMaxDepth,
                  .types = root_types_,
                  .fixed = root_types_ != kAnyType};
  request.node = NewNode();
  where_[request.node].pointer = pointer;
  nodes_[KeyOf(request)] = request.node;
  queue_.push_back(std::move(request));
}

void Compiler::DrainQueue() {
  while (!queue_.empty()) {
    if (code_->nodes.size() > kMaxNodes || dynamic_.size() > kMaxDynamicSets) {
      operands_.SpeakOf(nullptr);
      return operands_.Fail(
          ProblemKind::kBadValue, root_, "",
          code_->nodes.size() > kMaxNodes
              ? absl::StrCat("more than ", kMaxNodes, " schemas, with what it refers to")
              : absl::StrCat("more than ", kMaxDynamicSets,
                             " sets of `$dynamicAnchor`s are in scope somewhere"));
    }
    const Request request = std::move(queue_.front());
    queue_.pop_front();
    operands_.SpeakOf(request.foreign);
    const size_t before = operands_.not_checked();
    Compile(request);
    if (operands_.not_checked() != before) unchecked_nodes_.insert(request.node);
  }
}

void Compiler::Compile(const Request& request) {
  const json::Value schema = request.place.schema;
  const Resource& resource = resources_.at(request.place.resource);
  Reading reading{
      .request = request, .schema = schema, .language = resource.language, .types = request.types};
  if (request.depth == 0) {
    operands_.Fail(ProblemKind::kBadValue, schema, request.place.pointer,
                   "the schema nests too deep");
  } else if (schema.is_bool()) {
    // `false` is the type that nothing is of.
    if (!schema.boolean()) {
      reading.constraints.push_back(
          {.keyword = Keyword::kType, .types = 0, .origin = schema.index()});
    }
  } else if (!schema.is_object()) {
    operands_.Fail(
        ProblemKind::kBadValue, schema, request.place.pointer,
        absl::StrCat("a schema is a mapping of keywords, not ", TypesInWords(TypeOf(schema))));
    if (schema.is_string() && FindType(schema.string()) != 0) {
      operands_.Help(absl::StrCat("write `{type: ", schema.string(), "}`"));
    }
    return;
  } else if (!resource.known && !skill()) {
    return operands_.NotChecked(absl::StrCat(resource.pointer, "/$schema"));
  } else {
    ReadKeywords(reading);
  }
  if (root_types_ != kAnyType && roots_.contains(schema.index())) {
    reading.constraints.push_back(
        {.keyword = Keyword::kType, .types = root_types_, .origin = schema.index()});
  }
  Write(reading);
}

bool Compiler::IsOwnKeyword(const Reading& reading, absl::string_view key) const {
  return key == own_keyword_ && !key.empty() && reading.request.foreign == nullptr &&
         roots_.contains(reading.schema.index());
}

void Compiler::ReadKeywords(Reading& reading) {
  const json::Value reference = reading.schema.Find("$ref");
  // In draft 7 a reference hides what stands beside it. Skills are not written in it.
  if (!skill() && reading.language.draft == Draft::k7 && reference.is_string()) {
    reading.parts.push_back({Keyword::kRef, {"$ref", reference}});
    return;
  }
  const json::Value type = reading.schema.Find("type");
  if (type.exists() && FindKeyword("type", reading.language) == Keyword::kType) {
    const Types types = operands_.ReadTypes(type, reading.PointerOf("type"));
    reading.constraints.push_back(
        {.keyword = Keyword::kType, .types = types, .origin = type.index()});
    if ((reading.types & root_types_) != 0 && (types & root_types_) == 0) {
      operands_.Fail(ProblemKind::kNeverApplies, type, reading.PointerOf("type"),
                     absl::StrCat("the value is ", TypesInWords(root_types_)));
    }
    reading.types &= types;
  }
  for (const json::Member& member : reading.schema.members()) {
    if (!IsOwnKeyword(reading, member.key)) ReadKeyword(reading, member);
  }
  if (options_.denies) AskForText(reading);
  if (!skill()) return;
  operands_.CheckTogether(reading.schema, reading.request.place.pointer, reading.constraints);
  CheckCompany(reading);
}

// `not: {emailDomain: ...}` denies what is no text, too.
void Compiler::AskForText(Reading& reading) {
  for (const json::Member& member : reading.schema.members()) {
    if (!ReadsStrictly(FindKeyword(member.key, reading.language))) continue;
    reading.constraints.push_back(
        {.keyword = Keyword::kType, .types = kStringType, .origin = member.value.index()});
    return;
  }
}

void Compiler::ReadKeyword(Reading& reading, const json::Member& member) {
  const std::string pointer = reading.PointerOf(member.key);
  const Keyword keyword = FindKeyword(member.key, reading.language);
  switch (keyword) {
    case Keyword::kUnknown:
      if (skill()) operands_.UnknownKeyword(member, pointer);
      return;
    case Keyword::kAnnotation:
      if (skill()) operands_.CheckAnnotation(member, pointer);
      return;
    case Keyword::kType:
      return;  // read before, as other keywords ask for it
    case Keyword::kUnsupported:
      return operands_.NotChecked(pointer);  // in no skill
    case Keyword::kAnchor:
    case Keyword::kDynamicAnchor:
    case Keyword::kId:
    case Keyword::kSchema:
      return ReadCore(reading, keyword, member, pointer);
    case Keyword::kFormat:
      if (!resources_.at(reading.request.place.resource).asserts_formats) return;
      operands_.Read(keyword, member, pointer, reading.constraints);
      break;
    case Keyword::kDependencies:
      operands_.Read(keyword, member, pointer, reading.constraints);
      reading.parts.push_back({keyword, member});
      break;
    case Keyword::kAdditionalProperties:
    case Keyword::kItems:
    case Keyword::kProperties:
      reading.parts.push_back({keyword, member});
      break;
    default:
      if (keyword >= Keyword::kAdditionalItems || keyword == Keyword::kDefinitions) {
        reading.parts.push_back({keyword, member});
      } else {
        operands_.Read(keyword, member, pointer, reading.constraints);
      }
  }
  if (skill()) {
    operands_.CheckApplies(keyword, member, reading.schema, reading.types, reading.request.fixed,
                           pointer);
  }
}

void Compiler::ReadCore(const Reading& reading, Keyword keyword, const json::Member& member,
                        const std::string& pointer) {
  if (!member.value.is_string()) {
    return operands_.Fail(ProblemKind::kBadValue, member.value, pointer,
                          absl::StrCat("`", member.key, "` takes a string"));
  }
  if (keyword != Keyword::kSchema || !skill()) return;
  const Resource& resource = resources_.at(reading.request.place.resource);
  if (resource.known && resource.language.draft == Draft::k2020) return;
  operands_.Fail(ProblemKind::kBadValue, member.value, pointer,
                 "skills are written in JSON Schema 2020-12: leave `$schema` out");
}

// Keywords that say nothing without another one.
void Compiler::CheckCompany(const Reading& reading) {
  const struct {
    Keyword keyword, first, second;
    const char* needs;
  } kNeeds[] = {
      {Keyword::kThen, Keyword::kIf, Keyword::kIf, "`if`"},
      {Keyword::kElse, Keyword::kIf, Keyword::kIf, "`if`"},
      {Keyword::kIf, Keyword::kThen, Keyword::kElse, "`then` or `else`"},
      {Keyword::kMinContains, Keyword::kContains, Keyword::kContains, "`contains`"},
      {Keyword::kMaxContains, Keyword::kContains, Keyword::kContains, "`contains`"},
  };
  for (const auto& row : kNeeds) {
    if (reading.Part(row.first).exists() || reading.Part(row.second).exists()) continue;
    for (const auto& [keyword, member] : reading.parts) {
      if (keyword != row.keyword) continue;
      operands_.FailAtKey(ProblemKind::kNeverApplies, member, reading.PointerOf(member.key),
                          absl::StrCat("`", member.key, "` says nothing without ", row.needs));
    }
  }
}

std::shared_ptr<const Code> CompileCode(json::Value schema, Root root,
                                        const CompileOptions& options,
                                        std::vector<Problem>& problems,
                                        absl::string_view argument) {
  return Compiler(options, problems).Run(schema, root, argument);
}

}  // namespace tipstaff::schema::internal
