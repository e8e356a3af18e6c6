// Documents that published schemas are put together from.
#pragma once

#include <utility>

#include "mediator/json/builder.h"

namespace tipstaff::policy::internal {

// Deeper than the schemas of a tool and of a permission can nest together.
inline constexpr int kMaxPublishedDepth = 160;

// null where it nests deeper than that.
inline json::Document Built(json::Builder builder) {
  absl::StatusOr<json::Document> document = std::move(builder).Build();
  return document.ok() ? *std::move(document) : json::Document();
}

inline json::Document Own(json::Value value) {
  json::Builder builder(kMaxPublishedDepth);
  builder.Copy(value);
  return Built(std::move(builder));
}

}  // namespace tipstaff::policy::internal
