#include "mediator/cli/run_info.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/units.h"
#include "mediator/cli/admin_client.h"
#include "mediator/cli/print_json.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tipstaff/admin/v1/admin.pb.h"

namespace tipstaff::cli {
namespace {

namespace proto = admin::v1;

std::vector<std::string> MayStillAct(const proto::RunInfo& info) {
  std::vector<std::string> ids;
  for (const uint64_t number : info.may_still_act()) {
    ids.push_back(absl::StrCat(info.run(), "#", number));
  }
  return ids;
}

}  // namespace

absl::StatusOr<proto::Reply> Ask(const Settings& settings, const proto::Request& request) {
  const absl::StatusOr<config::Config> config = LoadConfig(settings);
  if (!config.ok()) return config.status();
  absl::StatusOr<AdminClient> client = AdminClient::Connect(*config);
  if (!client.ok()) return client.status();
  proto::Reply reply;
  if (const absl::Status asked = client->Ask(request, reply); !asked.ok()) return asked;
  return reply;
}

std::string Verdicts(const proto::RunInfo& info) {
  return absl::StrCat(info.allowed(), " allowed, ", info.denied(), " denied",
                      info.held() > 0 ? absl::StrCat(", ", info.held(), " held") : "");
}

std::vector<NextStep> NextSteps(const proto::RunInfo& info) {
  if (info.access() == "closed") return {};
  const auto resolve = [&info](const char* as) {
    return absl::StrCat("tipstaff run resolve ", info.run(), " --as ", as, " --why TEXT");
  };
  if (info.result() == "held") {
    return {{"nothing more will come of these writes; the agent may submit again", resolve("over")},
            {"nothing is to be submitted", resolve("abandoned")}};
  }
  if (info.result() == "unknown") {
    return {{"the receiver has the result", resolve("accepted")},
            {"the receiver has not accepted it and will not", resolve("refused")}};
  }
  return {};
}

void AddInfo(json::Builder& b, const proto::RunInfo& info) {
  b.StartObject().Field("run", info.run()).Field("access", info.access());
  b.Field("result", info.result());
  if (!info.ended().empty()) b.Field("ended", info.ended());
  b.Key("skills").StartArray();
  for (const std::string& skill : info.skills()) b.String(skill);
  b.EndArray();
  const absl::StatusOr<json::Document> bindings = json::Parse(info.bindings_json());
  if (bindings.ok()) b.Field("bindings", bindings->root());
  b.Field("opened_at", base::ShowTime(absl::FromUnixMicros(info.opened_at_us())));
  b.Field("expires_at", base::ShowTime(absl::FromUnixMicros(info.expires_at_us())));
  b.Field("decisions", info.decisions()).Field("allowed", info.allowed());
  b.Field("denied", info.denied()).Field("held", info.held());
  b.Field("in_flight", info.in_flight());
  b.Key("may_still_act").StartArray();
  for (const std::string& id : MayStillAct(info)) b.String(id);
  b.EndArray().Key("next").StartArray();
  for (const NextStep& step : NextSteps(info)) {
    b.StartObject().Field("when", step.when).Field("command", step.command).EndObject();
  }
  b.EndArray().Field("channel", info.channel()).EndObject();
}

void PrintInfo(const Settings& settings, const proto::RunInfo& info) {
  if (settings.json()) {
    json::Builder b;
    AddInfo(b, info);
    PrintJson(std::move(b));
    return;
  }
  std::printf("%s\n  access      %s\n  result      %s\n  skills      %s\n  bindings    %s\n",
              info.run().c_str(), info.access().c_str(), info.result().c_str(),
              absl::StrJoin(info.skills(), ", ").c_str(), info.bindings_json().c_str());
  std::printf("  opened      %s\n  expires     %s\n",
              base::ShowTime(absl::FromUnixMicros(info.opened_at_us())).c_str(),
              base::ShowTime(absl::FromUnixMicros(info.expires_at_us())).c_str());
  std::printf("  decisions   %llu (%s)\n  channel     %s\n",
              static_cast<unsigned long long>(info.decisions()), Verdicts(info).c_str(),
              info.channel().c_str());
  if (!info.ended().empty()) std::printf("  ended       %s\n", base::Escape(info.ended()).c_str());
  if (info.may_still_act_size() > 0) {
    std::printf("  may act     %s\n", absl::StrJoin(MayStillAct(info), ", ").c_str());
  }
  for (const NextStep& step : NextSteps(info)) {
    std::printf("\nOnce you know that %s:\n  %s\n", step.when.c_str(), step.command.c_str());
  }
}

}  // namespace tipstaff::cli
