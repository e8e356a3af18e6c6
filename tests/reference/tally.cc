#include "tests/reference/tally.h"

#include <algorithm>
#include <iterator>

namespace tipstaff::reference {

void Tally::Add(const Site& site, bool scope, size_t depth, Sure sure) {
  most_.insert(site);
  const bool beyond = !scope || site.conditional;
  if (sure == Sure::kYes) {
    Site plain = site;
    plain.way = 0;
    least_.insert(plain);
    if (!depth_.has_value()) depth_ = depth;
  } else if (!depth_.has_value()) {
    first_known_ = false;
  }
  bool& said = sure == Sure::kPerhaps ? maybe_beyond_scope_ : beyond_scope_;
  said = said || beyond;
}

void Tally::Add(const Tally& other, Sure sure) {
  if (other.passed()) return;
  most_.insert(other.most_.begin(), other.most_.end());
  maybe_beyond_scope_ = maybe_beyond_scope_ || other.maybe_beyond_scope_;
  bool& said = sure == Sure::kPerhaps ? maybe_beyond_scope_ : beyond_scope_;
  said = said || other.beyond_scope_;
  if (sure == Sure::kYes) least_.insert(other.least_.begin(), other.least_.end());
  if (depth_.has_value()) return;
  if (sure == Sure::kYes) depth_ = other.depth_;
  first_known_ = first_known_ && other.first_known_ && sure == Sure::kYes;
}

std::optional<bool> Tally::IsNearerThan(const Tally& other) const {
  if (most() < other.least()) return true;
  if (least() > other.most()) return false;
  if (least() != most() || other.least() != other.most()) return std::nullopt;
  if (!first_known_ || !other.first_known_ || !depth_.has_value() || !other.depth_.has_value()) {
    return std::nullopt;
  }
  return *depth_ > *other.depth_;
}

void Tally::Blur(const Tally& other) {
  most_.insert(other.most_.begin(), other.most_.end());
  std::set<Site> both;
  std::set_intersection(least_.begin(), least_.end(), other.least_.begin(), other.least_.end(),
                        std::inserter(both, both.end()));
  least_ = std::move(both);
  first_known_ = false;
}

}  // namespace tipstaff::reference
