#include "mediator/policy/canary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/testing/laborious_text.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kPlanted[] = "TIPSTAFF-canary-7f3a91";

Canaries One() {
  Canaries canaries;
  EXPECT_TRUE(canaries.Add(kPlanted).ok());
  return canaries;
}

json::Document Arguments(absl::string_view text) {
  json::Builder builder;
  builder.StartObject().Field("body", text).EndObject();
  return *std::move(builder).Build();
}

std::string Hex(absl::string_view text) { return absl::BytesToHexString(text); }
std::string Base64(absl::string_view text) { return absl::Base64Escape(text); }

std::string Utf16(absl::string_view text, bool big_endian = false) {
  std::string out;
  const auto add = [&](uint32_t unit) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit);
    out += big_endian ? std::string{high, low} : std::string{low, high};
  };
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    text.remove_prefix(point.bytes);
    if (point.value >= 0x10000) {
      add(0xd7c0 + (point.value >> 10));
      add(0xdc00 + (point.value & 0x3ff));
    } else {
      add(point.value);
    }
  }
  return out;
}

std::string InPieces(absl::string_view text, absl::string_view between, size_t size = 3) {
  std::string out;
  for (size_t at = 0; at < text.size(); at += size) {
    absl::StrAppend(&out, at == 0 ? "" : between, text.substr(at, size));
  }
  return out;
}

// ASCII in full width.
std::string Wide(absl::string_view text) {
  std::string out;
  for (const char c : text) {
    const int at = 0xff01 + (c - '!');
    out += std::string{'\xef', static_cast<char>(0x80 | ((at >> 6) & 0x3f)),
                       static_cast<char>(0x80 | (at & 0x3f))};
  }
  return out;
}

std::string Escaped(absl::string_view text, absl::string_view prefix, absl::string_view end = "") {
  std::string out;
  for (const char c : text) absl::StrAppend(&out, prefix, Hex(std::string(1, c)), end);
  return out;
}

std::string Octal(absl::string_view text, absl::string_view prefix = "\\") {
  std::string out;
  for (const char c : text) absl::StrAppend(&out, prefix, absl::StrFormat("%03o", c));
  return out;
}

std::string Decimal(absl::string_view text, absl::string_view prefix, absl::string_view end) {
  std::string out;
  for (const char c : text) absl::StrAppend(&out, prefix, static_cast<int>(c), end);
  return out;
}

struct Row {
  const char* name;
  std::string text;
  const char* form;
};

TEST(Canaries, AreFoundHoweverTheyAreWritten) {
  const Row kRows[] = {
      {"as it is", kPlanted, "as it is"},
      {"within other text", absl::StrCat("see ", kPlanted, ", and so on"), "as it is"},
      {"in another case", "tipstaff-CANARY-7F3A91", "as it is"},
      {"in case that changes", "tIpStAfF-cAnArY-7f3A91", "as it is"},
      {"without its hyphens", "tipstaffcanary7f3a91", "as it is"},
      {"with spaces", "T I P S T A F F c a n a r y 7 f 3 a 9 1", "as it is"},
      {"over lines", "TIPSTAFF-\ncanary-\n7f3a91", "as it is"},
      {"with invisible characters", "TIPSTAFF\u200b-can\u200dary-7f3a91", "as it is"},
      {"full-width", "\uff34\uff29\uff30\uff33\uff34\uff21\uff26\uff26-canary-7f3a91", "as it is"},
      {"mathematical letters", "\U0001d413IPSTAFF-canary-7f3a91", "as it is"},
      {"backwards", "19a3f7-yranac-FFATSPIT", "backwards"},
      {"percent-encoded", Escaped(kPlanted, "%"), "escaped"},
      {"in part", "https://a.example/?q=TIPSTAFF%2Dcan%61ry%2D7f3a91", "escaped"},
      {"twice", "TIPSTAFF%252Dcan%2561ry%252D7f3a91", "escaped, escaped"},
      {"quoted-printable", "TIPST=41FF-canary-7f3a91", "escaped"},
      {"C escapes", Escaped(kPlanted, "\\x"), "escaped"},
      {"JSON escapes", Escaped(kPlanted, "\\u00"), "escaped"},
      {"HTML", "&#84;IPSTAFF-c&#x61;nary-7f3a91", "escaped"},
      {"C octal", Octal(kPlanted), "escaped"},
      {"C octal of the shell", Octal(kPlanted, "\\0"), "escaped"},
      {"CSS", Escaped(kPlanted, "\\", " "), "escaped"},
      {"CSS with zeros", Escaped(kPlanted, "\\0000"), "escaped, in hex"},
      {"Perl's escapes", Escaped(kPlanted, "\\x{", "}"), "escaped"},
      {"HTML without ends", Decimal(kPlanted, "&#", ""), "escaped"},
      {"HTML in hex without ends", Escaped(kPlanted, "&#x"), "escaped"},
      {"HTML twice", Decimal(kPlanted, "&amp;#", ";"), "escaped, escaped"},
      {"HTML twice, in hex", Escaped(kPlanted, "&amp;#x", ";"), "escaped, escaped"},
      {"HTML twice, without ends", Decimal(kPlanted, "&amp#", ""), "escaped, escaped"},
      {"HTML with many zeros", Decimal(kPlanted, absl::StrCat("&#", std::string(40, '0')), ";"),
       "escaped"},
      {"HTML's names of letters", "&Topf;&Ifr;&Popf;STA&Fscr;F-c&aacute;nary-7f3a91", "escaped"},
      {"JavaScript with many zeros",
       Escaped(kPlanted, absl::StrCat("\\u{", std::string(40, '0')), "}"), "escaped"},
      {"HTML's no-break spaces", "TIPSTAFF&nbsp;canary&nbsp;7f3a91", "escaped"},
      {"the same without ends", "TIPSTAFF&nbsp canary&shy-7f3a91", "escaped"},
      {"HTML's hyphens", "TIPSTAFF&hyphen;canary&dash;7f3a91", "escaped"},
      {"HTML's numbers of no character", "TIPSTAFF&#99999999999;canary&#xffffff;7f3a91", "escaped"},
      {"C's \\v", R"(TIPSTAFF\vcanary\v7f3a91)", "escaped"},
      {"C's \\0", R"(TIPSTAFF\0canary\07f3a91)", "escaped"},
      {"C's \\a", R"(TIPSTAFF\acanary\a7f3a91)", "escaped"},
      {"C's \\e", R"(TIPSTAFF\ecanary\e7f3a91)", "escaped"},
      {"C's tab in octal", R"(TIPSTAFF\011canary\0117f3a91)", "escaped"},
      {"base64 with HTML's spaces", InPieces(Base64(kPlanted), "&nbsp;", 4), "escaped, in base64"},
      {"base64 of C octal", Base64(Octal(kPlanted)), "in base64, escaped"},
      {"hex", Hex(kPlanted), "in hex"},
      {"hex, upper case, within text",
       absl::StrCat("id=", absl::AsciiStrToUpper(Hex(kPlanted)), "."), "in hex"},
      {"hex with colons", Escaped(kPlanted, "", ":"), "in hex"},
      {"hex as C has it", Escaped(kPlanted, "0x", ", "), "in hex"},
      {"hex after a digit", absl::StrCat("7", Hex(kPlanted)), "in hex"},
      {"base64", Base64(kPlanted), "in base64"},
      {"base64 without padding", "VElQU1RBRkYtY2FuYXJ5LTdmM2E5MQ", "in base64"},
      {"base64 of more", Base64(absl::StrCat("key: ", kPlanted, "; end")), "in base64"},
      {"of one byte more", Base64(absl::StrCat("x", kPlanted)), "in base64"},
      {"of two bytes more", Base64(absl::StrCat("xy", kPlanted, "z")), "in base64"},
      {"base64 for URLs", absl::WebSafeBase64Escape(absl::StrCat("\xfb\xff ", kPlanted)),
       "in base64"},
      {"base64 over lines", "VElQU1RBRkYt\nY2FuYXJ5LTdm\r\nM2E5MQ==", "in base64"},
      {"base64 after letters", absl::StrCat("ab", Base64(kPlanted)), "in base64"},
      {"in a data URL", absl::StrCat("data:text/plain;base64,", Base64(kPlanted)), "in base64"},
      {"base64 of UTF-16", Base64(Utf16(kPlanted)), "in base64"},
      {"base64 of hex", Base64(Hex(kPlanted)), "in base64, in hex"},
      {"base64 three times", Base64(Base64(Base64(kPlanted))), "in base64, in base64, in base64"},
      {"hex of base64, percent-encoded", Escaped(Base64(kPlanted), "%"), "escaped, in base64"},
      {"base64, backwards",
       [] {
         const std::string text = Base64(kPlanted);
         return std::string(text.rbegin(), text.rend());
       }(),
       "backwards, in base64"},
      {"base64 three times, backwards",
       [] {
         const std::string text = Base64(Base64(Base64(kPlanted)));
         return std::string(text.rbegin(), text.rend());
       }(),
       "backwards, in base64, in base64, in base64"},
      {"in a JSON string", R"({\"note\": \"TIPSTAFF-\ncanary-\t7f3a91\"})", "escaped"},
      {"full-width, percent-encoded",
       Escaped("\uff34\uff29\uff30\uff33\uff34\uff21\uff26\uff26-canary-7f3a91", "%"), "escaped"},
      {"full-width, JSON escapes",
       R"(\uff34\uff29\uff30\uff33\uff34\uff21\uff26\uff26-canary-7f3a91)", "escaped"},
      {"base64 with a character between", Base64("TIPSTAFF\u00a0canary\u20147f3a91"), "in base64"},
      {"base64 of another case", Base64("TIPSTAFF-CANARY-7F3A91"), "in base64"},
      {"full-width hex", Wide(Hex(kPlanted)), "in hex"},
      {"full-width base64", Wide(Base64(kPlanted)), "in base64"},
      {"base64, some of it full-width", absl::StrCat("VElQU1R\uff22RkYtY2FuY", "XJ5LTdmM2E5MQ"),
       "in base64"},
      {"base64 with bold letters", absl::StrCat("\U0001d415\U0001d404lQU1RBRkYtY2FuYXJ5LTdmM2E5MQ"),
       "in base64"},
      {"full-width percent signs", Wide(Escaped(kPlanted, "%")), "escaped"},
      {"full-width JSON escapes", Wide(Escaped(kPlanted, "\\u00")), "escaped"},
      {"full-width HTML", "\uff06\uff03\uff18\uff14\uff1bIPSTAFF-canary-7f3a91", "escaped"},
      {"JavaScript's escapes", Escaped(kPlanted, "\\u{", "}"), "escaped"},
      {"Python's escapes", Escaped(kPlanted, "\\U000000"), "escaped"},
      {"escapes of old browsers", Escaped(kPlanted, "%u00"), "escaped"},
      {"hex in pieces with letters between", InPieces(Hex(kPlanted), " \u00e9\u65e5 "), "in hex"},
      {"hex, the last digit before an x", absl::StrCat(Hex(kPlanted), "0xa"), "in hex"},
      {"base64 of UTF-16, big-endian", Base64(Utf16(kPlanted, true)), "in base64"},
      {"base64 of UTF-16 of another width", Base64(Utf16(Wide(kPlanted))), "in base64"},
      {"base64 of base64 in UTF-16", Base64(Utf16(Base64(kPlanted))), "in base64, in base64"},
      {"base64 of full-width base64 in UTF-16, in pieces with letters between",
       Base64(Utf16(InPieces(Wide(Base64(kPlanted)), "\u3042", 15), true)), "in base64, in base64"},
      {"base64 of escapes in UTF-16", Base64(Utf16(Escaped(kPlanted, "%"))), "in base64, escaped"},
      {"base64 in pieces, of base64 in pieces",
       InPieces(Base64(InPieces(Base64(kPlanted), "\u00b7")), "\n> "), "in base64, in base64"},
      {"hex in pieces, of full-width base64, percent-encoded",
       Escaped(InPieces(Hex(Wide(Base64(kPlanted))), "::"), "%"), "escaped, in hex, in base64"},
      {"base64 after bytes that are no text",
       Base64(absl::StrCat("\xff\xfe\x80", kPlanted, "\xff\xff")), "in base64"},
      {"base64 with single bytes between that are no text", Base64(InPieces(kPlanted, "\xa0")),
       "in base64"},
  };
  const Canaries canaries = One();
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const json::Document arguments = Arguments(row.text);
    const std::optional<Sighting> sighting = canaries.FindIn(arguments.root());
    ASSERT_TRUE(sighting.has_value());
    EXPECT_TRUE(sighting->certain);
    EXPECT_EQ(sighting->pointer, "/body");
    EXPECT_EQ(sighting->form, row.form);
  }
}

// A decoder that skips what is none of its digits reads all of these.
TEST(Canaries, AreFoundInBase64InPieces) {
  const Canaries canaries = One();
  for (const char* between : {"\n> ",   " . ",          "&",      "\u00a0",     "\u200b",
                              "\u2060", "\u00ad",       "\ufeff", "\u202e",     "\U000e0041",
                              "=",      "==\n",         "-",      "_",          "+",
                              "/",      "-_",           " + ",    "\", \"",     "\u3042",
                              "\u00e9", "\u0301\u0302", "\u2460", "\U0001f600", "\\",
                              "%",      "*|*",          "\t"}) {
    for (const size_t size : {1, 2, 3, 7}) {
      const std::string text = InPieces(Base64(kPlanted), between, size);
      const json::Document arguments = Arguments(text);
      const std::optional<Sighting> sighting = canaries.FindIn(arguments.root());
      ASSERT_TRUE(sighting.has_value()) << text;
      EXPECT_EQ(sighting->form, "in base64") << text;
    }
  }
  // In either alphabet, with what is a digit of the other one between.
  Canaries cyrillic;
  const char kCyrillic[] = "\u043e\u0442\u043f\u0440\u0430\u0432\u044c \u043a\u043b\u044e\u0447";
  ASSERT_TRUE(cyrillic.Add(kCyrillic).ok());
  const std::string more = absl::StrCat(kCyrillic, "\u04fe>?\u04ff>?");
  const std::string standard = Base64(more), url = absl::WebSafeBase64Escape(more);
  ASSERT_NE(standard.find_first_of("+/"), std::string::npos);
  ASSERT_NE(url.find_first_of("-_"), std::string::npos);
  for (const std::string& text :
       {InPieces(standard, "-_"), InPieces(url, "+/"), InPieces(url, "/")}) {
    EXPECT_TRUE(cyrillic.FindIn(Arguments(text).root()).has_value()) << text;
  }
}

TEST(Canaries, AreFoundInUtf16OfAnyScript) {
  for (const char* planted :
       {"\u041a\u043b\u044e\u0447 \u043e\u0442\u043f\u0440\u0430\u0432",
        "Schl\u00fcssel \u00fcbergeben", "\u79d8\u5bc6\u306e\u9375\u3092\u9001\u308b\u306a",
        "\U00010400\U00010401\U00010402\U00010403"
        "\U00010404\U00010405\U00010406\U00010407",
        "Don\u2019t tell Dana"}) {
    Canaries canaries;
    ASSERT_TRUE(canaries.Add(planted).ok()) << planted;
    for (const bool big_endian : {false, true}) {
      const std::string bytes = Utf16(planted, big_endian);
      const std::string with_mark = absl::StrCat(big_endian ? "\xfe\xff" : "\xff\xfe", bytes);
      std::string units;
      const std::string by_unit = Utf16(planted, true);
      for (size_t i = 0; i < by_unit.size(); i += 2) {
        absl::StrAppend(&units, "\\u", Hex(by_unit.substr(i, 2)));
      }
      for (const std::string& text :
           {Base64(bytes), Base64(with_mark), Base64(absl::StrCat("x", bytes)), Hex(bytes),
            InPieces(Hex(bytes), " ", 2), InPieces(Base64(bytes), "\n> "), Escaped(bytes, "%"),
            Escaped(bytes, "\\x"), Escaped(bytes, "\\u00"), units, Base64(Base64(bytes)),
            Hex(Base64(bytes)), Base64(Utf16(Base64(bytes), big_endian)), Base64(units)}) {
        EXPECT_TRUE(canaries.FindIn(Arguments(text).root()).has_value()) << planted << " " << text;
      }
      const std::string other =
          planted == std::string("Don\u2019t tell Dana") ? "Dont tell Dan" : "x";
      EXPECT_FALSE(canaries.FindIn(Arguments(Base64(Utf16(other))).root()).has_value());
    }
  }
}

TEST(Canaries, AreFoundWhereverTheyStand) {
  const Canaries canaries = One();
  const struct {
    const char* arguments;
    const char* pointer;
  } kRows[] = {
      {R"({"a":[1,{"b":"TIPSTAFF-canary-7f3a91"}]})", "/a/1/b"},
      {R"({"a":{"TIPSTAFF-canary-7f3a91":1}})", "/a/TIPSTAFF-canary-7f3a91"},
      {R"({"to":"TIPSTAFF","subject":"-canary-","x":["7f3","a91"]})", ""},
      {R"({"a/b":{"~":"tipstaffcanary7f3a91"}})", "/a~1b/~0"},
      {R"({"b":"x","a":["yz",{"c":"VElQU1RBRkYtY2FuYXJ5LTdmM2E5MQ"}],"z":1})", "/a/1/c"},
      {R"({"b":"x","a":"VElQU1RBRkYtY2","c":"FuYXJ5LTdmM2E5MQ"})", ""},
      {R"({"a":"TIPST%4","b":"1FF%2","c":"Dcanary-7f3a91"})", ""},
      {R"({"a":"TIPSTAFF-canary-7f3a9&amp;#49","b":8443})", "/a"},
      {R"({"a":"&#","b":"5449%2050%205354414646%2063616e617279376633613931"})", "/b"},
      {R"({"a":"5449%2050%205354414646%2063616e617279376633613931","b":"x"})", "/a"},
  };
  for (const auto& row : kRows) {
    const json::Document arguments = json::MustParse(row.arguments);
    const std::optional<Sighting> sighting = canaries.FindIn(arguments.root());
    ASSERT_TRUE(sighting.has_value()) << row.arguments;
    EXPECT_EQ(sighting->pointer, row.pointer);
  }
  Canaries digits;
  ASSERT_TRUE(digits.Add("4417-1234-5678").ok());
  EXPECT_TRUE(digits.FindIn(json::MustParse(R"({"a":441712345678})").root()).has_value());
}

TEST(Canaries, AreNotSeenInOrdinaryText) {
  const Canaries canaries = One();
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    for (int i = 0; i < 400; ++i) bytes += static_cast<char>(random());
    for (const std::string& text :
         {Base64(bytes), Hex(bytes), std::string("TIPSTAFF canary 7f3a9")}) {
      EXPECT_FALSE(canaries.FindIn(Arguments(text).root()).has_value()) << text;
    }
  }
  EXPECT_FALSE(Canaries().FindIn(Arguments(kPlanted).root()).has_value()) << "none was planted";
}

// Sixteen of the shortest ones, in what decodes to any bytes at all.
TEST(Canaries, ShortOnesAreNotSeenByChance) {
  Canaries canaries;
  for (char c = 'a'; c < 'q'; ++c) ASSERT_TRUE(canaries.Add(std::string(8, c)).ok());
  std::mt19937 random(6);
  for (int round = 0; round < 4; ++round) {
    std::string bytes, words;
    while (bytes.size() < 100'000) bytes += static_cast<char>(random());
    while (words.size() < 100'000) {
      words.append(1 + random() % 9, static_cast<char>('a' + random() % 26));
      words += " \n.,-_/+"[random() % 8];
      if (words.size() % 50 == 0) words += "\u00e9\u200b";
    }
    for (std::string text : {Base64(bytes), Hex(bytes), InPieces(Base64(bytes), "\n> ", 70)}) {
      EXPECT_FALSE(canaries.FindIn(Arguments(text).root()).has_value());
    }
    const auto in_words = canaries.FindIn(Arguments(words).root());
    EXPECT_TRUE(!in_words.has_value() || in_words->form == "as it is") << in_words->form;
  }
}

TEST(Canaries, WorkIsBounded) {
  const Canaries canaries = One();
  const std::string text = LaboriousText();
  const std::optional<Sighting> sighting = canaries.FindIn(Arguments(text).root());
  ASSERT_TRUE(sighting.has_value());
  EXPECT_FALSE(sighting->certain);
  EXPECT_EQ(sighting->pointer, "/body");
  // It is certain of what it comes upon before.
  const auto found = canaries.FindIn(Arguments(absl::StrCat(kPlanted, text)).root());
  EXPECT_TRUE(found.has_value() && found->certain);
}

// A text of ordinary content is looked through to its end, however long calls get.
TEST(Canaries, OrdinaryTextIsLookedThrough) {
  const Canaries canaries = One();
  std::mt19937 random(7);
  std::string bytes, prose;
  while (bytes.size() < 190'000) bytes += static_cast<char>(random());
  while (prose.size() < 250'000)
    prose += "See a/b-c and [d](e_f+g?h=%20i), \u201cquoted\u201d; 3%.\n";
  for (const std::string& text :
       {Base64(bytes), InPieces(Base64(bytes), "\r\n", 76), Hex(bytes), prose}) {
    EXPECT_FALSE(canaries.FindIn(Arguments(text).root()).has_value());
    EXPECT_TRUE(
        canaries.FindIn(Arguments(absl::StrCat(text, " ", Base64(kPlanted))).root())->certain);
  }
}

TEST(Canaries, MayBeInAnyScript) {
  for (const char* planted : {"\u041a\u043b\u044e\u0447 \u043e\u0442\u043f\u0440\u0430\u0432",
                              "Schl\u00fcssel \u00fcbergeben", "Don\u2019t tell Dana the key"}) {
    Canaries canaries;
    ASSERT_TRUE(canaries.Add(planted).ok()) << planted;
    for (const std::string& text : {std::string(planted), Base64(planted), Hex(planted)}) {
      EXPECT_TRUE(canaries.FindIn(Arguments(text).root()).has_value()) << text;
    }
  }
  const struct {
    const char* planted;
    const char* text;
  } kOtherwise[] = {
      {"Schl\u00fcsselstra\u00dfe", "SCHL\u00dcSSELSTRASSE"},
      {"\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2 \u03bc\u03c5",
       "\u039a\u03a9\u0394\u0399\u039a\u038c\u03a3 \u039c\u03a5"},
      {"\u043a\u043b\u044e\u0447 \u043e\u0442\u043f\u0440",
       "\u0440\u043f\u0442\u043e \u0447\u044e\u043b\u043a"},
      {"planted-text", R"(\ud835\udc29lanted\u002dtext)"},
      {"planted-text", "&#000000000112;lanted-text"},
  };
  for (const auto& row : kOtherwise) {
    Canaries one;
    ASSERT_TRUE(one.Add(row.planted).ok()) << row.planted;
    EXPECT_TRUE(one.FindIn(Arguments(row.text).root()).has_value()) << row.text;
  }
  Canaries canaries;
  ASSERT_TRUE(canaries.Add("Schl\u00fcssel").ok());
  EXPECT_TRUE(canaries.FindIn(Arguments("schlu\u0308ssel").root()).has_value()) << "taken apart";
}

// Each letter outside ASCII is two bytes: a backslash that is left between them parts it.
TEST(Canaries, LettersOfSeveralBytesAreFoundInEscapesThatAreQuoted) {
  const std::string key = "Schl\u00fcssel \u00fcbergeben Nr 4";
  const auto quoted = [](absl::string_view text) {
    json::Builder builder;
    builder.String(text);
    return json::Dump((*std::move(builder).Build()).root());
  };
  const auto each = [&key](const char* format, bool ascii, bool characters) {
    std::string out;
    for (absl::string_view rest = key; !rest.empty();) {
      const base::CodePoint point = base::FirstCodePoint(rest);
      if (point.value < 0x80 && !ascii) {
        out += rest[0];
      } else if (characters) {
        out += absl::StrFormat(*absl::ParsedFormat<'x'>::New(format), point.value);
      } else {
        for (const char byte : rest.substr(0, point.bytes)) {
          const auto octal = absl::ParsedFormat<'o'>::New(format);
          const unsigned value = static_cast<unsigned char>(byte);
          out += octal ? absl::StrFormat(*octal, value)
                       : absl::StrFormat(*absl::ParsedFormat<'x'>::New(format), value);
        }
      }
      rest.remove_prefix(point.bytes);
    }
    return out;
  };
  Canaries canaries;
  ASSERT_TRUE(canaries.Add(key).ok());
  const struct {
    const char* name;
    std::string escaped;
  } kRows[] = {
      {"octal", each("\\%03o", true, false)},
      {"octal among letters, as git quotes a path", each("\\%o", false, false)},
      {"the shell's octal", each("\\0%03o", true, false)},
      {"bytes of Python", each("\\x%02x", false, false)},
      {"CSS", each("\\%x ", true, true)},
      {"CSS with zeros", each("\\%06x", false, true)},
      {"in braces", each("\\u{%x}", true, true)},
      {"Perl's in braces", each("\\x{%x}", false, true)},
      {"octal of octal", Octal(each("\\%03o", true, false))},
  };
  for (const auto& row : kRows) {
    std::string text = row.escaped;
    for (int times = 0; times < 3; ++times) {
      const auto sighting = canaries.FindIn(Arguments(text).root());
      EXPECT_TRUE(sighting.has_value() && sighting->certain) << row.name << ": " << text;
      if (times > 0 && absl::StartsWith(row.name, "octal of")) break;  // three levels
      text = quoted(text);
    }
  }
  // What quotes a backslash keeps what follows it.
  Canaries path;
  ASSERT_TRUE(path.Add("C:\\new\\table").ok());
  EXPECT_TRUE(path.FindIn(Arguments("C:\\\\ne\\u0077\\\\table").root()).has_value());
}

TEST(Canaries, LettersOfOneByteAreFoundInEscapes) {
  Canaries canaries;
  ASSERT_TRUE(canaries.Add("Schl\u00fcssel \u00fcbergeben \u00df").ok());
  const struct {
    const char* text;
    bool found;
  } kRows[] = {
      {"Schl\\xfcssel \\xfcbergeben \\xdf", true},
      {"Schl\\374ssel \\374bergeben \\337", true},
      {"Schl%FCssel+%FCbergeben+%DF", true},
      {"Schl=FCssel =FCbergeben =DF", true},
      {"Schl\\\\xfcssel \\\\xfcbergeben \\\\xdf", true},
      {"Schl%25FCssel%2520%25FCbergeben%2520%25DF", true},
      {"Schl%C3%BCssel %FCbergeben \u00df", true},
      {"Schl%F6ssel %FCbergeben %DF", false},
      {"Schl%FCssel %FCbergeben", false},
  };
  for (const auto& row : kRows) {
    const auto sighting = canaries.FindIn(Arguments(row.text).root());
    EXPECT_EQ(sighting.has_value(), row.found) << row.text;
  }
}

TEST(Canaries, ASearchMayEndBeforeItKnows) {
  const Canaries canaries = One();
  const json::Document small = Arguments("hello"), found = Arguments(Hex(kPlanted));
  std::string prose;
  while (prose.size() < 100'000) prose += "See a/b and c. ";
  const json::Document large = Arguments(prose), late = Arguments(prose + kPlanted);
  const json::Document apart =
      json::MustParse(absl::StrCat(R"({"a":")", prose, R"(","b":"TIPSTAFF-canary-7f3a91"})"));
  constexpr size_t kLittle = 4 << 10;
  ASSERT_TRUE(canaries.SearchWithin(kLittle, small.root()).has_value());
  EXPECT_FALSE(canaries.SearchWithin(kLittle, small.root())->sighting().has_value());
  ASSERT_TRUE(canaries.SearchWithin(kLittle, found.root()).has_value());
  EXPECT_EQ(canaries.SearchWithin(kLittle, found.root())->sighting()->form, "in hex");
  for (const json::Document* one : {&large, &late, &apart}) {
    EXPECT_FALSE(canaries.SearchWithin(kLittle, one->root()).has_value());
  }
  // What it says does not depend on how much it may look through, but where it says nothing.
  for (size_t work = 1024; work <= kMostCanaryWork; work *= 4) {
    const auto result = canaries.SearchWithin(work, apart.root());
    if (!result.has_value()) continue;
    ASSERT_TRUE(result->sighting().has_value()) << work;
    EXPECT_EQ(result->sighting()->pointer, "/b") << work;
  }
  EXPECT_TRUE(canaries.SearchWithin(kMostCanaryWork, apart.root()).has_value());
  const std::atomic<bool> given_up = true;
  EXPECT_FALSE(canaries.SearchWithin(kMostCanaryWork, large.root(), &given_up).has_value());
}

// A pointer for each of many values below a long name would be more memory than there is.
TEST(Canaries, LongNamesOverManyValuesTakeLittle) {
  std::string text = absl::StrCat("{\"", std::string(100'000, 'k'), "\":[1");
  for (int i = 0; i < 60'000; ++i) text += ",1";
  const json::Document arguments = json::MustParse(text + "]}");
  const std::optional<Sighting> sighting = One().FindIn(arguments.root());
  EXPECT_TRUE(!sighting.has_value() || !sighting->certain);
}

TEST(Canaries, ShortOnesAreRefused) {
  Canaries canaries;
  EXPECT_EQ(canaries.Add("abc-123").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(canaries.Add("").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(canaries.Add(std::string(257, 'a')).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(canaries.empty());
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(canaries.Add(absl::StrCat("planted-text-", i)).ok());
  EXPECT_EQ(canaries.Add("one-too-many").code(), absl::StatusCode::kInvalidArgument);
}

TEST(Canaries, AreDeniedBeforeAnyPermissionIsAsked) {
  const FakeCatalog catalog;
  const auto skill = MustLoad(R"(skill: a
backends: {mail: {stub: mailbox}}
permissions:
  - {id: send, tool: mail.send_message, unscoped: A test., args: {body: {type: string}}}
finalize: none
)",
                              catalog);
  source::Diagnostics diagnostics;
  const std::string planted[] = {kPlanted};
  const auto grant = Grant::Make({skill}, json::MustParse("{}"), catalog, diagnostics, planted);
  ASSERT_NE(grant, nullptr);
  const call::Decision decision = Decide(
      *grant, {}, CallOf("mail.send_message", absl::StrCat("{\"body\":\"", Hex(kPlanted), "\"}")));
  EXPECT_EQ(decision.reason, call::Reason::kCanary);
  ASSERT_TRUE(decision.nearest.has_value());
  EXPECT_EQ(decision.nearest->found, "planted text 1, in hex");
  EXPECT_EQ(decision.nearest->pointer, "/body");
  EXPECT_EQ(Decide(*grant, {}, CallOf("mail.send_message", R"({"body":"hello"})")).reason,
            call::Reason::kPermitted);
  const call::Decision undecided = Decide(
      *grant, {}, CallOf("mail.send_message", json::Dump(Arguments(LaboriousText()).root())));
  EXPECT_EQ(undecided.reason, call::Reason::kArgumentRefused);
  EXPECT_FALSE(call::MayPassLater(undecided.reason));
  EXPECT_EQ(undecided.nearest->found, "more than can be looked through");
  const auto without = Grant::Make({skill}, json::MustParse("{}"), catalog, diagnostics);
  EXPECT_NE(grant->digest(), without->digest());
  const std::string bad[] = {"short"};
  EXPECT_EQ(Grant::Make({skill}, json::MustParse("{}"), catalog, diagnostics, bad), nullptr);
  EXPECT_EQ(diagnostics.back().code, "P111");
}

}  // namespace
}  // namespace tipstaff::policy
