#include "guest-agent/options.h"

#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"

namespace tipstaff::guest_agent {
namespace {

constexpr char kHelp[] =
    R"(tipstaff-guest: an MCP server that passes an agent's calls to the Tipstaff mediator

Usage: tipstaff-guest [--connect PATH | --vsock CID:PORT] [--token-file PATH]
                      [--http 127.0.0.1:PORT [--http-token-file PATH]]

  --connect PATH      the mediator's Unix socket
                      (else $TIPSTAFF_SOCKET, else /run/tipstaff/guest.sock)
  --vsock CID:PORT    connect by vsock instead; from a VM to its host: 2:PORT
  --token-file PATH   the file with the run token
                      (else $TIPSTAFF_TOKEN_FILE, else /run/tipstaff/token)
  --http ADDRESS      serve Streamable HTTP at http://ADDRESS/mcp instead of stdio:
                      127.0.0.1:PORT or [::1]:PORT; port 0 takes a free one, which
                      the line `listening on URL` on stderr names
  --http-token-file PATH
                      the file with the token that HTTP clients have to bear
  --version           print the version and exit
  --help              print this and exit

An agent's MCP client starts it, for instance with
  {"mcpServers": {"tipstaff": {"command": "tipstaff-guest", "args": []}}}
or connects to one that runs:
  {"mcpServers": {"tipstaff": {"type": "http", "url": "http://127.0.0.1:8787/mcp"}}}
)";

std::string Cut(absl::string_view text) { return base::EscapeAndCut(text, 100); }

absl::Status CheckPath(absl::string_view from, absl::string_view path) {
  if (path.empty()) return absl::InvalidArgumentError(absl::StrCat("`", from, "` is empty"));
  if (absl::StartsWith(path, "${")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", from, "` is `", Cut(path), "`: the variable was not expanded; write the path itself"));
  }
  return absl::OkStatus();
}

absl::StatusOr<VsockAddress> ParseVsock(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  VsockAddress address;
  constexpr uint32_t kAny = std::numeric_limits<uint32_t>::max();
  const auto number = [](absl::string_view digits, uint32_t* value) {
    return !digits.empty() && digits.find_first_not_of("0123456789") == absl::string_view::npos &&
           absl::SimpleAtoi(digits, value) && *value != kAny;
  };
  if (parts.size() != 2 || !number(parts[0], &address.cid) || !number(parts[1], &address.port)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--vsock ", Cut(text), "` is not CID:PORT, two numbers (the host of a VM is CID 2)"));
  }
  return address;
}

absl::StatusOr<HttpAddress> ParseHttp(absl::string_view text) {
  HttpAddress address;
  absl::string_view port = text;
  address.ipv6 = absl::ConsumePrefix(&port, "[::1]:");
  uint32_t number = 0;
  if ((!address.ipv6 && !absl::ConsumePrefix(&port, "127.0.0.1:")) || port.empty() ||
      port.find_first_not_of("0123456789") != absl::string_view::npos ||
      !absl::SimpleAtoi(port, &number) || number > std::numeric_limits<uint16_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--http ", Cut(text),
                     "` is not 127.0.0.1:PORT or [::1]:PORT: only the machine itself is served"));
  }
  address.port = static_cast<uint16_t>(number);
  return address;
}

// What the command line says; absent options are nothing.
struct Given {
  std::optional<std::string> connect, vsock, token_file, http, http_token_file;

  // Where the option of that name goes; null for one that there is not.
  std::optional<std::string>* Slot(absl::string_view name) {
    if (name == "--connect") return &connect;
    if (name == "--vsock") return &vsock;
    if (name == "--token-file") return &token_file;
    if (name == "--http") return &http;
    if (name == "--http-token-file") return &http_token_file;
    return nullptr;
  }
};

absl::Status SetOnce(std::optional<std::string>& slot, absl::string_view name,
                     absl::string_view value) {
  if (slot) return absl::InvalidArgumentError(absl::StrCat("`", name, "` is given twice"));
  slot = std::string(value);
  return absl::OkStatus();
}

absl::StatusOr<Given> ReadArguments(const std::vector<std::string>& arguments, Options& options) {
  Given given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::pair<absl::string_view, absl::string_view> split =
        absl::StrSplit(arguments[i], absl::MaxSplits('=', 1));
    const absl::string_view name = split.first;
    const bool has_value = name.size() < arguments[i].size();
    if (!has_value && (name == "--help" || name == "-h")) {
      options.help = true;
      continue;
    }
    if (!has_value && name == "--version") {
      options.version = true;
      continue;
    }
    std::optional<std::string>* const slot = given.Slot(name);
    if (slot == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown argument `", Cut(arguments[i]), "`: see `tipstaff-guest --help`"));
    }
    if (!has_value && i + 1 == arguments.size()) {
      return absl::InvalidArgumentError(absl::StrCat("`", name, "` needs a value"));
    }
    TIPSTAFF_RETURN_IF_ERROR(
        SetOnce(*slot, name, has_value ? split.second : absl::string_view(arguments[++i])));
  }
  return given;
}

// The option, else the variable, else the default.
absl::StatusOr<std::string> Path(const std::optional<std::string>& given, absl::string_view option,
                                 const Environment& environment, const std::string& variable,
                                 absl::string_view otherwise) {
  if (given) {
    TIPSTAFF_RETURN_IF_ERROR(CheckPath(option, *given));
    return *given;
  }
  if (const std::optional<std::string> value = environment(variable)) {
    TIPSTAFF_RETURN_IF_ERROR(CheckPath(variable, *value));
    return *value;
  }
  return std::string(otherwise);
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& arguments,
                                     const Environment& environment) {
  Options options;
  TIPSTAFF_ASSIGN_OR_RETURN(const Given given, ReadArguments(arguments, options));
  if (options.help || options.version) return options;
  if (given.vsock && given.connect) {
    return absl::InvalidArgumentError("`--connect` and `--vsock` exclude each other");
  }
  if (given.vsock) {
    TIPSTAFF_ASSIGN_OR_RETURN(options.vsock, ParseVsock(*given.vsock));
  } else {
    TIPSTAFF_ASSIGN_OR_RETURN(options.socket, Path(given.connect, "--connect", environment,
                                                   "TIPSTAFF_SOCKET", kDefaultSocket));
  }
  TIPSTAFF_ASSIGN_OR_RETURN(options.token_file, Path(given.token_file, "--token-file", environment,
                                                     "TIPSTAFF_TOKEN_FILE", kDefaultTokenFile));
  if (given.http) {
    TIPSTAFF_ASSIGN_OR_RETURN(options.http, ParseHttp(*given.http));
  }
  if (given.http_token_file) {
    if (!given.http) return absl::InvalidArgumentError("`--http-token-file` goes with `--http`");
    TIPSTAFF_RETURN_IF_ERROR(CheckPath("--http-token-file", *given.http_token_file));
    options.http_token_file = *given.http_token_file;
  }
  return options;
}

std::string HelpText() { return kHelp; }

}  // namespace tipstaff::guest_agent
