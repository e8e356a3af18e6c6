// The parser: what it takes is JSON to another parser too and means the same, and its canonical
// form reads back as itself.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tests/fuzz/require.h"

namespace tipstaff {
namespace {

void CheckWritten(const json::Document& document) {
  const std::string canonical = json::Canonical(document.root());
  const absl::StatusOr<json::Document> again = json::Parse(canonical);
  TIPSTAFF_REQUIRE(again.ok());
  TIPSTAFF_REQUIRE(json::Equal(again->root(), document.root()));
  TIPSTAFF_REQUIRE(json::Canonical(again->root()) == canonical);
  for (const std::string& text :
       {json::Dump(document.root()), json::DumpIndented(document.root())}) {
    const absl::StatusOr<json::Document> read = json::Parse(text);
    TIPSTAFF_REQUIRE(read.ok());
    TIPSTAFF_REQUIRE(json::Canonical(read->root()) == canonical);
  }
}

void CheckAgainstNlohmann(absl::string_view bytes, const absl::StatusOr<json::Document>& ours) {
  if (!ours.ok() && absl::StrContains(bytes, '\0')) return;  // to it NUL is the end of the text
  const nlohmann::json theirs = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr,
                                                      /*allow_exceptions=*/false);
  if (!ours.ok()) {
    // What is refused by choice (parse.h) the other one cannot judge.
    if (absl::StrContains(ours.status().message(), "not JSON")) {
      TIPSTAFF_REQUIRE(theirs.is_discarded());
    }
    return;
  }
  TIPSTAFF_REQUIRE(!theirs.is_discarded());
  TIPSTAFF_REQUIRE(nlohmann::json::parse(json::Canonical(ours->root())) == theirs);
}

}  // namespace
}  // namespace tipstaff

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<tipstaff::json::Document> document = tipstaff::json::Parse(bytes);
  if (document.ok()) tipstaff::CheckWritten(*document);
  tipstaff::CheckAgainstNlohmann(bytes, document);
  return 0;
}
