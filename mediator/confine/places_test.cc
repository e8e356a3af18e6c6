#include "mediator/confine/places.h"

#include <gtest/gtest.h>

#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::confine {
namespace {

TEST(CheckHidden, RefusesWhatLiesInUsr) {
  EXPECT_TRUE(CheckHidden({"/var/lib/tipstaff/tipstaff.db", "/usrlocal/keys"}).ok());
  EXPECT_EQ(CheckHidden({"/var/lib/x", "/usr/local/tipstaff/keys"}).code(),
            absl::StatusCode::kFailedPrecondition);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path("/usr/lib");
  EXPECT_FALSE(CheckHidden({"not-there-yet/tipstaff.db"}).ok()) << "a relative path";
  std::filesystem::current_path(before);
}

TEST(IsInside, ComparesByParts) {
  EXPECT_TRUE(IsInside("/a/b", "/a"));
  EXPECT_TRUE(IsInside("/a", "/a"));
  EXPECT_FALSE(IsInside("/ab", "/a")) << "a name that begins alike";
  EXPECT_FALSE(IsInside("/a", "/a/b"));
}

TEST(Resolved, FollowsLinksAsFarAsThereAreAny) {
  base::TempFolder folder;
  const std::filesystem::path whole = std::filesystem::canonical(folder.path());
  std::filesystem::create_directory(folder.Path("real"));
  std::filesystem::create_symlink("real", folder.Path("link"));
  EXPECT_EQ(Resolved(folder.Path("link/absent")), whole / "real/absent");
  EXPECT_EQ(Resolved(folder.Path("real/../link")), whole / "real");
}

}  // namespace
}  // namespace tipstaff::confine
