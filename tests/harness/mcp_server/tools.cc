// What each tool does.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/json/write.h"
#include "tests/harness/mcp_server/server.h"

namespace tipstaff::mcp_server {
namespace {

constexpr absl::Duration kStep = absl::Milliseconds(50);
constexpr int64_t kMaxBigBytes = 64 << 20;

void Echo(Server& server, const CallPtr& call) {
  const json::Value arguments = call->arguments();
  server.Result(call, TextResult(arguments.exists() ? json::Dump(arguments) : "{}"));
}

// `step` of `steps`, each `time` after the one before; 0 steps: until it is cancelled.
void Slow(Server& server, const CallPtr& call, int64_t step, int64_t steps, absl::Duration time) {
  if (call->over) return;
  if (steps != 0 && step > steps) return server.Result(call, TextResult("done"));
  call->Progress(step, steps, absl::StrCat("step ", step));
  server.Later(time,
               [&server, call, step, steps, time] { Slow(server, call, step + 1, steps, time); });
}

void StartSlow(Server& server, const CallPtr& call) {
  const json::Value arguments = call->arguments();
  Slow(server, call, 1, arguments.IntegerOr("steps", 0),
       absl::Milliseconds(std::max<int64_t>(1, arguments.IntegerOr("ms", 50))));
}

void Progress(Server& server, const CallPtr& call) {
  call->Progress(0, 100, "begins");
  server.Later(kStep, [&server, call] {
    call->Progress(50, 100, "half");
    server.Later(kStep, [&server, call] {
      call->Progress(100, 100, "ends");
      server.Result(call, TextResult("It made progress."));
    });
  });
}

void Logging(Server& server, const CallPtr& call) {
  call->Log("Tool execution started");
  server.Later(kStep, [&server, call] {
    call->Log("Tool processing data");
    server.Later(kStep, [&server, call] {
      call->Log("Tool execution completed");
      server.Result(call, TextResult("It logged."));
    });
  });
}

void LogOnce(Server& server, const CallPtr& call) {
  call->Log("Once");
  server.Result(call, TextResult("It logged, where that is wanted."));
}

void Big(Server& server, const CallPtr& call) {
  const int64_t bytes =
      std::clamp<int64_t>(call->arguments().IntegerOr("bytes", 0), 0, kMaxBigBytes);
  server.Result(call, TextResult(std::string(static_cast<size_t>(bytes), 'x')));
}

// One write of a whole line, so that rows of several processes never mix.
void WriteRow(Server& server, const CallPtr& call) {
  const std::string file(call->arguments().StringOr("file", ""));
  const std::string row = absl::StrCat(call->arguments().StringOr("text", ""), "\n");
  const base::Fd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!fd || ::write(fd.get(), row.data(), row.size()) != static_cast<ssize_t>(row.size())) {
    const std::string failed = TextResult("the file cannot be written");
    return server.Result(call, absl::StrCat(R"({"isError":true,)", failed.substr(1)));
  }
  server.Result(call, TextResult("written"));
}

void Touch(Server& server, const CallPtr& call) {
  server.AnnounceResource(std::string(call->arguments().StringOr("uri", "")));
  server.Result(call, TextResult("touched"));
}

void Structured(Server& server, const CallPtr& call) {
  const std::string content = server.options().bad_structured ? R"({"n":"one"})" : R"({"n":1})";
  server.Result(
      call, absl::StrCat(R"({"structuredContent":)", content, ",", TextResult(content).substr(1)));
}

void ChangeTools(Server& server, const CallPtr& call) {
  server.revision().another_tool = true;
  server.AnnounceList("tools");
  server.Result(call, TextResult("There is another tool."));
}

void ChangePrompts(Server& server, const CallPtr& call) {
  server.revision().another_prompt = true;
  server.AnnounceList("prompts");
  server.Result(call, TextResult("There is another prompt."));
}

void MissingCapability(Server& server, const CallPtr& call) {
  server.Error(call, kMissingCapability, "Missing required client capability",
               R"({"requiredCapabilities":{"sampling":{}}})");
}

// To the client in all ways that there are, and to standard error.
void TellCredential(Server& server, const CallPtr& call) {
  std::string credential = call->channel->Authorization();
  const std::string variable(call->arguments().StringOr("variable", ""));
  if (credential.empty() && std::getenv(variable.c_str()) != nullptr) {
    credential = std::getenv(variable.c_str());
  }
  const std::string text = absl::StrCat("it is ", credential.empty() ? "missing" : credential);
  std::fprintf(stderr, "%s\n", text.c_str());
  call->Log(text);
  call->Progress(1, 2, text);
  server.Result(call, TextResult(text));
}

void SayName(Server& server, const CallPtr& call) {
  server.Result(call, TextResult(call->message.params().StringOr("name", "")));
}

constexpr std::pair<absl::string_view, void (*)(Server&, const CallPtr&)> kTools[] = {
    {"echo", Echo},
    {"slow", StartSlow},
    {"big", Big},
    {"write_row", WriteRow},
    {"touch", Touch},
    {"structured", Structured},
    {"tell_credential", TellCredential},
    {"look", Look},
    {"post", Post},
    {"submit", Submit},
    {"find_operation", FindOperation},
    {"test_tool_with_progress", Progress},
    {"test_streaming_elicitation", Progress},
    {"test_tool_with_logging", Logging},
    {"test_logging_tool", LogOnce},
    {"test_trigger_tool_change", ChangeTools},
    {"test_trigger_prompt_change", ChangePrompts},
    {"test_missing_capability", MissingCapability},
};

}  // namespace

bool RunTool(Server& server, const CallPtr& call) {
  const absl::string_view name = call->message.params().StringOr("name", "");
  if (const std::optional<std::string> fixed = FixedResult(name)) {
    server.Result(call, *fixed);
    return true;
  }
  for (const auto& [tool, run] : kTools) {
    if (tool != name) continue;
    run(server, call);
    return true;
  }
  // What is listed and has no code of its own: the tools with odd names, and the later one.
  for (const std::string& tool : Tools(server.options(), server.revision())) {
    if (json::MustParse(tool).root().StringOr("name", "") != name) continue;
    SayName(server, call);
    return true;
  }
  return false;
}

}  // namespace tipstaff::mcp_server
