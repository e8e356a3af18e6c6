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
    R"(tipstaff-guest: an MCP server on stdio that passes tool calls to the Tipstaff mediator

Usage: tipstaff-guest [--connect PATH | --vsock CID:PORT] [--token-file PATH]

  --connect PATH      the mediator's Unix socket
                      (else $TIPSTAFF_SOCKET, else /run/tipstaff/guest.sock)
  --vsock CID:PORT    connect by vsock instead; from a VM to its host: 2:PORT
  --token-file PATH   the file with the run token
                      (else $TIPSTAFF_TOKEN_FILE, else /run/tipstaff/token)
  --version           print the version and exit
  --help              print this and exit

An agent's MCP client starts it, for instance with
  {"mcpServers": {"tipstaff": {"command": "tipstaff-guest", "args": []}}}
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

// What the command line says; absent options are nothing.
struct Given {
  std::optional<std::string> connect, vsock, token_file;
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
    std::optional<std::string>* slot = name == "--connect"      ? &given.connect
                                       : name == "--vsock"      ? &given.vsock
                                       : name == "--token-file" ? &given.token_file
                                                                : nullptr;
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
  return options;
}

std::string HelpText() { return kHelp; }

}  // namespace tipstaff::guest_agent
