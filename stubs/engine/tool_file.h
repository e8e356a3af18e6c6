// Tools that are declared without what they do: those of a system that runs outside the process.
//
//   tools:
//     - name: post_change
//       effect: write
//       input: {type: object, properties: {text: {type: string}}}
//
// A tool is written as in stub.yaml, without an action, and its schemas stand in the file itself.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/call/tool.h"
#include "mediator/schema/program.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::engine {

struct DeclaredTool {
  call::Tool tool;
  std::optional<schema::Program> checks_output;  // where an output schema is declared
};

// Nothing when there was an error (S..., as in stub.yaml). There is a tool at least.
std::optional<std::vector<DeclaredTool>> LoadToolFile(std::shared_ptr<const source::File> file,
                                                      source::Diagnostics& diagnostics);

}  // namespace tipstaff::engine
