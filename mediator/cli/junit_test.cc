#include "mediator/cli/junit.h"

#include <expat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "absl/strings/str_cat.h"
#include "mediator/base/utf8.h"

namespace tipstaff::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Element {
  std::string name, text;
  std::map<std::string, std::string> attributes;
};

// All elements in the order of their start tags, as a parser that is not ours reads them.
struct Xml {
  std::vector<Element> elements;
  std::vector<size_t> open;
  std::string error;  // "": well-formed

  explicit Xml(const std::string& text) {
    const XML_Parser parser = XML_ParserCreate(nullptr);
    XML_SetUserData(parser, this);
    XML_SetElementHandler(
        parser,
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          Element element{.name = name};
          for (; *attributes != nullptr; attributes += 2) {
            element.attributes[attributes[0]] = attributes[1];
          }
          static_cast<Xml*>(self)->open.push_back(static_cast<Xml*>(self)->elements.size());
          static_cast<Xml*>(self)->elements.push_back(std::move(element));
        },
        [](void* self, const XML_Char*) { static_cast<Xml*>(self)->open.pop_back(); });
    XML_SetCharacterDataHandler(parser, [](void* self, const XML_Char* data, int length) {
      Xml& xml = *static_cast<Xml*>(self);
      xml.elements[xml.open.back()].text.append(data, length);
    });
    if (XML_Parse(parser, text.data(), static_cast<int>(text.size()), 1) != XML_STATUS_OK) {
      error = absl::StrCat(XML_ErrorString(XML_GetErrorCode(parser)), " in line ",
                           XML_GetCurrentLineNumber(parser));
    }
    XML_ParserFree(parser);
  }

  std::vector<Element> Named(const std::string& name) const {
    std::vector<Element> found;
    for (const Element& element : elements) {
      if (element.name == name) found.push_back(element);
    }
    return found;
  }
};

std::vector<TestedFile> Results() {
  TestedFile skill{.file = {UserFile::Kind::kSkill, "policies/triage/skill.yaml"},
                   .name = "skill.triage"};
  skill.tests.push_back({.name = "reads",
                         .place = "policies/triage/skill.yaml:12",
                         .line = 12,
                         .took = absl::Milliseconds(2)});
  skill.tests.push_back({.name = "refuses <b> & \"c\"",
                         .place = "policies/triage/skill.yaml:20",
                         .line = 20,
                         .message = "expected deny; decided allow\nby `read`",
                         .explanation = "note: `read` permits it\n   |\n12 | a: ]]> &amp;\n",
                         .took = absl::Microseconds(1500)});
  TestedFile broken{.file = {UserFile::Kind::kSkill, "policies/b/skill.yaml"},
                    .name = "skill.b",
                    .error = "error[P012]: unknown keyword `x`\n --> policies/b/skill.yaml:1:1\n"};
  TestedFile without{.file = {UserFile::Kind::kStub, "stubs/c/stub.yaml"}, .name = "stub.c"};
  return {skill, broken, without};
}

TEST(RenderJunit, HasWhatCiServersRead) {
  const Xml xml(RenderJunit(Results()));
  ASSERT_EQ(xml.error, "");
  ASSERT_EQ(xml.elements[0].name, "testsuites");
  EXPECT_THAT(xml.elements[0].attributes,
              ElementsAre(Pair("errors", "1"), Pair("failures", "1"), Pair("name", "tipstaff test"),
                          Pair("tests", "3"), Pair("time", "0.003500")));
  const std::vector<Element> suites = xml.Named("testsuite"), cases = xml.Named("testcase");
  ASSERT_EQ(suites.size(), 2u) << "none for a file without tests";
  EXPECT_THAT(suites[0].attributes, ElementsAre(Pair("errors", "0"), Pair("failures", "1"),
                                                Pair("name", "policies/triage/skill.yaml"),
                                                Pair("tests", "2"), Pair("time", "0.003500")));
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_THAT(
      cases[0].attributes,
      ElementsAre(Pair("classname", "skill.triage"), Pair("file", "policies/triage/skill.yaml"),
                  Pair("line", "12"), Pair("name", "reads"), Pair("time", "0.002000")));
  EXPECT_EQ(cases[1].attributes.at("name"), "refuses <b> & \"c\"");
}

TEST(RenderJunit, AFailureCarriesItsExplanation) {
  const Xml xml(RenderJunit(Results()));
  const std::vector<Element> failures = xml.Named("failure"), errors = xml.Named("error");
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].attributes.at("message"), "expected deny; decided allow");
  EXPECT_EQ(failures[0].text,
            "expected deny; decided allow\nby `read`\n\nnote: `read` permits it\n   |\n"
            "12 | a: ]]> &amp;\n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].attributes.at("message"), "error[P012]: unknown keyword `x`");
  EXPECT_THAT(errors[0].text, HasSubstr("policies/b/skill.yaml:1:1"));
}

// What a reader gets for a name and a message with these bytes.
std::pair<std::string, std::string> ReadBack(const std::string& bytes) {
  TestedFile file{.file = {UserFile::Kind::kSkill, bytes}, .name = bytes};
  file.tests.push_back({.name = bytes, .message = "m", .explanation = bytes});
  const Xml xml(RenderJunit({file}));
  EXPECT_EQ(xml.error, "") << RenderJunit({file});
  if (!xml.error.empty()) return {};
  return {xml.Named("testcase")[0].attributes.at("name"), xml.Named("failure")[0].text.substr(3)};
}

TEST(RenderJunit, EveryByteIsReadBackOrWrittenOut) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(1, static_cast<char>(byte));
    const auto [attribute, text] = ReadBack(bytes);
    const bool kept = byte == '\t' || byte == '\n' || byte == '\r' || (byte >= 0x20 && byte < 0x80);
    const std::string expected = kept           ? bytes
                                 : byte >= 0x80 ? absl::StrCat("\\x", absl::Hex(byte))
                                                : absl::StrCat("\\u{", absl::Hex(byte), "}");
    EXPECT_EQ(attribute, expected) << byte;
    EXPECT_EQ(text, expected) << byte;
  }
  for (const char* kept : {"ü", "漢", "\xf0\x9f\x98\x80", "\u2028", "]]>", "<!--", "&lt;"}) {
    EXPECT_EQ(ReadBack(kept).first, kept);
    EXPECT_EQ(ReadBack(kept).second, kept);
  }
  EXPECT_EQ(ReadBack("\xef\xbf\xbe").first, "\\u{fffe}") << "no character of XML's";
}

TEST(RenderJunit, IsWellFormedWhateverTheBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes += static_cast<char>(random() % 256);
    const auto [attribute, text] = ReadBack(bytes);
    EXPECT_EQ(attribute, text);
    EXPECT_TRUE(base::IsUtf8(text));
  }
}

}  // namespace
}  // namespace tipstaff::cli
