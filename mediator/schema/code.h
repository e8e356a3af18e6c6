// The inside of a Program: what the compiler writes and the evaluator reads. Not for other
// libraries.
//
// A schema is a Node: a run of constraints, and which nodes its value's members and items have to
// satisfy. Constraints stand in a fixed order of their keywords, so that what is reported first
// does not depend on how the schema was written.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "mediator/json/document.h"
#include "mediator/schema/keywords.h"
#include "mediator/schema/text.h"

namespace tipstaff::schema::internal {

inline constexpr uint32_t kNone = ~uint32_t{0};

// One value or binding that `const`, `enum`, `equals` or `in` compares with.
struct Candidate {
  uint32_t constant = kNone;  // of Code::constants
  uint32_t binding = kNone;   // its number, where it is not a constant
};

struct Constraint {
  Keyword keyword = Keyword::kUnknown;
  bool scope = false;
  bool spread = false;  // `in: $b`: the one candidate's items are the candidates
  Types types = 0;      // kType
  TextMode text = TextMode::kLine;
  uint32_t origin = 0;
  uint64_t count = 0;  // lengths
  uint32_t index =
      0;  // kPattern: of patterns; kRequired: of names; minimum and so on: of constants
  std::vector<Candidate> candidates;
};

struct Node {
  uint32_t first = 0, last = 0;  // Code::constraints[first, last)
  uint32_t text = kNone;         // the constraint of kText, in skills
  uint32_t items = kNone;        // a node
  uint32_t members = kNone;      // of Code::members
  uint32_t others = kNone;       // the node of members that are not listed
  uint32_t closed = kNone;       // the constraint that refuses members that are not listed
};

struct Code {
  std::vector<Node> nodes;  // nodes[0] is the whole schema
  std::vector<Constraint> constraints;
  std::vector<absl::flat_hash_map<std::string, uint32_t>> members;  // name -> node
  std::vector<std::unique_ptr<re2::RE2>> patterns;
  std::vector<std::string> names;
  std::vector<std::string> binding_names;
  std::vector<json::Value> constants;
  json::Document constants_owner;
  bool arguments = false;  // nodes[0] is made of a permission's `args`
  std::vector<std::string> unchecked;
};

}  // namespace tipstaff::schema::internal
