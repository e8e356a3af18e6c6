// Values that a schema may be satisfied by, made by guessing from its keywords, and values that
// differ from those in one thing.
#pragma once

#include <vector>

#include "tests/differential/dice.h"
#include "tests/differential/tree.h"

namespace tipstaff::differential {

class ValueMaker {
 public:
  // Of one argument. `bindings`: what they stand for; neither is copied.
  ValueMaker(Dice& dice, const Tree& schema, const Tree& bindings)
      : dice_(dice), root_(schema), bindings_(bindings) {}

  Tree Make() { return Make(root_, 4); }

 private:
  // Schemas that the same value should satisfy.
  using Schemas = std::vector<const Tree*>;

  Tree Make(const Tree& schema, int depth);
  void Collect(const Tree& schema, int hops, Schemas& all);
  const Tree* Target(const std::string& reference) const;
  // The operand of a word that one of them has.
  const Tree* Operand(const Schemas& all, const char* word) const;
  int64_t Limit(const Schemas& all, const char* word, int64_t otherwise) const;
  bool PickListed(const Schemas& all, Tree& value);
  const Tree& Bound(const Tree& operand) const;
  std::string TypeOf(const Schemas& all);
  Tree MakeNumber(const Schemas& all, bool whole);
  Tree MakeString(const Schemas& all);
  std::string MakeUrl(const Tree& url);
  // An entry of one of its lists, or what it stands for.
  std::string PickEntry(const Tree& url, const char* list, const char* otherwise);
  Tree MakeArray(const Schemas& all, int depth);
  Tree MakeObject(const Schemas& all, int depth);

  Dice& dice_;
  const Tree& root_;
  const Tree& bindings_;
};

Tree AnyValue(Dice& dice, int depth);
// Changes one thing somewhere in it.
void ChangeOneThing(Tree& value, Dice& dice);

}  // namespace tipstaff::differential
