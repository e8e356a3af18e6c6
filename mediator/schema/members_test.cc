#include "mediator/schema/members.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tipstaff::schema::internal {
namespace {

TEST(Members, TellsNamesApartByEachByteAndByLength) {
  for (size_t size = 0; size <= 20; ++size) {
    const std::string name(size, 'm');
    Members members;
    members.Add(name, 7);
    EXPECT_EQ(members.Find(name), 7u);
    EXPECT_EQ(members.Find(name + "m"), kNone);
    for (size_t at = 0; at < size; ++at) {
      std::string other = name;
      other[at] = 'n';
      EXPECT_EQ(members.Find(other), kNone) << size << " bytes, other at " << at;
    }
  }
}

TEST(Members, FindsThemAllFromWhereverItBegins) {
  for (uint32_t count : {1, 2, 12, 13, 40}) {
    Members members;
    for (uint32_t i = 0; i < count; ++i) members.Add(absl::StrCat("name_", i), 100 + i);
    for (uint32_t from = 0; from <= count + 1; ++from) {
      for (uint32_t i = 0; i < count; ++i) {
        EXPECT_EQ(members.FindPlace(absl::StrCat("name_", i), from), i);
      }
      EXPECT_EQ(members.FindPlace("name_", from), kNone);
    }
  }
}

}  // namespace
}  // namespace tipstaff::schema::internal
