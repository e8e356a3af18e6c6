#include "mediator/schema/compile.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/schema/operands.h"

namespace tipstaff::schema::internal {
namespace {

constexpr Types kHasText = kStringType | kArrayType | kObjectType;

class Compiler {
 public:
  Compiler(const CompileOptions& options, std::vector<Problem>& problems)
      : options_(options), operands_(*code_, options, problems) {}

  std::shared_ptr<const Code> Run(json::Value schema, Root root) && {
    for (const Binding& binding : options_.bindings) code_->binding_names.push_back(binding.name);
    if (root == Root::kArguments) {
      CompileArguments(schema);
    } else {
      CompileSchema(schema, "", options_.own_keyword, json::kMaxDepth);
    }
    if (operands_.failed() || !operands_.Finish()) return nullptr;
    return std::move(code_);
  }

 private:
  bool skill() const { return options_.dialect == Dialect::kSkill; }

  // One schema object while it is compiled.
  struct Draft {
    json::Value schema;
    std::string pointer;
    Types types = kAnyType;
    std::vector<Constraint> constraints;
    json::Value items, properties, others;
    bool open_items = false, open_members = false;  // unsupported keywords may cover them
  };

  uint32_t NewNode() {
    code_->nodes.emplace_back();
    return static_cast<uint32_t>(code_->nodes.size() - 1);
  }

  uint32_t CompileSchema(json::Value schema, const std::string& pointer,
                         absl::string_view own_keyword, int depth) {
    const uint32_t node = NewNode();
    Draft draft{.schema = schema, .pointer = pointer};
    if (depth == 0) {
      operands_.Fail(ProblemKind::kBadValue, schema, pointer, "the schema nests too deep");
    } else if (schema.is_bool()) {
      // `false` is the type that nothing is of.
      if (!schema.boolean()) {
        draft.constraints.push_back(
            {.keyword = Keyword::kType, .types = 0, .origin = schema.index()});
      }
    } else if (!schema.is_object()) {
      operands_.Fail(
          ProblemKind::kBadValue, schema, pointer,
          absl::StrCat("a schema is a mapping of keywords, not ", TypesInWords(TypeOf(schema))));
      return node;
    } else {
      ReadKeywords(draft, own_keyword);
    }
    Write(node, draft, depth);
    return node;
  }

  void ReadKeywords(Draft& draft, absl::string_view own_keyword) {
    if (const json::Value type = draft.schema.Find("type"); type.exists()) {
      draft.types = operands_.ReadTypes(type, absl::StrCat(draft.pointer, "/type"));
      draft.constraints.push_back(
          {.keyword = Keyword::kType, .types = draft.types, .origin = type.index()});
    }
    for (const json::Member& member : draft.schema.members()) {
      if (!own_keyword.empty() && member.key == own_keyword) continue;
      ReadKeyword(draft, member);
    }
    if (skill()) operands_.CheckTogether(draft.schema, draft.pointer, draft.constraints);
  }

  void ReadKeyword(Draft& draft, const json::Member& member) {
    const std::string pointer = absl::StrCat(draft.pointer, "/", PointerToken(member.key));
    const Keyword keyword = FindKeyword(member.key, options_.dialect);
    switch (keyword) {
      case Keyword::kUnknown:
        if (skill()) operands_.UnknownKeyword(member, pointer);
        return;
      case Keyword::kAnnotation:
      case Keyword::kType:
        return;  // read before, as other keywords ask for it
      case Keyword::kUnsupported:
        return Unsupported(draft, member, pointer);
      case Keyword::kItems:
        draft.items = member.value;
        break;
      case Keyword::kProperties:
        draft.properties = member.value;
        break;
      case Keyword::kAdditionalProperties:
        draft.others = member.value;
        break;
      default:
        operands_.Read(keyword, member, pointer, draft.constraints);
    }
    if (skill()) operands_.CheckApplies(keyword, member, draft.schema, draft.types, pointer);
  }

  void Unsupported(Draft& draft, const json::Member& member, const std::string& pointer) {
    if (skill()) {
      return operands_.FailAtKey(ProblemKind::kUnsupportedKeyword, member, pointer,
                                 absl::StrCat("this version does not support `", member.key, "`"));
    }
    code_->unchecked.push_back(pointer);
    if (member.key == "prefixItems") draft.open_items = true;
    if (member.key == "patternProperties") draft.open_members = true;
  }

  // Writes the node and then the nodes of its members and items.
  void Write(uint32_t node, Draft& draft, int depth) {
    if (skill()) AddText(draft);
    const bool closed = draft.others.is_bool() && !draft.others.boolean() && !draft.open_members;
    if (closed) {
      draft.constraints.push_back(
          {.keyword = Keyword::kAdditionalProperties, .origin = draft.others.index()});
    }
    WriteConstraints(node, draft.constraints);
    if (draft.items.exists()) WriteItems(node, draft, depth);
    if (draft.properties.exists()) WriteProperties(node, draft, depth);
    if (draft.others.exists() && !closed) WriteOthers(node, draft, depth);
  }

  void WriteConstraints(uint32_t node, std::vector<Constraint>& constraints) {
    std::stable_sort(
        constraints.begin(), constraints.end(), [this](const Constraint& a, const Constraint& b) {
          if (a.keyword != b.keyword) return a.keyword < b.keyword;
          return a.keyword == Keyword::kRequired && code_->names[a.index] < code_->names[b.index];
        });
    Node& written = code_->nodes[node];
    written.first = static_cast<uint32_t>(code_->constraints.size());
    for (Constraint& constraint : constraints) {
      const uint32_t index = static_cast<uint32_t>(code_->constraints.size());
      if (constraint.keyword == Keyword::kAdditionalProperties) written.closed = index;
      code_->constraints.push_back(std::move(constraint));
    }
    written.last = static_cast<uint32_t>(code_->constraints.size());
  }

  void AddText(Draft& draft) {
    if ((draft.types & kHasText) == 0) return;
    for (const Constraint& constraint : draft.constraints) {
      if (constraint.keyword == Keyword::kText) return;
    }
    draft.constraints.push_back({.keyword = Keyword::kText, .origin = draft.schema.index()});
  }

  void WriteItems(uint32_t node, const Draft& draft, int depth) {
    const std::string pointer = absl::StrCat(draft.pointer, "/items");
    if (!skill() && (draft.items.is_array() || draft.open_items)) {
      code_->unchecked.push_back(pointer);
      return;
    }
    const uint32_t items = CompileSchema(draft.items, pointer, "", depth - 1);
    code_->nodes[node].items = items;
  }

  void WriteProperties(uint32_t node, const Draft& draft, int depth) {
    const std::string pointer = absl::StrCat(draft.pointer, "/properties");
    if (!draft.properties.is_object()) {
      return operands_.Fail(ProblemKind::kBadValue, draft.properties, pointer,
                            "`properties` takes a mapping from names to schemas");
    }
    absl::flat_hash_map<std::string, uint32_t> members;
    for (const json::Member& member : draft.properties.members()) {
      members[std::string(member.key)] = CompileSchema(
          member.value, absl::StrCat(pointer, "/", PointerToken(member.key)), "", depth - 1);
    }
    AddMembers(node, std::move(members));
  }

  void AddMembers(uint32_t node, absl::flat_hash_map<std::string, uint32_t> members) {
    code_->nodes[node].members = static_cast<uint32_t>(code_->members.size());
    code_->members.push_back(std::move(members));
  }

  void WriteOthers(uint32_t node, const Draft& draft, int depth) {
    const std::string pointer = absl::StrCat(draft.pointer, "/additionalProperties");
    if (draft.open_members) {
      code_->unchecked.push_back(pointer);
      return;
    }
    const uint32_t others = CompileSchema(draft.others, pointer, "", depth - 1);
    code_->nodes[node].others = others;
  }

  void CompileArguments(json::Value args) {
    code_->arguments = true;
    const uint32_t node = NewNode();
    if (!args.is_object()) {
      return operands_.Fail(ProblemKind::kBadValue, args, "",
                            "`args` takes a mapping from arguments to schemas");
    }
    std::vector<Constraint> constraints;
    constraints.push_back(
        {.keyword = Keyword::kType, .types = kObjectType, .origin = args.index()});
    constraints.push_back({.keyword = Keyword::kAdditionalProperties, .origin = args.index()});
    for (const json::Member& member : args.members()) {
      if (!operands_.ReadOptional(member)) {
        constraints.push_back({.keyword = Keyword::kRequired,
                               .origin = member.value.index(),
                               .index = operands_.AddName(member.key)});
      }
    }
    WriteConstraints(node, constraints);
    absl::flat_hash_map<std::string, uint32_t> members;
    for (const json::Member& member : args.members()) {
      members[std::string(member.key)] =
          CompileSchema(member.value, absl::StrCat("/", PointerToken(member.key)), "optional",
                        json::kMaxDepth - 1);
    }
    AddMembers(node, std::move(members));
  }

  const CompileOptions& options_;
  std::shared_ptr<Code> code_ = std::make_shared<Code>();
  Operands operands_;
};

}  // namespace

std::shared_ptr<const Code> CompileCode(json::Value schema, Root root,
                                        const CompileOptions& options,
                                        std::vector<Problem>& problems) {
  return Compiler(options, problems).Run(schema, root);
}

}  // namespace tipstaff::schema::internal
