// What is published of a run's tools: valid JSON Schema 2020-12 that refuses nothing permitted.
#pragma once

#include <map>
#include <string>

#include "mediator/call/call.h"
#include "mediator/policy/grant.h"
#include "mediator/schema/program.h"

namespace tipstaff::differential {

class Published {
 public:
  explicit Published(const policy::Grant& grant);

  // "" where all is well: of the schemas themselves, and of a call that was decided so.
  std::string WrongWithSchemas() const { return wrong_; }
  std::string WrongWith(const call::Call& call, const call::Decision& decision) const;

 private:
  struct Tool {
    std::string text;
    schema::Program program;
  };

  void Add(const policy::PublishedTool& tool);

  std::map<std::string, Tool> tools_;  // by the name that a call has
  std::string wrong_;
};

}  // namespace tipstaff::differential
