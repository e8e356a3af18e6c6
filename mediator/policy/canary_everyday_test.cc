// Calls of the greatest size that hold what agents write every day: looked through to the end.
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/call/limits.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/policy/canary.h"

namespace tipstaff::policy {
namespace {

constexpr char kPlanted[] = "TIPSTAFF-canary-7f3a91";

std::mt19937& Random() {
  static std::mt19937 random(11);
  return random;
}

std::string Picture(size_t bytes) {
  std::string picture = "\x89PNG\r\n";
  while (picture.size() < bytes) picture += static_cast<char>(Random()());
  return picture;
}

std::string Wrapped(absl::string_view text, absl::string_view end) {
  std::string out;
  for (size_t at = 0; at < text.size(); at += 76) absl::StrAppend(&out, text.substr(at, 76), end);
  return out;
}

std::string Prose(size_t bytes) {
  constexpr const char* kWords[] = {
      "the",    "report",    "of",    "m\u00b2", "Caf\u00e9",    "0x1f",     "my_fig-1",
      "and",    "a/b-c.txt", "shows", "(see",    "x+y",          "results",  "\u201cquoted\u201d",
      "\uff11", "it\u2019s", "50%25", "&amp;",   "C:\\data\\01", "\\033[0m", "done.\n"};
  std::string prose;
  while (prose.size() < bytes) absl::StrAppend(&prose, kWords[Random()() % std::size(kWords)], " ");
  return prose;
}

std::string Cjk(size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    const uint32_t c = 0x4e00 + Random()() % 0x5000;
    text += {static_cast<char>(0xe0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3f)),
             static_cast<char>(0x80 | (c & 0x3f))};
    if (Random()() % 20 == 0) text += "\u3002\uff11\uff0d2";
  }
  return text;
}

std::string Minified(size_t bytes) {
  constexpr const char* kPieces[] = {"function(e,t){return ",
                                     "e.exports=n(",
                                     "var a=",
                                     "\"\\u00e9\"",
                                     "/[^\\d\\w_-]+/g",
                                     ".map((e=>e+1))",
                                     "&&",
                                     "||",
                                     "a_b-c",
                                     ");",
                                     "0x7f",
                                     "\\x41",
                                     "!0,",
                                     "$t++,"};
  std::string code;
  while (code.size() < bytes) code += kPieces[Random()() % std::size(kPieces)];
  return code;
}

std::string Notebook(size_t bytes) {
  const std::string picture =
      Wrapped(absl::Base64Escape(Picture((bytes - 3'000) / 4 * 3 * 73 / 76)), "\n");
  json::Builder builder;
  builder.StartObject().Key("cells").StartArray();
  builder.StartObject().Field("cell_type", "markdown").Field("source", Prose(2'000)).EndObject();
  builder.StartObject().Field("image/png", picture).EndObject();
  builder.EndArray().EndObject();
  return json::Dump((*std::move(builder).Build()).root());
}

std::string Mail(size_t bytes, const std::string& attachment) {
  std::string mail =
      absl::StrCat("From: =?utf-8?B?", absl::Base64Escape("Ren\u00e9e"), "?= <a_b@c-d.example>\r\n",
                   "Content-Transfer-Encoding: quoted-printable\r\n\r\n",
                   "Gr=C3=BC=C3=9Fe, 100=25 =\r\nsoft\r\n");
  const std::string encoded = Wrapped(absl::Base64Escape(attachment), "\r\n");
  while (mail.size() + encoded.size() + 200 < bytes) {
    absl::StrAppend(&mail, "--b_1-2\r\nContent-Type: x/y; name=\"a b.bin\"\r\n\r\n", encoded);
  }
  return mail;
}

// What a sequencer writes: letters of DNA, and of each how good it is, as one letter of so many.
std::string Fastq(size_t bytes, int qualities) {
  std::string reads;
  for (int i = 0; reads.size() + 220 < bytes; ++i) {
    absl::StrAppend(&reads, "@r", i, "\n");
    for (int at = 0; at < 100; ++at) reads += "ACGT"[Random()() % 4];
    reads += "\n+\n";
    for (int at = 0; at < 100; ++at) reads += static_cast<char>('!' + Random()() % qualities);
    reads += '\n';
  }
  return reads;
}

std::string Printable(size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += static_cast<char>('!' + Random()() % 94);
  return text;
}

std::string Uuencoded(size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    text += 'M';
    for (int at = 0; at < 60; ++at) text += static_cast<char>('!' + Random()() % 64);
    text += '\n';
  }
  return text;
}

std::string Quoted(std::string text, int times) {
  for (; times > 0; --times) {
    json::Builder builder;
    builder.String(text);
    text = json::Dump((*std::move(builder).Build()).root());
  }
  return text;
}

struct Named {
  const char* name;
  std::vector<std::string> values;
};

std::vector<Named> EverydayCalls() {
  constexpr size_t kMost = call::kMaxArgumentsBytes - 2'000;
  std::vector<std::string> fields;
  for (size_t i = 0; i < kMost / 40; ++i) {
    fields.push_back(absl::StrCat("item_", i, "-\u00e9 x=", Random()() % 1000));
  }
  return {
      {"a notebook", {"a/b.ipynb", Notebook(kMost * 9 / 10)}},
      {"a data URL",
       {absl::StrCat("data:image/png;base64,", absl::Base64Escape(Picture(kMost / 4 * 3)))}},
      {"two pictures and a text",
       {absl::Base64Escape(Picture(kMost / 8 * 3)), "\uff11: a-b, a_b; m\u00b2 \\011 0x1",
        absl::Base64Escape(Picture(kMost / 8 * 3))}},
      {"prose", {"caf\u00e9.md", Prose(kMost)}},
      {"minified code", {"dist/a_b-c.min.js", Minified(kMost)}},
      {"Chinese", {"\u6587.txt", Cjk(kMost)}},
      {"a mail with pictures", {"a@b.example", Mail(kMost, Picture(30'000))}},
      {"a mail with texts", {"a@b.example", Mail(kMost, Prose(20'000))}},
      {"a mail with code", {"a@b.example", Mail(kMost, Minified(150'000))}},
      {"a mail with a mail with a picture",
       {"a@b.example", Mail(kMost, Mail(180'000, Picture(100'000)))}},
      {"a hex dump", {absl::BytesToHexString(Picture(kMost / 2 - 100)), "0x1_+/-\uff11"}},
      {"many fields", fields},
      {"reads of a sequencer", {Fastq(kMost * 24 / 25, 41)}},
      {"reads of a sequencer in three parts",
       {Fastq(kMost / 3, 41), "%4", absl::StrCat("1", Fastq(kMost / 3, 41))}},
      {"passwords", {Printable(kMost * 23 / 24)}},
      {"a uuencoded file", {Uuencoded(kMost * 24 / 25)}},
      {"code in JSON in JSON", {Quoted(Minified(kMost / 2), 2)}},
      {"prose in JSON in JSON in JSON", {Quoted(Prose(kMost / 2), 3)}},
  };
}

json::Document Arguments(const std::vector<std::string>& values) {
  json::Builder builder;
  builder.StartObject();
  for (size_t i = 0; i < values.size(); ++i) builder.Field(absl::StrCat("field_", i), values[i]);
  builder.EndObject();
  return *std::move(builder).Build();
}

Canaries Two() {
  Canaries canaries;
  EXPECT_TRUE(canaries.Add(kPlanted).ok());
  EXPECT_TRUE(canaries.Add("Schl\u00fcssel \u00fcbergeben").ok());
  return canaries;
}

TEST(Canaries, EverydayCallsAreLookedThrough) {
  const Canaries canaries = Two();
  for (Named& call : EverydayCalls()) {
    SCOPED_TRACE(call.name);
    const std::optional<Sighting> sighting = canaries.FindIn(Arguments(call.values).root());
    EXPECT_FALSE(sighting.has_value()) << sighting->form << (sighting->certain ? "" : "?");
    absl::StrAppend(&call.values.back(), " ", absl::Base64Escape(kPlanted));
    const std::optional<Sighting> planted = canaries.FindIn(Arguments(call.values).root());
    ASSERT_TRUE(planted.has_value());
    EXPECT_TRUE(planted->certain);
  }
}

// What takes the longest of all that is known: with backslashes among the letters.
TEST(Canaries, ReadsOfManyQualitiesAreLookedThrough) {
  const std::string reads = Fastq(call::kMaxArgumentsBytes - 7'000, 71);
  EXPECT_FALSE(Two().FindIn(Arguments({reads}).root()).has_value());
}

}  // namespace
}  // namespace tipstaff::policy
