#include "tests/conformance/upstreams.h"

#include <stdexcept>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"

namespace tipstaff::conformance {
namespace {

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

// A Node.js program in bubblewrap, which sees the packages and Node.js, and `folder` if any.
std::string Confined(const Packages& packages, const std::string& program,
                     std::vector<std::string> arguments, const std::string& folder = "") {
  std::vector<std::string> command = {packages.node, absl::StrCat(packages.modules, "/", program)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<std::string> read = {packages.modules};
  // What lies below /usr is there anyway.
  if (!absl::StartsWith(packages.node, "/usr/")) read.push_back(FolderOf(packages.node));
  if (!folder.empty()) read.push_back(folder);
  const auto list = [](const std::vector<std::string>& texts) {
    return absl::StrJoin(texts, ", ", [](std::string* out, const std::string& text) {
      absl::StrAppend(out, json::Quote(text));
    });
  };
  return absl::StrCat("stdio: {command: [", list(command), "], read: [", list(read), "]}");
}

Upstream Everything(const Packages& packages) {
  Upstream upstream;
  upstream.server.how =
      Confined(packages, "@modelcontextprotocol/server-everything/dist/index.js", {"stdio"});
  upstream.server.reads = {"echo", "trigger-long-running-operation"};
  upstream.permissions =
      "  - {id: echo, tool: server.echo, args: {message: {enum: [hello, again]}}}\n"
      "  - {id: long, tool: server.trigger-long-running-operation,"
      " args: {duration: {const: 20}, steps: {const: 40}}}\n";
  upstream.call = {"echo", R"({"message":"hello"})"};
  upstream.answer = "hello";
  upstream.refused = {"echo", R"({"message":"something else"})"};
  upstream.cancel = {"trigger-long-running-operation", R"({"duration":20,"steps":40})"};
  upstream.cancel_after_ms = 300;
  return upstream;
}

Upstream Filesystem(const Packages& packages, const std::string& folder) {
  Upstream upstream;
  const std::string file = folder + "/greeting.txt";
  upstream.server.how =
      Confined(packages, "@modelcontextprotocol/server-filesystem/dist/index.js", {folder}, folder);
  upstream.server.reads = {"read_text_file", "list_directory"};
  upstream.permissions = absl::StrCat(
      "  - {id: read, tool: server.read_text_file, args: {path: {const: ", json::Quote(file),
      "}}}\n  - {id: list, tool: server.list_directory, args: {path: {const: ", json::Quote(folder),
      "}}}\n");
  upstream.call = {"read_text_file", absl::StrCat(R"({"path":)", json::Quote(file), "}")};
  upstream.answer = "hello from a file";
  upstream.refused = {"read_text_file", R"({"path":"/etc/passwd"})"};
  upstream.cancel = upstream.call;
  return upstream;
}

Upstream Memory(const Packages& packages) {
  Upstream upstream;
  upstream.server.how = Confined(packages, "@modelcontextprotocol/server-memory/dist/index.js", {});
  upstream.server.reads = {"read_graph", "search_nodes"};
  upstream.permissions =
      "  - {id: graph, tool: server.read_graph, args: {}}\n"
      "  - {id: search, tool: server.search_nodes, args: {query: {const: nothing}}}\n";
  upstream.call = {"search_nodes", R"({"query":"nothing"})"};
  upstream.answer = "entities";
  upstream.refused = {"search_nodes", R"({"query":"everything"})"};
  upstream.cancel = {"read_graph", "{}"};
  return upstream;
}

Upstream CodeRunner(const Packages& packages) {
  Upstream upstream;
  upstream.server.how = Confined(packages, "mcp-server-code-runner/dist/cli.js", {});
  upstream.server.reads = {"run-code"};
  upstream.permissions =
      "  - {id: run, tool: server.run-code, args: {languageId: {const: shellscript},"
      " code: {enum: [\"echo 42\", \"sleep 2\"], text: any}}}\n";
  upstream.call = {"run-code", R"({"languageId":"shellscript","code":"echo 42"})"};
  upstream.answer = "42";
  upstream.refused = {"run-code", R"({"languageId":"shellscript","code":"cat /etc/passwd"})"};
  upstream.cancel = {"run-code", R"({"languageId":"shellscript","code":"sleep 2"})"};
  upstream.cancel_after_ms = 300;
  return upstream;
}

Upstream Dbhub(const Packages& packages) {
  Upstream upstream;
  upstream.server.how =
      Confined(packages, "@bytebase/dbhub/dist/index.js", {"--demo", "--transport", "stdio"});
  upstream.server.reads = {"execute_sql"};
  upstream.permissions =
      "  - {id: count, tool: server.execute_sql,"
      " args: {sql: {const: select count(*) as employees from employee}}}\n";
  upstream.call = {"execute_sql", R"({"sql":"select count(*) as employees from employee"})"};
  upstream.answer = "employees";
  upstream.refused = {"execute_sql", R"({"sql":"drop table employee"})"};
  upstream.cancel = upstream.call;
  return upstream;
}

Upstream Make(const std::string& name, const Packages& packages, const std::string& folder) {
  if (name == "everything") return Everything(packages);
  if (name == "filesystem") return Filesystem(packages, folder);
  if (name == "memory") return Memory(packages);
  if (name == "code_runner") return CodeRunner(packages);
  if (name == "dbhub") return Dbhub(packages);
  throw std::invalid_argument(absl::StrCat("no such upstream: ", name));
}

}  // namespace

Upstream MakeUpstream(const std::string& name, const Packages& packages,
                      const std::string& folder) {
  Upstream upstream = Make(name, packages, folder);
  upstream.name = name;
  upstream.server.name = "server";
  upstream.server.stop = "killable";
  return upstream;
}

std::string SkillOf(const Upstream& upstream) {
  return absl::StrCat("skill: harmless\ndescription: A few calls of ", upstream.name,
                      ".\nnames: bare\nbackends: {server: {upstream: server}}\npermissions:\n",
                      upstream.permissions, "finalize: none\n");
}

}  // namespace tipstaff::conformance
