// A compiled schema.
//
//   TIPSTAFF_ASSIGN_OR_RETURN(schema::Program program,
//                             schema::Program::Compile(tool_schema.root(), Dialect::kTool));
//   if (std::optional<schema::Failure> failure = program.Check(arguments.root())) ...
//
// A Program owns all it needs: neither the schema's document nor the options have to outlive it.
// Copying shares. Immutable and thread-safe.
//
// The language is JSON Schema 2020-12, all that constrains (core with `$dynamicRef`, applicators,
// unevaluated, validation; `format` where it is asserted; `contentMediaType` and its like do not
// constrain), or draft 7 where `$schema` says so; docs/policy-language.md has what skills add. A
// schema of any other draft is not checked, and unchecked() says so. The official test suite's
// required tests of both drafts pass.
//
// Checking recurses no deeper than the value nests, and its work is bounded: each schema is applied
// to each part of a value once at most, however many ways lead there, and a value that takes more
// than kMaxSteps (walk.h) does not pass. References are resolved when compiling; those that lead
// nowhere, or in a circle for one and the same value, are problems. Nothing is ever fetched.
//
// What is reported of a value that does not pass: what fails unconditionally (allOf, $ref, parts)
// is reported as it is; of anyOf and oneOf the branch that failed by the fewest constraints, then
// the one that failed deepest in the value, then the first; `not` and a oneOf with several matches
// themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "mediator/json/document.h"

namespace tipstaff::schema {

enum class Dialect {
  // What an operator writes: every keyword has to be known, the scope keywords
  // (references.h) may refer to bindings, and strings are `text: line` unless they say otherwise.
  kSkill,
  // What a tool declares: annotations and unknown keywords say nothing.
  kTool,
};

// The language of a schema that does not say `$schema`.
enum class Draft : uint8_t { k7, k2020 };

// A name that `$name` may refer to.
struct Binding {
  std::string name;
  bool in_scope = false;  // failing a constraint that refers to it is a failure of scope
  bool is_array = false;  // a list of values as `$name` needs one
};

// A schema that a tool's may refer to.
struct SchemaDocument {
  std::string uri;  // absolute, without a fragment
  json::Value schema;
};

struct CompileOptions {
  Dialect dialect = Dialect::kTool;
  // The values that are given when checking are in the same order.
  absl::Span<const Binding> bindings;
  // kSkill: the schema says what a rule denies, so that nothing may slip past it: text is `any`
  // unless it says otherwise, `email`, `url` and their like hold of nothing but text, and arguments
  // that are not listed may be given.
  bool denies = false;
  // A keyword at the top of the schema that the caller reads itself: a binding's `default`.
  absl::string_view own_keyword = "";
  // kTool:
  Draft draft = Draft::k2020;
  // What `$ref` and `$schema` may name beside the schema itself and the meta-schemas of the
  // standard, which are built in. Nothing is ever fetched.
  absl::Span<const SchemaDocument> documents;
  // `format` constrains. In skills it always does; by default it is an annotation.
  bool assert_formats = false;
};

enum class ProblemKind {
  kUnknownKeyword,
  kBadValue,  // a keyword's value is not what the keyword takes; a `$ref` leads nowhere
  kBadPattern,
  kUnknownBinding,
  kMisplacedBinding,  // `$name` where it does not refer to a binding
  kContradiction,     // nothing could pass: minLength over maxLength
  kNeverApplies,      // maxLength beside `type: array`
  kUntyped,           // a warning: maxLength without a type lets any number pass
};

// What is wrong with a schema.
struct Problem {
  ProblemKind kind = ProblemKind::kBadValue;
  json::Value at;                       // a value of the schema's document
  bool at_key = false;                  // the key of `at` is meant
  std::string pointer;                  // of `at` within the schema
  std::string message;                  // one line, input in backticks
  std::string wrong;                    // the unknown word, "" when it is not about one
  std::vector<std::string> candidates;  // the words that are known there
  std::string help;                     // what to write, "" where the message says it
};
// kUntyped is the only kind that does not stop compiling.
bool IsWarning(const Problem& problem);

// A constraint that a value does not satisfy.
struct Failure {
  std::string pointer;   // JSON pointer (RFC 6901) into the value; names a missing member too
  std::string keyword;   // "maxBytes"; of arguments "args" for one that is not listed
  std::string expected;  // in words: "at most 200 bytes"
  std::string found;     // in words, escaped and cut: "a string of 312 bytes"
  uint32_t origin = 0;   // json::Value::index() of the keyword's value in the schema's document
  // A scope keyword with nothing but bindings in scope, and not within anyOf, oneOf, not, if,
  // then, else, dependentSchemas or contains: a schema around it may pass without it.
  bool scope = false;
};

// All that a value fails.
struct Tally {
  size_t constraints = 0;        // different constraints that failed, each counted once
  size_t scope_constraints = 0;  // those of scope among them
  // The first by the value's order (members sorted by name), those of the same value before those
  // of its parts; one that is not of scope when there is one. Does not depend on the order of
  // keywords or members. Nothing when the value passed. A value that takes too many steps has
  // keyword "".
  std::optional<Failure> first;
};

namespace internal {
struct Code;
}  // namespace internal

class Program {
 public:
  // InvalidArgument with the pointer and message of the first problem.
  static absl::StatusOr<Program> Compile(json::Value schema, Dialect dialect);

  // Adds to `problems`; nothing when one of them is not a warning.
  static std::optional<Program> Compile(json::Value schema, const CompileOptions& options,
                                        std::vector<Problem>& problems);

  // `args` of a permission: name -> schema. Accepts the objects whose members are all listed and
  // pass, and that have all but those with `optional: true`.
  static std::optional<Program> CompileArguments(json::Value args, const CompileOptions& options,
                                                 std::vector<Problem>& problems);

  // As CompileArguments() of `{name: schema}`, but the argument is a string and always there.
  static std::optional<Program> CompileArgument(absl::string_view name, json::Value schema,
                                                const CompileOptions& options,
                                                std::vector<Problem>& problems);

  // `bindings`: the values, in the order of CompileOptions::bindings. One that is missing equals
  // nothing.
  bool Accepts(json::Value value, absl::Span<const json::Value> bindings = {}) const;
  // As Accepts(), but true too where finding out takes too many steps: for rules that deny.
  bool MayAccept(json::Value value, absl::Span<const json::Value> bindings = {}) const;
  // As Accepts(); the first failure, nothing when the value passes.
  std::optional<Failure> Check(json::Value value,
                               absl::Span<const json::Value> bindings = {}) const;
  // Goes on after a failure; gives up once `enough` constraints have failed: then
  // Tally::constraints is at least that, and there is no Tally::first.
  Tally CheckAll(json::Value value, absl::Span<const json::Value> bindings = {},
                 size_t enough = ~size_t{0}) const;

  // Whether every value that passes is, or has, a part that `equals` or `in` holds in the scope:
  // the schema has such a constraint; or is an array of at least one item all of which are bound;
  // or an object with a required member that is bound. What `allOf` and `$ref` add counts; what
  // holds on a condition (anyOf, if and so on) does not, nor what patterns or `contains` find.
  bool BindsToScope() const;

  // kTool: JSON pointers of the keywords that constrain but cannot be checked: patterns that do not
  // map to RE2, and the `not`, `if`, `oneOf` (of which "at least one" stays), `maxContains`,
  // `unevaluated...` and `additionalProperties` that would refuse too much without them; a
  // `$schema` of another draft, where nothing is checked. Of another document the `$ref` that leads
  // to it is named. They never refuse a value. Empty: everything is checked.
  absl::Span<const std::string> unchecked() const;

 private:
  explicit Program(std::shared_ptr<const internal::Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const internal::Code> code_;
};

}  // namespace tipstaff::schema
