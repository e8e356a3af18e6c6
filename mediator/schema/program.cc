#include "mediator/schema/program.h"

#include "absl/strings/str_cat.h"
#include "mediator/schema/code.h"
#include "mediator/schema/compile.h"
#include "mediator/schema/evaluate.h"

namespace tipstaff::schema {

bool IsWarning(const Problem& problem) { return problem.kind == ProblemKind::kUntyped; }

absl::StatusOr<Program> Program::Compile(json::Value schema, Dialect dialect) {
  std::vector<Problem> problems;
  std::optional<Program> program = Compile(schema, CompileOptions{.dialect = dialect}, problems);
  if (program.has_value()) return *std::move(program);
  for (const Problem& problem : problems) {
    if (IsWarning(problem)) continue;
    return absl::InvalidArgumentError(absl::StrCat("at `",
                                                   problem.pointer.empty() ? "/" : problem.pointer,
                                                   "` of the schema: ", problem.message));
  }
  return absl::InternalError("the schema did not compile");
}

std::optional<Program> Program::Compile(json::Value schema, const CompileOptions& options,
                                        std::vector<Problem>& problems) {
  auto code = internal::CompileCode(schema, internal::Root::kSchema, options, problems);
  if (code == nullptr) return std::nullopt;
  return Program(std::move(code));
}

std::optional<Program> Program::CompileArguments(json::Value args, const CompileOptions& options,
                                                 std::vector<Problem>& problems) {
  auto code = internal::CompileCode(args, internal::Root::kArguments, options, problems);
  if (code == nullptr) return std::nullopt;
  return Program(std::move(code));
}

std::optional<Program> Program::CompileArgument(absl::string_view name, json::Value schema,
                                                const CompileOptions& options,
                                                std::vector<Problem>& problems) {
  auto code = internal::CompileCode(schema, internal::Root::kOneArgument, options, problems, name);
  if (code == nullptr) return std::nullopt;
  return Program(std::move(code));
}

bool Program::Accepts(json::Value value, absl::Span<const json::Value> bindings) const {
  return internal::Passes(*code_, value, bindings);
}

bool Program::MayAccept(json::Value value, absl::Span<const json::Value> bindings) const {
  return internal::MayPass(*code_, value, bindings);
}

std::optional<Failure> Program::Check(json::Value value,
                                      absl::Span<const json::Value> bindings) const {
  if (internal::Passes(*code_, value, bindings)) return std::nullopt;
  Tally tally = internal::TallyOf(*code_, value, bindings);
  // A value that did not pass has failed, whatever else goes wrong.
  if (!tally.first.has_value()) tally.first.emplace();
  return std::move(tally.first);
}

Tally Program::CheckAll(json::Value value, absl::Span<const json::Value> bindings,
                        size_t enough) const {
  return internal::TallyOf(*code_, value, bindings, enough);
}

absl::Span<const std::string> Program::unchecked() const { return code_->unchecked; }

}  // namespace tipstaff::schema
