// The parser against another one: texts that were damaged in every way a byte can be.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::json {
namespace {

const std::vector<std::string> kSeeds = {
    R"({"report_id":"rep_demo0001","name":"evidence-7.txt","content":"aé€😀\n\u00e9"})",
    R"([1,-2,3.5,1e3,-0.0,18446744073709551615,true,false,null,"",[],{}])",
    R"( { "a" : [ { "b" : { "c" : [ 1 , [ 2 , [ 3 ] ] ] } } ] , "\"\\\/" : "\b\f\r\t" } )",
    R"("\ud83d\ude00\u0041")",
    "-12.75E-2",
    "[[[[[[[[]]]]]]]]",
    R"({"k1":{},"k2":[],"k3":"x"})"};

class Damage {
 public:
  std::string Apply(std::string text) {
    static constexpr char kBytes[] = "{}[]\",:\\u0eE+-.1dtfn \t\n/\x80\xc3\xed\xff\x1f";
    for (int i = Below(4); i >= 0; --i) {
      const size_t at = Below(text.size() + 1);
      const char byte = kBytes[Below(sizeof kBytes - 1)];
      switch (Below(4)) {
        case 0:
          text.insert(at, 1, byte);
          break;
        case 1:
          if (at < text.size()) text[at] = byte;
          break;
        case 2:
          text.erase(at, Below(3));
          break;
        default: {
          const std::string& other = kSeeds[Below(kSeeds.size())];
          text.insert(at, other.substr(Below(other.size()), Below(12)));
        }
      }
    }
    return text;
  }
  size_t Below(size_t end) { return random_() % end; }

 private:
  std::mt19937 random_{20260501};
};

// Whether the two agree that a text is one, and then on what it says. What this parser refuses by
// its own choice (docs of Parse) the other one cannot judge.
void Compare(const std::string& text) {
  const absl::StatusOr<Document> ours = Parse(text);
  const bool theirs = nlohmann::json::accept(text);
  if (!ours.ok() && !absl::StrContains(ours.status().message(), "not JSON")) return;
  ASSERT_EQ(ours.ok(), theirs) << text << "\n" << ours.status();
  if (!theirs) return;
  const nlohmann::json value = nlohmann::json::parse(text);
  EXPECT_EQ(value, nlohmann::json::parse(Canonical(ours->root()))) << text;
  EXPECT_EQ(value, nlohmann::json::parse(Dump(ours->root()))) << text;
  EXPECT_EQ(value, nlohmann::json::parse(DumpIndented(ours->root()))) << text;
}

TEST(ParseCompare, DamagedTexts) {
  Damage damage;
  for (const std::string& seed : kSeeds) Compare(seed);
  for (int i = 0; i < 60'000; ++i) Compare(damage.Apply(kSeeds[damage.Below(kSeeds.size())]));
}

TEST(ParseCompare, EveryShortTextOfTheGrammarsBytes) {
  const absl::string_view kBytes = "{}[]\",:\\01-.e tn";
  std::string text;
  const auto extend = [&](auto& self, size_t length) -> void {
    Compare(text);
    if (length == 0) return;
    for (const char byte : kBytes) {
      text += byte;
      self(self, length - 1);
      text.pop_back();
    }
  };
  extend(extend, 4);
}

}  // namespace
}  // namespace tipstaff::json
