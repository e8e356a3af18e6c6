#include "mediator/policy/dispatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/policy/grant_impl.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy::internal {
namespace {

using testing::ElementsAre;

// Indices are those of the ids in their order.
constexpr char kSkill[] = R"(skill: s
bindings:
  own: {type: string}
  list: {type: array, items: {type: string}, default: []}
backends: {tickets: {stub: tickets}}
permissions:
  - {id: a, tool: tickets.search_tickets, args: {status: {const: open}, query: {type: string}}}
  - {id: b, tool: tickets.search_tickets, args: {status: {enum: [open, closed]}, query: {type: string}}}
  - {id: c, tool: tickets.search_tickets, args: {status: {equals: $own}, query: {type: string}}}
  - {id: d, tool: tickets.search_tickets, args: {status: {in: $list}}}
  - {id: e, tool: tickets.search_tickets, args: {status: {type: string}}}
  - {id: f, tool: tickets.search_tickets, args: {status: {const: open, optional: true}}}
  - {id: g, tool: tickets.search_tickets, args: {query: {const: 7}}}
  - id: h
    tool: tickets.search_tickets
    schema: {type: object, properties: {status: {const: open}}, unevaluatedProperties: false}
  - {id: i, tool: tickets.search_tickets, args: {status: {in: [1.0, "$$x", $own]}}}
  - {id: j, tool: tickets.search_tickets, args: {status: {equals: ["$$x", 1]}}}
finalize: none
)";

TEST(Dispatch, LeavesOutNoneThatMayPass) {
  const FakeCatalog catalog;
  const auto grant =
      MustGrant({MustLoad(kSkill, catalog)}, R"({"own":"mine","list":["closed","odd"]})", catalog);
  const auto& made = dynamic_cast<const GrantImpl&>(*grant);
  std::vector<int> all(made.permissions_.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  const Dispatch dispatch(all, made.permissions_);
  const auto candidates = [&](absl::string_view arguments) {
    return dispatch.CandidatesFor(json::MustParse(arguments).root());
  };
  const int a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, i = 8;
  EXPECT_THAT(candidates(R"({"status":"open"})"), ElementsAre(a, b, e, f, g, h));
  EXPECT_THAT(candidates(R"({"status":"closed"})"), ElementsAre(b, d, e, f, g, h));
  EXPECT_THAT(candidates(R"({"status":"odd"})"), ElementsAre(d, e, f, g, h));
  EXPECT_THAT(candidates(R"({"status":"mine"})"), ElementsAre(c, e, f, g, h, i));
  EXPECT_THAT(candidates(R"({"status":"$x"})"), ElementsAre(e, f, g, h, i));
  EXPECT_THAT(candidates(R"({"status":1})"), ElementsAre(e, f, g, h, i));
  EXPECT_THAT(candidates(R"({"status":{"a":1}})"), ElementsAre(e, f, g, h));
  EXPECT_THAT(candidates(R"({"status":["$$x",1]})"), ElementsAre(e, f, g, h, 9));
  EXPECT_THAT(candidates(R"({"status":["$x",1]})"), ElementsAre(e, f, g, h));
  EXPECT_THAT(candidates(R"({"query":7})"), ElementsAre(e, f, g, h)) << "it is not given";
}

TEST(Dispatch, AFewAreAllAsked) {
  const FakeCatalog catalog;
  const auto grant = MustGrant({MustLoad(kSkill, catalog)}, R"({"own":"mine"})", catalog);
  const auto& made = dynamic_cast<const GrantImpl&>(*grant);
  const std::vector<int> few = {0, 2};
  EXPECT_THAT(
      Dispatch(few, made.permissions_).CandidatesFor(json::MustParse(R"({"status":"x"})").root()),
      ElementsAre(0, 2));
  EXPECT_TRUE(Dispatch().CandidatesFor(json::MustParse("{}").root()).empty());
}

}  // namespace
}  // namespace tipstaff::policy::internal
