#include "mediator/config/hidden_paths.h"

namespace tipstaff::config {

std::vector<std::string> HiddenPaths(const Config& config) {
  std::vector<std::string> paths = {config.ledger, config.keys_dir, config.admin_socket,
                                    config.runs_dir};
  for (const McpServer& server : config.mcp_servers) {
    if (server.credential && !server.credential->from.file.empty()) {
      paths.push_back(server.credential->from.file);
    }
  }
  return paths;
}

}  // namespace tipstaff::config
