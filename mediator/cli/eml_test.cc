#include "mediator/cli/eml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Eml(const std::string& row) {
  const absl::StatusOr<std::string> text = ToEml(json::MustParse(row).root());
  return text.ok() ? *text : std::string(text.status().message());
}

TEST(ToEml, WritesAMessage) {
  EXPECT_EQ(Eml(R"({"id":"msg_1","from":"agent@acme.example","to":["dana@acme.example",
                "lee@acme.example"],"cc":[],"subject":"Hello","date":"2026-05-01T09:00:00Z",
                "message_id":"m1@acme.example","in_reply_to":"<m0@acme.example>","body":"Hi"})"),
            "From: agent@acme.example\r\n"
            "To: dana@acme.example,\r\n lee@acme.example\r\n"
            "Message-ID: <m1@acme.example>\r\n"
            "In-Reply-To: <m0@acme.example>\r\n"
            "Date: Fri, 01 May 2026 09:00:00 +0000\r\n"
            "Subject: Hello\r\n"
            "MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Transfer-Encoding: base64\r\n\r\nSGk=\r\n");
}

TEST(ToEml, AnswersTheMessageThatIsReferredToLast) {
  const std::string eml =
      Eml(R"({"from":"a@acme.example","to":"b@acme.example","in_reply_to":"msg_7",
                                  "references":["<m1@a.example>","<m2@a.example>"]})");
  EXPECT_THAT(eml,
              AllOf(HasSubstr("\r\nReferences: <m1@a.example>\r\n <m2@a.example>\r\n"),
                    HasSubstr("\r\nIn-Reply-To: <m2@a.example>\r\n"), Not(HasSubstr("msg_7"))));
}

TEST(ToEml, WritesAttachments) {
  const std::string eml = Eml(
      R"({"from":"a@acme.example","to":"b@acme.example","subject":"s","body":"b","attachments":[
          {"name":"ü ;.png","media_type":"image/png","content":"AAEC","encoding":"base64"},
          {"name":"n.txt","media_type":"text/plain\r\nX: y","content":"plain"}]})");
  EXPECT_THAT(eml, AllOf(HasSubstr("Content-Type: multipart/mixed; boundary=\"=_"),
                         HasSubstr("filename*=utf-8''%C3%BC%20%3B.png\r\n"),
                         HasSubstr("Content-Type: image/png\r\n"), HasSubstr("\r\n\r\nAAEC\r\n--="),
                         HasSubstr("Content-Type: application/octet-stream\r\n"),
                         HasSubstr("\r\n\r\ncGxhaW4=\r\n--="), Not(HasSubstr("X: y"))));
  EXPECT_EQ(eml.substr(eml.size() - 4), "--\r\n");
}

TEST(ToEml, NoValueBeginsAnotherHeader) {
  for (const char* subject :
       {"a\\r\\nBcc: eve@outside.example", "a\\nb", "\\u0000", "=?utf-8?B?eA==?="}) {
    const std::string eml = Eml(absl::StrCat(
        R"({"from":"a@acme.example","to":"b@acme.example","subject":")", subject, "\"}"));
    EXPECT_THAT(eml, AllOf(HasSubstr("\r\nSubject: =?utf-8?B?"), Not(HasSubstr("Bcc")))) << subject;
  }
  for (const char* to :
       {"b@acme.example\\r\\nBcc: e@x.example", "Dana <d@acme.example>", "é@a.example", ""}) {
    EXPECT_THAT(Eml(absl::StrCat(R"({"from":"a@acme.example","to":[")", to, "\"]}")),
                HasSubstr("which a header cannot have"))
        << to;
  }
}

TEST(ToEml, LongTextsKeepTheirCharacters) {
  std::string subject;
  for (int i = 0; i < 40; ++i) subject += "文é";
  const std::string eml = Eml(absl::StrCat(
      R"({"from":"a@acme.example","to":"b@acme.example","subject":")", subject, "\"}"));
  std::string decoded;
  size_t longest = 0;
  for (size_t at = 0; (at = eml.find("=?utf-8?B?", at)) != std::string::npos;) {
    const size_t end = eml.find("?=", at + 10);
    std::string piece;
    ASSERT_TRUE(absl::Base64Unescape(eml.substr(at + 10, end - at - 10), &piece));
    decoded += piece;
    longest = std::max(longest, end + 2 - at);
    at = end;
  }
  EXPECT_EQ(decoded, subject);
  EXPECT_LE(longest, 75u);
}

TEST(ToEml, SaysWhatIsNoMessage) {
  EXPECT_THAT(Eml(R"({"id":"x"})"), HasSubstr("no `from` or no `to`"));
  EXPECT_THAT(Eml(R"({"from":"a@b.example","to":7})"), HasSubstr("`to`"));
  EXPECT_THAT(Eml(R"({"from":"a@b.example","to":"a@b.example","date":"today"})"),
              HasSubstr("`date`"));
  EXPECT_THAT(Eml(R"({"from":"a@b.example","to":"a@b.example","attachments":[{"name":"n",
                      "content":"?","encoding":"base64"}]})"),
              HasSubstr("not in base64"));
}

}  // namespace
}  // namespace tipstaff::cli
