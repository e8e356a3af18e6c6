// Writes Code: a queue of the schemas that are still to be written, each once for each way to it
// that makes a difference.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "mediator/schema/compile.h"
#include "mediator/schema/operands.h"
#include "mediator/schema/resources.h"

namespace tipstaff::schema::internal {

// Schemas in all, with those of other documents and of every set of dynamic anchors.
inline constexpr size_t kMaxNodes = 20'000;
// Different sets of dynamic anchors that are in scope somewhere.
inline constexpr size_t kMaxDynamicSets = 500;

class Compiler {
 public:
  Compiler(const CompileOptions& options, std::vector<Problem>& problems)
      : options_(options), operands_(*code_, options, problems), resources_(options) {}

  std::shared_ptr<const Code> Run(json::Value schema, Root root, absl::string_view argument) &&;

 private:
  // In skills: whether the text of a value that nothing else speaks about is this schema's to
  // check. In place (allOf and so on) it is that of the schema around. A definition is its own, but
  // what refers to it may say of which type it is.
  enum class Role : uint8_t { kOwn, kInPlace, kDefinition };

  struct Request {
    Place place;
    uint32_t anchors = 0;  // of dynamic_
    uint32_t node = 0;
    Role role = Role::kOwn;
    int depth = 0;
    const ForeignPlace* foreign = nullptr;
    // In skills: what the schema around says of types.
    Types types = kAnyType;
    bool fixed = false;
  };

  // One schema object while it is compiled.
  struct Reading {
    const Request& request;
    json::Value schema;
    Language language;
    Types types = kAnyType;
    std::vector<Constraint> constraints;
    std::vector<std::pair<Keyword, json::Member>> parts;  // that hold schemas
    bool open_members = false;  // a pattern that cannot be used may cover any member

    json::Value Part(Keyword keyword) const;
    std::string PointerOf(absl::string_view keyword) const;
  };

  bool skill() const { return options_.dialect == Dialect::kSkill; }

  void AddRoot(json::Value schema, const std::string& pointer);
  void CompileArguments(json::Value args);
  void AddArguments(const std::vector<json::Member>& args, uint32_t origin);
  void DrainQueue();
  void Compile(const Request& request);
  void ReadKeywords(Reading& reading);
  void ReadKeyword(Reading& reading, const json::Member& member);
  void AskForText(Reading& reading);
  void ReadCore(const Reading& reading, Keyword keyword, const json::Member& member,
                const std::string& pointer);
  void CheckCompany(const Reading& reading);
  bool IsOwnKeyword(const Reading& reading, absl::string_view key) const;

  // Nodes (compile_nodes.cc).
  uint32_t NewNode();
  // The node of a schema; asks for it to be written when it is new.
  uint32_t Want(Request request);
  uint32_t WantPart(const Reading& reading, json::Value schema, const std::string& pointer,
                    Role role = Role::kOwn);
  // Goes through schemas that are nothing but a `$ref`. False after a problem.
  void CheckAnnotations(const Request& request);
  bool SkipReferences(Request& request);
  bool IsMereReference(const Request& request) const;
  // What a `$ref` or `$dynamicRef` leads to, nothing after a problem.
  bool Follow(json::Value reference, const std::string& pointer, bool dynamic, Request& request);
  uint32_t EnterResource(uint32_t anchors, uint32_t resource);

  // Writing (compile_members.cc, compile_in_place.cc).
  void Write(Reading& reading);
  void WriteConstraints(uint32_t node, std::vector<Constraint>& constraints);
  uint32_t AddConstraint(const Reading& reading, Constraint constraint);
  void AddText(Reading& reading);
  void WritePatterns(Reading& reading);
  void WriteItems(const Reading& reading);
  void WritePrefix(const Reading& reading, json::Value schemas, const std::string& pointer);
  void WriteProperties(const Reading& reading);
  void WriteOthers(const Reading& reading, bool closed);
  void WriteContains(const Reading& reading);
  void WriteUnevaluated(const Reading& reading);
  void WriteDefinitions(const Reading& reading);
  void AddMembers(uint32_t node, Members members);
  void WriteInPlace(const Reading& reading);
  void WriteGroup(const Reading& reading, Keyword keyword, Applicator::Kind kind);
  void WriteNot(const Reading& reading);
  void WriteIf(const Reading& reading);
  void WriteDependent(const Reading& reading, Keyword keyword);
  void WriteReference(const Reading& reading, Keyword keyword);
  Applicator& AddApplicator(Applicator::Kind kind, const std::vector<uint32_t>& branches);
  void Finish();

  const CompileOptions& options_;
  std::shared_ptr<Code> code_ = std::make_shared<Code>();
  Operands operands_;
  Resources resources_;
  std::deque<Request> queue_;
  // Document, index in it, anchors, and in skills what Request says of role and types -> node.
  using NodeKey = std::tuple<uint32_t, uint32_t, uint32_t, Role, Types, bool>;
  NodeKey KeyOf(const Request& request) const;
  absl::flat_hash_map<NodeKey, uint32_t> nodes_;
  absl::flat_hash_set<uint32_t> roots_;  // json indexes of the schemas with an own keyword
  Types root_types_ = kAnyType;          // what values of the roots are, whatever their schemas say
  absl::string_view own_keyword_;
  // Sets of `$dynamicAnchor`s in scope, by name; 0 is empty.
  std::vector<std::vector<std::pair<std::string, Place>>> dynamic_ = {{}};
  std::deque<ForeignPlace> foreign_;
  absl::flat_hash_set<uint32_t> unchecked_nodes_;
  struct Where {
    std::string pointer;
    const ForeignPlace* foreign = nullptr;
  };
  std::vector<Where> where_;  // by node
  struct Site {
    json::Value at;
    std::string pointer;
    const ForeignPlace* foreign;
  };
  // The `$ref`s by which one node applies another to the same value.
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, Site> references_;
  json::Value root_;
};

}  // namespace tipstaff::schema::internal
