// Random schemas for arguments, with every keyword that a skill may use. Most are ones that a skill
// is loaded with, and that some value satisfies.
#pragma once

#include <string>
#include <vector>

#include "tests/differential/dice.h"
#include "tests/differential/tree.h"

namespace tipstaff::differential {

class SchemaMaker {
 public:
  // `bindings`: those that the skill declares.
  SchemaMaker(Dice& dice, std::vector<std::string> bindings)
      : dice_(dice), bindings_(std::move(bindings)) {}

  // Of one argument.
  Tree Argument();
  // Of a text.
  Tree Uri() { return dice_.Chance(90) ? OfType("string", 2) : Argument(); }

 private:
  bool Has(const std::string& binding) const;
  std::string AnyType();
  Tree Any(int depth);
  Tree OfType(const std::string& type, int depth);
  Tree Literal(const std::string& type);
  void AddNumber(Tree& schema, const std::string& type);
  void AddString(Tree& schema);
  void AddNarrowString(Tree& schema);
  void AddPath(Tree& schema);
  void AddUrl(Tree& schema);
  // Puts the list of that name into a `url`, or a binding in its place or into it.
  void AddUrlList(Tree& rule, const char* name, Tree literal);
  void AddArray(Tree& schema, int depth);
  void AddObject(Tree& schema, int depth);
  void AddDependent(Tree& schema, int depth);
  void AddListed(Tree& schema, const std::string& type);
  void AddInPlace(Tree& schema, const std::string& type, int depth);
  void AddReference(Tree& schema, const std::string& type);
  void AddNotes(Tree& schema);
  void AddDefinitions(Tree& schema);
  Tree Dynamic();

  Dice& dice_;
  const std::vector<std::string> bindings_;
  // Of the argument that is being made: the types of `$defs/s0`, `$defs/s1` and so on.
  std::vector<std::string> definitions_;
};

}  // namespace tipstaff::differential
