// Reads what stands behind the keywords of one schema object, and says what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "mediator/json/builder.h"
#include "mediator/schema/code.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema::internal {
// The type of a value, as one bit.
Types TypeOf(json::Value value);

// A `$ref` of the caller's schema that led to another document.
struct ForeignPlace {
  json::Value at;
  std::string pointer;
  std::string uri;
};

// Adds to `code` and `problems`, which have to outlive it.
class Operands {
 public:
  Operands(Code& code, const CompileOptions& options, std::vector<Problem>& problems)
      : code_(code), options_(options), problems_(problems), constants_(/*max_depth=*/64) {
    constants_.StartArray();
  }

  // Reads one keyword (not `type`, and none that holds schemas) and adds its constraints.
  void Read(Keyword keyword, const json::Member& member, const std::string& pointer,
            std::vector<Constraint>& constraints);
  // The value of `type`; kAnyType after a problem.
  Types ReadTypes(json::Value value, const std::string& pointer);
  // An argument's `optional`.
  bool ReadOptional(const json::Member& argument);
  uint32_t AddName(absl::string_view name);

  // Whether the keyword says something about values of `types` (of the schema around it).
  // `fixed`: something else says of which types a value is.
  void CheckApplies(Keyword keyword, const json::Member& member, json::Value schema, Types types,
                    bool fixed, const std::string& pointer);
  // Whether anything can pass what the keywords of `schema` say together.
  void CheckTogether(json::Value schema, const std::string& pointer,
                     const std::vector<Constraint>& constraints);

  // A keyword's pattern: of Code::patterns, kNone when it cannot be used, which was then reported.
  uint32_t CompilePattern(absl::string_view pattern, json::Value at, const std::string& pointer);
  // kTool: what stands at `pointer` is not checked.
  void NotChecked(const std::string& pointer);
  size_t not_checked() const { return not_checked_; }  // calls of it

  // Where problems and failures are said to be from now on; nullptr: where they are. A schema of
  // another document has no place in the caller's but the `$ref` that led to it.
  void SpeakOf(const ForeignPlace* foreign) { foreign_ = foreign; }

  void UnknownKeyword(const json::Member& member, const std::string& pointer);
  void Fail(ProblemKind kind, json::Value at, const std::string& pointer, std::string message);
  void FailAtKey(ProblemKind kind, const json::Member& member, const std::string& pointer,
                 std::string message);
  void Fail(ProblemKind kind, const json::Member& member, const std::string& pointer,
            std::string message) {
    Fail(kind, member.value, pointer, std::move(message));
  }
  // What to write instead, of the problem that was found last.
  void Help(std::string help) { problems_.back().help = std::move(help); }
  // Of a skill: an annotation of the wrong kind is a mistake, though it says nothing about values.
  void CheckAnnotation(const json::Member& member, const std::string& pointer);
  bool failed() const { return failed_; }
  // Moves the constants into the code; once, at the end.
  bool Finish();

 private:
  struct Slot {
    const json::Member& member;
    const std::string& pointer;
  };

  void ReadCount(const Slot& slot, Constraint& constraint);
  void ReadNumber(const Slot& slot, Constraint& constraint);
  bool ReadPattern(const Slot& slot, Constraint& constraint);
  bool ReadFormat(const Slot& slot, Constraint& constraint);
  void ReadDependent(const Slot& slot, std::vector<Constraint>& constraints);
  void ReadRequired(const Slot& slot, std::vector<Constraint>& constraints);
  void ReadText(const Slot& slot, Constraint& constraint);
  void ReadPath(const Slot& slot, Constraint& constraint);
  void ReadUrl(const Slot& slot, Constraint& constraint);
  void ReadUrlList(const Slot& slot, const json::Member& member, UrlList list, UrlOperand& url);
  void ReadUrlEntry(const Slot& slot, json::Value entry, UrlList list, bool spread,
                    UrlOperand& url);
  void ReadPlain(const Slot& slot);
  std::vector<std::string> ReadTexts(const Slot& slot, json::Value list, absl::string_view key);
  void ReadLiterals(const Slot& slot, Constraint& constraint);
  void ReadScope(const Slot& slot, Constraint& constraint);
  // Of `email` and `emailDomain`: whether what is written there is what they list.
  void CheckAddresses(const Slot& slot, Keyword keyword);
  void HelpWithReference(json::Value value);
  void HelpWithBinding(absl::string_view name);
  void AddCandidate(const Slot& slot, json::Value value, Constraint& constraint);
  // The binding that is referred to, kNone for a literal; nothing after a problem.
  std::optional<uint32_t> ReadReference(const Slot& slot, json::Value value);
  // Whether a reference to stand for a whole list is to one.
  void CheckIsList(const Slot& slot, Keyword keyword, json::Value reference);
  uint32_t FindBindingNumber(json::Value at, const std::string& pointer, absl::string_view name);
  void RefuseReferences(const Slot& slot);
  uint32_t AddConstant(json::Value value);
  void HashConstants(Constraint& constraint);
  void Contradiction(json::Value schema, const std::string& pointer, const char* low,
                     const char* high, bool equal_is_one);

  Code& code_;
  const CompileOptions& options_;
  std::vector<Problem>& problems_;
  json::Builder constants_;
  uint32_t constant_count_ = 0;
  bool failed_ = false;
  size_t not_checked_ = 0;
  const ForeignPlace* foreign_ = nullptr;
  absl::flat_hash_set<std::string> said_;  // problems and what is not checked, each once
};

}  // namespace tipstaff::schema::internal
