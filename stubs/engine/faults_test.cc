// What a stub gets wrong on purpose: malformed and truncated results, and answers that are lost.
#include "stubs/engine/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/base/utf8.h"
#include "mediator/json/write.h"
#include "stubs/engine/changes.h"
#include "stubs/engine/testing/small_stub.h"

namespace tipstaff::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A tool that writes a row, and the faults of it from line 11 on.
constexpr char kYaml[] = R"(
stub: small
description: Faulty.
tables: {things: {key: id}}
tools:
  - name: add
    effect: write
    input: {type: object, properties: {id: {type: string}, text: {type: string}}, required: [id]}
    output: {type: object, properties: {id: {type: string}, text: {type: string}}, required: [id], additionalProperties: false}
    insert: {into: things, row: {id: $args.id, text: $args.text}}
faults:
)";

std::unique_ptr<State> WithFaults(const std::string& faults, const char* seed = "s") {
  return MakeState(LoadSmallStub({{"stub.yaml", kYaml + faults}}), seed);
}

constexpr char kArguments[] = R"({"id":"a","text":"grün"})";

TEST(Fault, SendsAMalformedResultAndKeepsTheState) {
  const struct {
    const char* reason;
    const char* fault;
    const char* value;
  } kFaults[] = {
      {"made: the members have other kinds", "malformed: true", R"({"id":0,"text":0})"},
      {"given: another shape", "malformed: {id: 7}", R"({"id":7})"},
      {"given: no object", "malformed: [a, 1]", R"(["a",1])"},
      {"given: null", "malformed: null", "null"},
      {"given: a text", "malformed: <html>", R"("<html>")"},
  };
  for (const auto& c : kFaults) {
    const auto state = WithFaults(absl::StrCat("  - {tool: add, ", c.fault, "}\n"));
    const Reply reply = state->Call(1, "add", json::MustParse(kArguments));
    EXPECT_EQ(reply.kind, call::OutcomeKind::kOk) << c.reason;
    EXPECT_EQ(json::Canonical(reply.value.root()), c.value) << c.reason;
    EXPECT_EQ(reply.note, "fault of stub.yaml:12: malformed result") << c.reason;
    EXPECT_EQ(reply.changes.size(), 1u) << c.reason;
    EXPECT_EQ(state->Table("things")->root().size(), 1u) << c.reason;
  }
}

TEST(Fault, TruncatesBetweenCharacters) {
  const std::string whole = R"({"id":"a","text":"grün"})";
  for (size_t bytes = 0; bytes <= whole.size() + 2; ++bytes) {
    const auto state = WithFaults(absl::StrCat("  - {tool: add, truncated: ", bytes, "}\n"));
    const Reply reply = state->Call(1, "add", json::MustParse(kArguments));
    ASSERT_EQ(reply.kind, call::OutcomeKind::kOk) << reply.message;
    ASSERT_TRUE(reply.value.root().is_string()) << "no structured content";
    const absl::string_view text = reply.value.root().string();
    EXPECT_EQ(text, base::CutUtf8(whole, bytes));
    EXPECT_TRUE(base::IsUtf8(text));
    EXPECT_EQ(reply.note,
              absl::StrCat("fault of stub.yaml:12: result truncated to ", bytes, " bytes"));
    EXPECT_EQ(state->Table("things")->root().size(), 1u);
  }
}

TEST(Fault, ATimeOutIsBeforeOrAfterTheEffect) {
  for (const bool after : {false, true}) {
    const auto state = WithFaults(
        absl::StrCat("  - {tool: add, timeout: ", after ? "after" : "before", ", delay: 2s}\n"));
    const Reply reply = state->Call(1, "add", json::MustParse(kArguments));
    EXPECT_EQ(reply.kind, call::OutcomeKind::kUnknown);
    EXPECT_EQ(reply.error, "timed_out");
    EXPECT_EQ(reply.message, "the tool did not answer in time") << "the agent cannot tell which";
    EXPECT_TRUE(reply.value.root().is_null());
    EXPECT_EQ(reply.delay, absl::Seconds(2));
    EXPECT_EQ(reply.note,
              absl::StrCat("fault of stub.yaml:12: time-out ", after ? "after" : "before",
                           " the effect, delay of 2000 ms"));
    EXPECT_EQ(reply.changes.size(), after ? 1u : 0u);
    EXPECT_EQ(state->Table("things")->root().size(), after ? 1u : 0u);
  }
}

TEST(Fault, DoesNotHideAFailure) {
  auto state = WithFaults("  - {tool: add, malformed: true}\n");
  Reply reply = state->Call(1, "add", json::MustParse("{}"));
  EXPECT_EQ(reply.error, "invalid_arguments");
  EXPECT_THAT(reply.note, HasSubstr("malformed result (the call failed by itself"));
  state = WithFaults("  - {tool: add, on_call: [2, 3], timeout: after}\n");
  EXPECT_EQ(state->Call(1, "add", json::MustParse(kArguments)).kind, call::OutcomeKind::kOk);
  reply = state->Call(2, "add", json::MustParse(kArguments));
  EXPECT_EQ(reply.kind, call::OutcomeKind::kUnknown) << "the answer is lost, whatever it was";
  EXPECT_THAT(reply.note, HasSubstr("the answer that was lost: already_exists"));
  EXPECT_EQ(state->Call(3, "add", json::MustParse(R"({"id":""})")).kind,
            call::OutcomeKind::kStubError)
      << "the stub's mistake is its author's to see";
}

TEST(Fault, IsTheSameWhenCallsAreMadeAgain) {
  const std::string faults =
      "  - {tool: add, on_call: [3], timeout: after}\n"
      "  - {tool: add, probability: 0.4, malformed: true}\n"
      "  - {tool: add, probability: 0.4, truncated: 5}\n"
      "  - {tool: add, probability: 0.4, timeout: before}\n"
      "  - {tool: add, probability: 0.2, error: busy}\n";
  const auto transcript = [&](const char* seed) {
    const auto state = WithFaults(faults, seed);
    std::string text;
    for (int i = 1; i <= 60; ++i) {
      const Reply reply =
          state->Call(i, "add", json::MustParse(absl::StrCat(R"({"id":"k)", i, R"("})")));
      absl::StrAppend(&text, json::Canonical(reply.value.root()), reply.error, reply.note,
                      ChangesInFull(reply.changes), "\n");
    }
    return absl::StrCat(text, state->Digest());
  };
  const std::string first = transcript("one");
  EXPECT_EQ(first, transcript("one"));
  EXPECT_NE(first, transcript("two"));
  for (const char* fault : {"malformed result", "truncated", "before the effect", "error `busy`"}) {
    EXPECT_THAT(first, HasSubstr(fault));
  }
}

TEST(Fault, IsRefusedWhenItContradictsItself) {
  const struct {
    const char* reason;
    const char* fault;
    const char* code;
    const char* words;
  } kFaults[] = {
      {"two ways", "error: x, timeout: after", "S015", "both `error` and `timeout`"},
      {"two others", "malformed: true, truncated: 2", "S015", "both `malformed` and `truncated`"},
      {"nothing", "on_call: [1]", "S015", "does nothing"},
      {"no delay", "delay: 0s", "S0", "delay"},
      {"false", "malformed: false", "S015", "does nothing"},
      {"not malformed", "malformed: {id: a}", "S015", "this passes the `output` of tool `add`"},
      {"bytes", "truncated: -1", "S005", "`truncated` must be an integer from 0"},
      {"bytes as text", "truncated: few", "S003", "`truncated`"},
      {"when", "timeout: never", "S005", "expected before or after"},
      {"when as a flag", "timeout: true", "S003", "`timeout` must be text"},
      {"a message of none", "timeout: after, message: x", "S015", "`message` without `error`"},
  };
  for (const auto& c : kFaults) {
    std::string text;
    EXPECT_EQ(LoadSmallStub(
                  {{"stub.yaml", absl::StrCat(kYaml, "  - {tool: add, ", c.fault, "}\n")}}, &text),
              nullptr)
        << c.reason;
    EXPECT_THAT(text, HasSubstr(absl::StrCat("error[", c.code))) << c.reason;
    EXPECT_THAT(text, HasSubstr(c.words)) << c.reason;
    EXPECT_THAT(text, HasSubstr("--> small/stub.yaml:12:")) << c.reason;
  }
  std::string text;
  EXPECT_EQ(
      LoadSmallStub({{"stub.yaml",
                      absl::StrReplaceAll(std::string(kYaml) + "  - {tool: add, malformed: true}\n",
                                          {{"    output:", "    #"}})}},
                    &text),
      nullptr);
  EXPECT_THAT(text, HasSubstr("`malformed: true` needs an `output`"));
}

}  // namespace
}  // namespace tipstaff::engine
