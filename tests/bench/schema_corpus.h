// The schemas and values that the validators are compared on.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"

namespace tipstaff::bench {

struct Sample {
  json::Document value;
  std::string text;    // of it
  bool valid = false;  // by what the schema says; every validator has to agree
};

struct SchemaCase {
  std::string name;  // package and tool
  json::Document schema;
  std::string text;
  std::vector<Sample> samples;
};

// The input schemas of the MCP servers in `folder`/tools, and what agents see of the shipped skills
// (policies/ and stubs/ below the current folder). Each has values that pass, short and about
// 1 KiB long, and values that do not: a member of another type, one that is missing, one that is
// not listed.
absl::StatusOr<std::vector<SchemaCase>> ReadCorpus(const std::string& folder);

// {"schemas": [...], "values": [[...], ...]} for a validator that is another program.
std::string ToJson(const std::vector<SchemaCase>& cases);

}  // namespace tipstaff::bench
