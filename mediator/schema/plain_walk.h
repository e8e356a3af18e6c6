// Checks a value against a node that neither has an Extra nor leads to one, and says no more than
// whether it passes: most checks are just that.
#pragma once

#include "mediator/schema/code.h"
#include "mediator/schema/lists.h"

namespace tipstaff::schema::internal {

// The work that one check may take: a node that is applied to a part of the value is one step, and
// what has to look at a long string, list or set of candidates is more. The most that arguments of
// 256 KiB hold is some 130,000 parts. A value that takes more does not pass.
inline constexpr uint64_t kMaxSteps = 2'000'000;

// How much longer it takes to check one constraint of a large value: the size of a string in 256
// bytes, of an array or object in 16 parts.
inline uint64_t WeightOf(json::Value value) {
  return value.is_string() ? value.string().size() >> 8 : value.size() >> 4;
}

class PlainWalk {
 public:
  // Adds what it takes to `steps`.
  PlainWalk(const Code& code, Lists& lists, uint64_t& steps)
      : code_(code), lists_(lists), steps_(steps) {}

  // node.plain must be set. Recurses as deep as the value nests, which whoever built it has
  // bounded.
  bool Passes(const Node& node, json::Value value);

 private:
  bool HoldAll(const Node& node, json::Value value, uint32_t first, uint32_t last);
  bool ItemsPass(const Node& node, json::Value array);
  bool MembersPass(const Node& node, json::Value object);

  const Code& code_;
  Lists& lists_;
  uint64_t& steps_;
};

}  // namespace tipstaff::schema::internal
