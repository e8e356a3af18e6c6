// A compiled schema.
//
//   TIPSTAFF_ASSIGN_OR_RETURN(schema::Program program,
//                             schema::Program::Compile(tool_schema.root(), Dialect::kTool));
//   if (std::optional<schema::Failure> failure = program.Check(arguments.root())) ...
//
// A Program owns all it needs: neither the schema's document nor the options have to outlive it.
// Copying shares. Immutable and thread-safe. Checking does not recurse, and its work is bounded by
// the size of the value times the number of constraints that a part of it has.
//
// Keywords: type enum const minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum
// multipleOf pattern items minItems maxItems uniqueItems properties required additionalProperties,
// with the meaning of JSON Schema 2020-12; in skills also equals in minBytes maxBytes text
// (docs/policy-language.md).
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
  // What an operator writes: every keyword has to be known, `equals` and `in` may refer to
  // bindings, and strings are `text: line` unless they say otherwise.
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
  bool is_array = false;  // `in: $name` needs one
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
  kUnsupportedKeyword,  // of the language, but not of this version
  kBadValue,            // a keyword's value is not what the keyword takes
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
  bool scope = false;    // `equals` or `in` with nothing but bindings in scope
};

// All that a value fails.
struct Tally {
  size_t constraints = 0;        // different constraints that failed, each counted once
  size_t scope_constraints = 0;  // those of scope among them
  // The first by the value's order (members sorted by name); one that is not of scope when there
  // is one. Does not depend on the order of keywords or members. Nothing when the value passed.
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

  // `bindings`: the values, in the order of CompileOptions::bindings. One that is missing equals
  // nothing.
  bool Accepts(json::Value value, absl::Span<const json::Value> bindings = {}) const;
  // As Accepts(); the first failure, nothing when the value passes.
  std::optional<Failure> Check(json::Value value,
                               absl::Span<const json::Value> bindings = {}) const;
  // Goes on after a failure.
  Tally CheckAll(json::Value value, absl::Span<const json::Value> bindings = {}) const;

  // kTool: JSON pointers of the keywords that constrain by the standard but that this version does
  // not check, for instance "/properties/to/anyOf". Empty: everything is checked.
  absl::Span<const std::string> unchecked() const;

 private:
  explicit Program(std::shared_ptr<const internal::Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const internal::Code> code_;
};

}  // namespace tipstaff::schema
