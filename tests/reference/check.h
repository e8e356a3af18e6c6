// Whether a value satisfies a schema: a walk over both, written from JSON Schema 2020-12 (core and
// validation) and docs/keywords.md, with no compilation and no cleverness. For tests: it recurses,
// looks at everything, and takes time that is exponential in the worst case.
//
// The schema is one that a skill may have (or, with `standard`, any that refers to nothing outside
// itself): it is not checked here.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "mediator/json/document.h"
#include "tests/reference/counters.h"
#include "tests/reference/names.h"
#include "tests/reference/tally.h"

namespace tipstaff::reference {

struct Rules {
  json::Value bindings;         // an object: what `$name` stands for
  std::set<std::string> scope;  // names of bindings
  // JSON Schema alone: no `text: line` by default, `format` says nothing.
  bool standard = false;
  // What a deny rule asks: no text is refused by default, and arguments that are not listed may be
  // there.
  bool denies = false;
  Counters* counters = nullptr;  // null: nobody counts
};

// What a schema says of one value.
struct Finding {
  Tally tally;
  std::set<uint32_t> seen;      // members and items that a schema was applied to: index()
  std::set<uint32_t> named;     // members that `properties` lists
  bool speaks_of_text = false;  // a schema that passed has `text`
};

class Checker {
 public:
  // Neither `schema`'s document nor `rules` are copied.
  Checker(json::Value schema, const Rules& rules)
      : names_(schema), schema_(schema), rules_(rules) {}

  Tally Check(json::Value value, size_t depth) const;

 private:
  struct Context {
    size_t depth = 0;                      // of the value
    bool conditional = false;              // a schema around may pass without this one
    bool in_place = false;                 // for the value that another schema is applied to
    uint64_t way = 0;                      // Site::way
    std::vector<const Resource*> entered;  // the dynamic scope, the outermost first
  };

  Finding Apply(json::Value schema, json::Value value, Context context) const;
  // For a member or item.
  void ApplyToPart(json::Value schema, json::Value part, const Context& context,
                   Finding& finding) const;
  void Refuse(json::Value at, const Context& context, Finding& finding, uint32_t kind = 0,
              bool scope = false, size_t deeper = 0) const;
  bool Count(const char* word, bool held) const;

  // What looks at the value as a whole; whether it has so many parts that they do not matter.
  bool CheckAssertions(json::Value schema, json::Value value, const Context& context,
                       Finding& finding) const;
  void CheckRequired(json::Value schema, json::Value value, const Context& context,
                     Finding& finding) const;
  bool Holds(const std::string& word, json::Value operand, json::Value value) const;
  bool IsAmong(const std::string& word, json::Value operand, json::Value value) const;
  std::vector<json::Value> Operands(json::Value operand, bool list) const;
  bool IsOfScope(json::Value operand) const;
  bool IsUrlAmong(json::Value operand, json::Value value) const;

  // What holds other schemas for the same value.
  void CheckInPlace(json::Value schema, json::Value value, const Context& context,
                    Finding& finding) const;
  void CheckChoice(const char* word, json::Value schema, json::Value value, const Context& context,
                   Finding& finding) const;
  void CheckIf(json::Value schema, json::Value value, const Context& context,
               Finding& finding) const;
  void CheckReference(const char* word, json::Value schema, json::Value value,
                      const Context& context, Finding& finding) const;
  void Join(const Finding& branch, Finding& finding) const;

  // What holds schemas for parts of the value.
  void CheckMembers(json::Value schema, json::Value value, const Context& context,
                    Finding& finding) const;
  void CheckMember(json::Value schema, const json::Member& member, const Context& context,
                   Finding& finding) const;
  void CheckItems(json::Value schema, json::Value value, const Context& context,
                  Finding& finding) const;
  void CheckContains(json::Value schema, json::Value value, const Context& context,
                     Finding& finding) const;
  void CheckNames(json::Value schema, json::Value value, const Context& context,
                  Finding& finding) const;
  // `clear`: what was looked at is known.
  void CheckUnevaluated(json::Value schema, json::Value value, const Context& context, bool clear,
                        Finding& finding) const;
  void CheckText(json::Value schema, json::Value value, const Context& context, bool clear,
                 Finding& finding) const;

  const Names names_;
  const json::Value schema_;
  const Rules& rules_;
};

// Members by name.
std::vector<json::Member> Sorted(json::Value object);
// Whether the regular expression finds something. The expression is ASCII, and of a text IsKnown()
// (texts.h) is true.
bool Finds(absl::string_view pattern, absl::string_view text);

// `args` of a permission: name -> schema.
Tally CheckArguments(json::Value args, json::Value arguments, const Rules& rules);
// The arguments of a resource: its `uri`, a text that satisfies the schema.
Tally CheckUri(json::Value schema, json::Value arguments, const Rules& rules);

}  // namespace tipstaff::reference
