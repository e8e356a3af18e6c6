#include "mediator/keys/base64url.h"

#include <gtest/gtest.h>

namespace tipstaff::keys {
namespace {

TEST(Base64Url, RoundTripsEveryLength) {
  std::string bytes;
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ(FromBase64Url(Base64Url(bytes)), bytes) << i;
    bytes += static_cast<char>(255 - i * 7);
  }
  EXPECT_EQ(Base64Url("\xff\xfe\xfd\xfc"), "__79_A");
}

TEST(Base64Url, TakesOneTextPerValue) {
  struct Row {
    const char* name;
    const char* text;
  };
  const Row rows[] = {
      {"padding", "_w=="},
      {"part of the padding", "_w="},
      {"the other alphabet", "/w"},
      {"set bits after the last byte", "_x"},
      {"one character", "_"},
      {"one character too many", "AAAAA"},
      {"white space", "AA AA"},
      {"white space at the end", "AAAA\n"},
      {"a dot", "AAA."},
      {"no ASCII", "AA\xc3\xa4"},
  };
  for (const Row& row : rows) EXPECT_EQ(FromBase64Url(row.text), std::nullopt) << row.name;
  EXPECT_EQ(FromBase64Url("_w"), "\xff");
  EXPECT_EQ(FromBase64Url(absl::string_view("AAAA\0", 5)), std::nullopt);
}

}  // namespace
}  // namespace tipstaff::keys
