// The Compiler's writing of schemas that apply to the same value, in an order that does not depend
// on how they were written.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/pointer.h"
#include "mediator/schema/analyze.h"
#include "mediator/schema/compiler.h"

namespace tipstaff::schema::internal {

void Compiler::WriteInPlace(const Reading& reading) {
  const uint32_t first = static_cast<uint32_t>(code_->applicators.size());
  WriteGroup(reading, Keyword::kAllOf, Applicator::Kind::kAll);
  WriteGroup(reading, Keyword::kAnyOf, Applicator::Kind::kAny);
  WriteDependent(reading, Keyword::kDependencies);
  WriteDependent(reading, Keyword::kDependentSchemas);
  WriteIf(reading);
  WriteNot(reading);
  WriteGroup(reading, Keyword::kOneOf, Applicator::Kind::kOne);
  WriteReference(reading, Keyword::kDynamicRef);
  WriteReference(reading, Keyword::kRef);
  const uint32_t last = static_cast<uint32_t>(code_->applicators.size());
  if (first == last) return;
  Extra& extra = ExtraOf(*code_, reading.request.node);
  extra.first = first;
  extra.last = last;
}

Applicator& Compiler::AddApplicator(Applicator::Kind kind, const std::vector<uint32_t>& branches) {
  Applicator& applicator = code_->applicators.emplace_back();
  applicator.kind = kind;
  applicator.first = static_cast<uint32_t>(code_->branches.size());
  code_->branches.insert(code_->branches.end(), branches.begin(), branches.end());
  applicator.last = static_cast<uint32_t>(code_->branches.size());
  return applicator;
}

void Compiler::WriteGroup(const Reading& reading, Keyword keyword, Applicator::Kind kind) {
  const json::Value schemas = reading.Part(keyword);
  if (!schemas.exists()) return;
  const absl::string_view word = KeywordName(keyword);
  const std::string pointer = reading.PointerOf(word);
  if (!schemas.is_array() || schemas.size() == 0) {
    return operands_.Fail(ProblemKind::kBadValue, schemas, pointer,
                          absl::StrCat("`", word, "` takes a list of at least one schema"));
  }
  std::vector<uint32_t> branches;
  for (json::Value schema : schemas.items()) {
    branches.push_back(
        WantPart(reading, schema, absl::StrCat(pointer, "/", branches.size()), Role::kInPlace));
  }
  const uint32_t constraint =
      kind == Applicator::Kind::kAll
          ? kNone
          : AddConstraint(reading, {.keyword = keyword, .origin = schemas.index()});
  AddApplicator(kind, branches).constraint = constraint;
}

void Compiler::WriteNot(const Reading& reading) {
  const json::Value schema = reading.Part(Keyword::kNot);
  if (!schema.exists()) return;
  const uint32_t part = WantPart(reading, schema, reading.PointerOf("not"), Role::kInPlace);
  const uint32_t constraint =
      AddConstraint(reading, {.keyword = Keyword::kNot, .origin = schema.index()});
  AddApplicator(Applicator::Kind::kNot, {part}).constraint = constraint;
}

void Compiler::WriteIf(const Reading& reading) {
  const json::Value condition = reading.Part(Keyword::kIf);
  if (!condition.exists()) return;
  std::vector<uint32_t> branches = {
      WantPart(reading, condition, reading.PointerOf("if"), Role::kInPlace)};
  for (const Keyword keyword : {Keyword::kThen, Keyword::kElse}) {
    const json::Value schema = reading.Part(keyword);
    branches.push_back(
        schema.exists()
            ? WantPart(reading, schema, reading.PointerOf(KeywordName(keyword)), Role::kInPlace)
            : kNone);
  }
  AddApplicator(Applicator::Kind::kIf, branches);
}

void Compiler::WriteDependent(const Reading& reading, Keyword keyword) {
  const json::Value schemas = reading.Part(keyword);
  if (!schemas.exists()) return;
  const absl::string_view word = KeywordName(keyword);
  const std::string pointer = reading.PointerOf(word);
  if (!schemas.is_object()) {
    return operands_.Fail(ProblemKind::kBadValue, schemas, pointer,
                          absl::StrCat("`", word, "` takes a mapping from names to schemas"));
  }
  std::vector<json::Member> sorted;
  for (const json::Member& member : schemas.members()) {
    // A list of names is a constraint.
    const bool list = keyword == Keyword::kDependencies && member.value.is_array();
    if (!list) sorted.push_back(member);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const json::Member& a, const json::Member& b) { return a.key < b.key; });
  for (const json::Member& member : sorted) {
    const uint32_t part =
        WantPart(reading, member.value, absl::StrCat(pointer, "/", json::PointerToken(member.key)),
                 Role::kInPlace);
    AddApplicator(Applicator::Kind::kWhen, {part}).name = operands_.AddName(member.key);
  }
}

void Compiler::WriteReference(const Reading& reading, Keyword keyword) {
  const json::Value reference = reading.Part(keyword);
  if (!reference.exists()) return;
  const std::string pointer = reading.PointerOf(KeywordName(keyword));
  if (!reference.is_string()) {
    return operands_.Fail(
        ProblemKind::kBadValue, reference, pointer,
        absl::StrCat("`", KeywordName(keyword), "` takes a reference as a string"));
  }
  Request request = reading.request;
  request.role = Role::kInPlace;
  const ForeignPlace* foreign = request.foreign;
  if (!Follow(reference, pointer, keyword == Keyword::kDynamicRef, request)) return;
  const uint32_t part = Want(std::move(request));
  operands_.SpeakOf(foreign);
  references_[{reading.request.node, part}] = {reference, pointer, foreign};
  AddApplicator(Applicator::Kind::kAll, {part});
}

void Compiler::Finish() {
  const Analysis analysis = Analyze(*code_, unchecked_nodes_, skill());
  for (const Dropped& dropped : analysis.dropped) {
    const Where& where = where_[dropped.node];
    operands_.SpeakOf(where.foreign);
    operands_.NotChecked(absl::StrCat(where.pointer, "/", KeywordName(dropped.keyword)));
  }
  const size_t length = analysis.circle.size();
  for (size_t i = 0; i < length; ++i) {
    const uint32_t to = analysis.circle[i], from = analysis.circle[(i + 1) % length];
    const auto site = references_.find({from, to});
    // There is one in every circle: schemas themselves only go down.
    if (site == references_.end()) continue;
    operands_.SpeakOf(site->second.foreign);
    return operands_.Fail(ProblemKind::kBadValue, site->second.at, site->second.pointer,
                          "the reference leads in a circle: no value could be checked to the end");
  }
  if (length > 0) operands_.Fail(ProblemKind::kBadValue, root_, "", "references lead in a circle");
  MarkPlain(*code_);
  MarkRequired(*code_);
}

}  // namespace tipstaff::schema::internal
