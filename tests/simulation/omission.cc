// Only of a build with TIPSTAFF_OMISSIONS.
#include "mediator/run/omission.h"

#include <optional>

namespace tipstaff::run {
namespace {

std::optional<Rule>& Omitted() {
  static std::optional<Rule> omitted;
  return omitted;
}

}  // namespace

bool Omits(Rule rule) { return Omitted() == rule; }

Omission::Omission(Rule rule) { Omitted() = rule; }
Omission::~Omission() { Omitted().reset(); }

}  // namespace tipstaff::run
