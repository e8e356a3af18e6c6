#include "mediator/cli/upstream_server.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"
#include "mediator/config/hidden_paths.h"
#include "mediator/source/diagnostic.h"
#include "mediator/upstream/http_client.h"
#include "mediator/upstream/inventory.h"
#include "mediator/upstream/make_transport.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience(60);

// A folder of its own for as long as it lives.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / absl::StrCat("tipstaff-", base::RandomText(12))) {
    std::error_code ignored;
    fs::create_directory(path_, ignored);
    fs::permissions(path_, fs::perms::owner_all, ignored);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string Path(const char* name) const { return (path_ / name).string(); }

 private:
  const fs::path path_;
};

}  // namespace

absl::StatusOr<config::McpServer> FindServer(const config::Config& config,
                                             const std::string& name) {
  std::vector<std::string> names;
  for (const config::McpServer& server : config.mcp_servers) {
    if (server.name == name) return server;
    names.push_back(server.name);
  }
  const std::string nearest = source::NearestName(name, names);
  return absl::NotFoundError(absl::StrCat(
      "there is no MCP server `", base::EscapeAndCut(name, 60),
      "` in `upstreams:` of tipstaff.yaml",
      names.empty()     ? ""
      : nearest.empty() ? absl::StrCat(": there is `", absl::StrJoin(names, "`, `"), "`")
                        : absl::StrCat(": did you mean `", nearest, "`?")));
}

absl::StatusOr<upstream::Inventory> AskServer(const config::Config& config,
                                              const config::McpServer& server) {
  std::optional<upstream::Secret> secret;
  if (server.credential) {
    TIPSTAFF_ASSIGN_OR_RETURN(secret, upstream::ReadSecret(*server.credential));
  }
  const Scratch scratch;
  boost::asio::io_context loop;
  upstream::Place place{scratch.Path("scratch"), scratch.Path("lock"), config::HiddenPaths(config),
                        nullptr};
  if (!server.url.empty()) place.http = std::make_shared<upstream::HttpClient>();
  absl::StatusOr<upstream::Inventory> result = absl::DeadlineExceededError(
      absl::StrCat("upstream `", server.name, "` has not listed what it has within a minute"));
  {
    upstream::Link link(loop, server.url.empty() ? mcp::Wire::kStdio : mcp::Wire::kHttp,
                        [&](upstream::Transport::Events events) {
                          return upstream::MakeTransport(loop, server, secret ? &*secret : nullptr,
                                                         place, std::move(events));
                        },
                        {.on_ready = [] {},
                         .on_list_changed = [](mcp::ListKind) {},
                         .on_resource_updated = [](const std::string&) {},
                         .on_note =
                             [&](const std::string& note) {
                               std::fprintf(stderr, "%s: %s\n", server.name.c_str(),
                                            (secret ? secret->texts.Mask(note) : note).c_str());
                             }});
    boost::asio::steady_timer timer(loop, kPatience);
    timer.async_wait([&](boost::system::error_code error) {
      if (!error) loop.stop();
    });
    upstream::FetchInventory(link, [&](absl::StatusOr<upstream::Inventory> inventory) {
      result = std::move(inventory);
      timer.cancel();
      loop.stop();
    });
    loop.run();
  }
  if (absl::IsUnavailable(result.status())) {
    return absl::UnavailableError(
        absl::StrCat("upstream `", server.name, "`: ", result.status().message()));
  }
  return result;
}

}  // namespace tipstaff::cli
