// Loads skills from text, and makes calls, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/grant.h"
#include "mediator/policy/testing/fake_catalog.h"

namespace tipstaff::policy {

inline std::shared_ptr<const Skill> TryLoad(absl::string_view text, const Catalog& catalog,
                                            source::Diagnostics& diagnostics) {
  auto file = std::make_shared<source::File>();
  file->path = "skill.yaml";
  file->text = std::string(text);
  return LoadSkill(std::move(file), catalog, diagnostics);
}

// Fails the test when there is an error.
inline std::shared_ptr<const Skill> MustLoad(absl::string_view text, const Catalog& catalog) {
  source::Diagnostics diagnostics;
  std::shared_ptr<const Skill> skill = TryLoad(text, catalog, diagnostics);
  EXPECT_NE(skill, nullptr) << source::RenderText(diagnostics);
  return skill;
}

inline std::shared_ptr<const Grant> MustGrant(std::vector<std::shared_ptr<const Skill>> skills,
                                              absl::string_view bindings, const Catalog& catalog) {
  source::Diagnostics diagnostics;
  auto grant = Grant::Make(std::move(skills), json::MustParse(bindings), catalog, diagnostics);
  EXPECT_NE(grant, nullptr) << source::RenderText(diagnostics);
  return grant;
}

inline call::Call CallOf(absl::string_view tool, absl::string_view arguments) {
  call::Call call{.id = "c1", .tool = std::string(tool), .arguments = json::MustParse(arguments)};
  call.canonical = json::Canonical(call.arguments.root());
  return call;
}

}  // namespace tipstaff::policy
