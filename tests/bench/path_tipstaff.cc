#include "tests/bench/path_tipstaff.h"

#include <unistd.h>

#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/json/document.h"
#include "mediator/json/parse.h"

namespace tipstaff::bench {
namespace {

constexpr absl::Duration kStartTime = absl::Seconds(15);

// Relative to the file, so that socket paths stay short whatever the folder's.
absl::StatusOr<std::string> WriteConfig(const PathOptions& options, const std::string& folder) {
  const std::string path = folder + "/tipstaff.yaml";
  const auto absolute = [](const std::string& text) {
    return std::filesystem::absolute(text).lexically_normal().string();
  };
  TIPSTAFF_RETURN_IF_ERROR(base::WriteFile(
      path, absl::StrCat("channels:\n  runs: run\nadmin: admin.sock\nledger: tipstaff.db\n",
                         "keys: keys\npolicies: [\"", absolute(options.policies), "\"]\nstubs: [\"",
                         absolute(options.stubs), "\"]\n")));
  return path;
}

// `run open` until the mediator answers; it fails at once for any other reason.
absl::StatusOr<std::string> OpenRun(const PathOptions& options, const std::string& config,
                                    const std::string& admin, const Process& mediator) {
  const absl::Time deadline = absl::Now() + kStartTime;
  while (::access(admin.c_str(), F_OK) != 0) {
    if (!mediator.Running()) return absl::UnavailableError("`tipstaff serve` ended at once");
    if (absl::Now() > deadline) return absl::DeadlineExceededError("no `" + admin + "` came");
    absl::SleepFor(absl::Milliseconds(10));
  }
  return OutputOf({options.tipstaff_bin + "/tipstaff", "run", "open", "--config", config, "--skill",
                   options.skill, "--bind", "report_id=" + options.report_id, "--bind",
                   "tenant=acme", "--format", "json"});
}

absl::StatusOr<std::string> StringAt(const json::Document& reply, absl::string_view key) {
  const json::Value value = reply.root().Find(key);
  if (value.is_string()) return std::string(value.string().data(), value.string().size());
  return absl::InternalError(absl::StrCat("`tipstaff run open` printed no \"", key, "\""));
}

}  // namespace

absl::StatusOr<Mediator> StartMediator(const PathOptions& options, const std::string& folder) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string config, WriteConfig(options, folder));
  TIPSTAFF_ASSIGN_OR_RETURN(
      Process process, Process::Start({options.tipstaff_bin + "/tipstaff", "serve", "--log-level",
                                       "warn", "--config", config}));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string opened,
                            OpenRun(options, config, folder + "/admin.sock", process));
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document reply, json::Parse(opened));
  Mediator mediator{std::move(process), "", ""};
  TIPSTAFF_ASSIGN_OR_RETURN(mediator.socket, StringAt(reply, "socket"));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string token_file, StringAt(reply, "token_file"));
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string token, base::ReadFile(token_file));
  const absl::string_view stripped = absl::StripAsciiWhitespace(token);
  mediator.token.assign(stripped.data(), stripped.size());
  return mediator;
}

std::string ReadArguments(const std::string& report_id) {
  return absl::StrCat(R"({"report_id":")", report_id, R"("})");
}

std::string WriteArguments(const std::string& report_id, uint64_t number, size_t size) {
  std::string text = absl::StrCat(R"({"report_id":")", report_id, R"(","name":"evidence-)", number,
                                  R"(.txt","content":")");
  if (text.size() + 2 < size) text.append(size - text.size() - 2, 'a' + number % 26);
  return text + "\"}";
}

}  // namespace tipstaff::bench
