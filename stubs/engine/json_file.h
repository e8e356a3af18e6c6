// A JSON file with the place of every value, as source::ParseYaml() gives those of YAML.
#pragma once

#include <memory>
#include <optional>

#include "mediator/source/document.h"

namespace tipstaff::engine {

// Strict, as json::Parse() is. Nothing after adding an error (S020).
std::optional<source::Document> ParseJsonFile(std::shared_ptr<const source::File> file,
                                              source::Diagnostics& diagnostics);

}  // namespace tipstaff::engine
