#include "tests/reference/canary.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::reference {
namespace {

struct Row {
  const char* name;
  const char* arguments;
  bool found;
};

TEST(CarriesOut, AsThePageSays) {
  const std::vector<std::string> canaries = {"Planted text 47", "\xc3\xa9t\xc3\xa9-12345-x"};
  for (const Row& row : std::initializer_list<Row>{
           {"as it is", R"({"a":"the planted text 47."})", true},
           {"another text", R"({"a":"the planted text 48."})", false},
           {"without its last letter", R"({"a":"planted text 4"})", false},
           {"in another case, split", R"({"a":"P-L-A-N T.E.D\n te xt 47"})", true},
           {"with a letter between", R"({"a":"planted a text 47"})", false},
           {"of another width", R"({"a":"\uff30lanted \uff54ext \uff14\uff17"})", true},
           {"without accents", R"({"a":"ete12345x"})", true},
           {"with accents", R"({"a":"plant\u00e9d t\u00e9xt 47"})", true},
           {"over values", R"({"a":"planted","b":[" te",{"c":"xt"}],"d":47})", true},
           {"over values in another order", R"({"b":[" te",{"c":"xt"}],"a":"planted","d":47})",
            false},
           {"over a name and a value", R"({"planted text":"47"})", false},
           {"as a name", R"({"a":[{"planted text 47":null}]})", true},
           {"backwards", R"({"a":"74 txet detnalp"})", true},
           {"percent-encoded", R"({"a":"%70lanted%20te%78t+%34%37"})", true},
           {"percent-encoded, and broken", R"({"a":"%7lanted%20te%78t+%34%37"})", false},
           {"quoted-printable", R"({"a":"=50lanted te=78t 47"})", true},
           {"in JSON", R"({"a":"\\u0070lanted\\n\\u0074ext \\x347"})", true},
           {"in HTML", R"({"a":"&#112;lanted &#x74;ext &#0052;7"})", true},
           {"in HTML without an end", R"({"a":"&#112lanted text 47"})", true},
           {"in HTML, of another character", R"({"a":"&#11lanted text 47"})", false},
           {"in HTML twice", R"({"a":"&amp;#112;lanted&amp;nbsp;text 47"})", true},
           {"HTML's names", R"({"a":"planted&nbsp;text&nbsp47"})", true},
           {"in octal", R"({"a":"\\160lanted\\040text\\v\\64\\x{37}"})", true},
           {"in the shell's octal", R"({"a":"\\0160lanted\\0text\\a47"})", true},
           {"zeros of C before a digit", R"({"a":"planted text\\047"})", true},
           {"in CSS", R"({"a":"\\70 lanted\\20text 47"})", true},
           {"with many zeros",
            R"({"a":"&#000000000000000000000000000000000000112;lanted text 47"})", true},
           {"in hex", R"({"a":"706c616e746564207465787420 3437"})", true},
           {"in hex after a digit", R"({"a":"7706c616e7465642074657874203437"})", true},
           {"in hex as C has it",
            R"({"a":"0x70,0x6c,0x61,0x6E,0x74,0x65,0x64,0x74,0x65,0x78,0x74,0x34,0x37"})", true},
           {"in base64", R"({"a":"cGxhbnRlZCB0ZXh0IDQ3"})", true},
           {"in base64 after letters", R"({"a":"abcGxhbnRl\r\nZCB0ZXh0IDQ3"})", true},
           {"in base64, cut", R"({"a":"cGxhbnRlZCB0ZXh0IDQ"})", false},
           {"base64 over values", R"({"a":"cGxhbnRlZCB","b":"0ZXh0IDQ3"})", true},
           {"base64 of UTF-16", R"({"a":"cABsAGEAbgB0AGUAZAB0AGUAeAB0ADQANwA="})", true},
           {"base64 of hex", R"({"a":"NzA2YzYxNmU3NDY1NjQyMDc0NjU3ODc0MjAzNDM3"})", true},
           {"base64, backwards", R"({"a":"3QDI0hXZ0BCZlRnbhxGc"})", true},
           {"base64, quoted", R"({"a":"cGxhb\n> nRlZCB\n> 0ZXh0IDQ3"})", true},
           {"base64 with digits of the other alphabet between",
            R"({"a":"cGxhb-nRlZCB+0ZXh0_IDQ3"})", true},
           {"base64 with letters between", R"({"a":"cGxhb x nRlZCB0ZXh0IDQ3"})", false},
           {"base64 of full width", R"({"a":"\uff43GxhbnRlZCB0ZXh0IDQ\uff13"})", true},
           {"base64 with what is of full width between", R"({"a":"cGxhb\uff41nRlZCB0ZXh0IDQ3"})",
            true},
           {"percent-encoded, of full width", R"({"a":"\uff05\uff17\uff10lanted text 47"})", true},
           {"JavaScript's escapes", R"({"a":"\\u{70}lanted %u0074ext \\U0000003447"})", false},
           {"Python's and old browsers'", R"({"a":"\\u{70}lanted %u0074ext \\U000000347"})", true},
           {"hex before an x", R"({"a":"706c616e7465642074657874203437 0xe"})", true},
           {"hex of UTF-16", R"({"a":"0070006c0061006e007400650064007400650078007400340037"})",
            true},
           {"hex of UTF-16 with an accent", R"({"a":"e90074006500310032003300340035007800"})",
            true},
           {"bytes of UTF-16 as characters",
            R"({"a":"\u00e9\u0000t\u0000\u00e9\u00001\u00002\u00003\u00004\u00005\u0000x\u0000"})",
            true},
           {"octal in JSON", R"({"a":"\\\\303\\\\251t\\\\303\\\\251-12345-x"})", true},
           {"octal in JSON in JSON", R"({"a":"\\\\\\\\303\\\\\\\\251te12345x"})", true},
           {"a backslash that is quoted", R"({"a":"plan\\\\ted te\\u0078t 47"})", true},
           {"one that is not", R"({"a":"plan\\ted te\\u0078t 47"})", false},
           {"one byte for a letter", R"({"a":"\\xe9t\\351-12345-x"})", true},
           {"the same in a URL", R"({"a":"%E9t%E9-12345-x"})", true},
           {"another number", R"({"a":"%E9t%E9-12346-x"})", false},
           {"nothing", R"({"a":null,"b":true,"c":[],"d":""})", false}}) {
    const Carries right = row.found ? Carries::kYes : Carries::kNo;
    EXPECT_EQ(CarriesOut(canaries, json::MustParse(row.arguments).root()), right) << row.name;
  }
}

TEST(CarriesOut, IsNotSureOfCharactersThatItDoesNotKnow) {
  const std::vector<std::string> canaries = {"planted text 47"};
  for (const char* text : {"pl\u00e5nted text 47", "plant\u0133ed text 47", "planted te\u0133t 47",
                           "\u00e5lanted text 4\u00e5"}) {
    const json::Document arguments = json::MustParse(absl::StrCat("[\"", text, "\"]"));
    EXPECT_EQ(CarriesOut(canaries, arguments.root()), Carries::kPerhaps) << text;
  }
  for (const char* text : {"pl\u00e5nted text 48", "pl\u00e5nted t\u00e5xt 4\u00e5"}) {
    const json::Document arguments = json::MustParse(absl::StrCat("[\"", text, "\"]"));
    EXPECT_EQ(CarriesOut(canaries, arguments.root()), Carries::kNo) << text;
  }
}

}  // namespace
}  // namespace tipstaff::reference
