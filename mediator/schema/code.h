// The inside of a Program: what the compiler writes and the evaluator reads. Not for other
// libraries.
//
// A schema is a Node: a run of constraints, and which nodes its value's members and items have to
// satisfy. Most nodes are no more than that; those that have schemas for the same value (allOf,
// $ref and so on), or need to know what those looked at, have an Extra as well. Every reference is
// resolved: a node is a schema as it is reached with certain `$dynamicAnchor`s in scope.
// Constraints stand in a fixed order of their keywords, so that what is reported first does not
// depend on how the schema was written.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "mediator/json/document.h"
#include "mediator/schema/keywords.h"
#include "mediator/schema/members.h"
#include "mediator/schema/path_value.h"
#include "mediator/schema/text.h"
#include "mediator/schema/url.h"

namespace tipstaff::schema::internal {

// One value or binding that `const`, `enum` or a scope keyword compares with.
struct Candidate {
  uint32_t constant = kNone;  // of Code::constants
  uint32_t binding = kNone;   // its number, where it is not a constant
};

// A list of a `url` that takes an entry, or all its entries, from a binding.
struct UrlSource {
  UrlList list = kUrlHosts;
  uint32_t binding = kNone;
  bool spread = false;  // the binding's items are the entries
};

struct UrlOperand {
  UrlRule rule;  // in normal form, with the literals
  std::vector<UrlSource> sources;
};

struct Constraint {
  Keyword keyword = Keyword::kUnknown;
  bool scope = false;
  bool spread = false;   // `in: $b`: the one candidate's items are the candidates
  bool implied = false;  // `text: line` where nothing is written
  Types types = 0;       // kType
  TextMode text = TextMode::kLine;
  uint32_t origin = 0;
  uint64_t count = 0;  // lengths; kDependentRequired, kDependencies: the member asked about, a name
  // kPattern: of patterns; kPath: of paths; kUrl: of urls; kRequired, kDependentRequired: of names;
  // kFormat: of a format; minimum and so on: of constants.
  uint32_t index = 0;
  std::vector<Candidate> candidates;
  uint32_t listed = kNone;  // of Code::listed: the constants among them
};

// Schemas that apply to the value that the node with them applies to.
struct Applicator {
  enum class Kind : uint8_t {
    kAll,   // allOf, $ref: all branches
    kAny,   // at least one
    kOne,   // exactly one
    kNot,   // not the one
    kIf,    // branches are: if, then, else; the latter two may be kNone
    kWhen,  // the one, when the value has a member `name`
  };
  Kind kind = Kind::kAll;
  uint32_t first = 0, last = 0;  // Code::branches[first, last)
  uint32_t constraint = kNone;   // what fails: kAny, kOne, kNot
  uint32_t name = kNone;         // of names
};

// A schema of the members whose names match.
struct PatternMembers {
  uint32_t pattern = 0;  // of patterns
  uint32_t node = 0;
};

// What only some nodes have.
struct Extra {
  uint32_t first = 0, last = 0;  // Code::applicators[first, last)
  std::vector<uint32_t> prefix;  // the nodes of the first items
  std::vector<PatternMembers> patterns;
  uint32_t names = kNone;                   // the node of the members' names
  uint32_t contains = kNone;                // a node
  uint64_t least = 1, most = ~uint64_t{0};  // items that match it
  uint32_t least_constraint = kNone, most_constraint = kNone;
  uint32_t unevaluated_items = kNone, unevaluated_members = kNone;        // nodes
  uint32_t no_unevaluated_items = kNone, no_unevaluated_members = kNone;  // constraints
  // Set by Analyze():
  bool tracks = false;  // which members and items a schema was applied to has to be known
  bool shared = false;  // may be asked for twice about one value: the answer is kept
};

// Listed members that Node::required can speak of: its bits.
inline constexpr uint32_t kMarkedMembers = 64;

struct Node {
  uint32_t first = 0, last = 0;  // Code::constraints[first, last)
  uint32_t text = kNone;         // the constraint of kText, in skills
  uint32_t items = kNone;        // a node; of the items after Extra::prefix
  uint32_t members = kNone;      // of Code::members
  uint32_t others = kNone;       // the node of members that are not listed
  uint32_t closed = kNone;       // the constraint that refuses members that are not listed
  uint32_t extra = kNone;        // of Code::extras
  // Neither it nor what it leads to has an Extra. Set by MarkPlain().
  bool plain = false;
  // Of a plain node: what a `type` lets pass, and its constraints after that. Set by MarkPlain().
  Types types = kAnyType;
  uint32_t first_untyped = 0;
  // Of a plain node whose required members are all listed: the bits of their places in the list,
  // and the constraints that ask for them. Set by MarkRequired().
  uint64_t required = 0;
  uint32_t first_required = 0, last_required = 0;
};

struct Code {
  std::vector<Node> nodes;  // nodes[0] is the whole schema
  std::vector<Constraint> constraints;
  std::vector<Members> members;
  std::vector<Extra> extras;
  std::vector<Applicator> applicators;
  std::vector<uint32_t> branches;  // nodes
  std::vector<std::unique_ptr<re2::RE2>> patterns;
  std::vector<PathRule> paths;
  std::vector<UrlOperand> urls;
  std::vector<std::string> names;
  std::vector<std::string> binding_names;
  std::vector<json::Value> constants;
  std::vector<absl::flat_hash_set<std::string>> listed;  // ListedForm()s
  json::Document constants_owner;
  uint32_t origin = 0;     // of the whole schema
  bool arguments = false;  // nodes[0] is made of a permission's `args`
  std::vector<std::string> unchecked;
};

// The node's extra, made when it has none.
Extra& ExtraOf(Code& code, uint32_t node);

}  // namespace tipstaff::schema::internal
