// What there is in every random run: the tools, and how bindings are declared.
#pragma once

#include <string>
#include <vector>

#include "mediator/call/tool.h"
#include "mediator/policy/testing/fake_catalog.h"
#include "tests/differential/tree.h"

namespace tipstaff::differential {

struct WorldTool {
  std::string alias, name;
  call::Effect effect = call::Effect::kRead;
  call::Kind kind = call::Kind::kTool;
  std::string plain() const { return alias + "." + name; }
  std::string FullName() const { return call::FullName(kind, alias, name); }
};

// Two backends, `m` and `t`.
const std::vector<WorldTool>& WorldTools();
const policy::Catalog& WorldCatalog();

struct WorldBinding {
  std::string name;
  std::string declaration;          // a JSON object
  std::vector<std::string> values;  // JSON, each of which satisfies it
  bool is_list() const { return values.front().front() == '['; }
};
const std::vector<WorldBinding>& WorldBindings();

}  // namespace tipstaff::differential
