#include "mediator/cli/print_json.h"

#include <cstdio>
#include <utility>

#include "mediator/json/write.h"

namespace tipstaff::cli {

void PrintJson(json::Builder b) {
  const absl::StatusOr<json::Document> document = std::move(b).Build();
  if (document.ok()) std::printf("%s\n", json::Dump(document->root()).c_str());
}

}  // namespace tipstaff::cli
