#include "mediator/run/testing/playbook.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::run {
namespace {

constexpr char kSkill[] = R"(
skill: play
description: For tests of the state machine.
bindings:
  id: {type: string}
scope: [id]
backends:
  in: {stub: inside}
  out: {upstream: outside}
  odd: {upstream: outside}
limits: {calls: 1000}
permissions:
  - {id: read-in, tool: in.read_it, args: {id: {equals: $id}}}
  - {id: write-in, tool: in.write_it, args: {id: {equals: $id}, text: {type: string}}}
  - {id: write-few, tool: in.write_few, args: {id: {equals: $id}}, limits: {calls: 2}}
  - {id: read-few, tool: in.read_few, args: {id: {equals: $id}}, limits: {calls_per_minute: 2},
     result: {marks: [seen]}}
  - {id: read-part, tool: in.read_part, args: {id: {equals: $id}}, result: {fields: [a]}}
  - {id: write-secret, tool: in.write_secret, args: {id: {equals: $id},
     text: {type: string, sensitive: true, maxLength: 9, pattern: "^h"}}}
  - {id: read-secret, tool: out.read_secret, args: {id: {equals: $id}}, result: {sensitive: [number]}}
  - {id: write-asked, tool: out.write_asked, args: {id: {equals: $id}, text: {type: string}},
     approval: {by: [leads], expires: 10m}}
  - {id: write-clean, tool: in.write_clean, args: {id: {equals: $id}}, refused_after: [seen]}
  - {id: read-out, tool: out.read_it, args: {id: {equals: $id}}}
  - {id: write-out, tool: out.write_it, args: {id: {equals: $id}, text: {type: string}}}
  - {id: write-odd, tool: odd.write_it, args: {id: {equals: $id}, text: {type: string}}}
  - {id: submit, tool: in.finalize_it, args: {id: {equals: $id}, text: {type: string}}}
)";

}  // namespace

absl::StatusOr<std::vector<call::Tool>> PlayCatalog::ToolsOf(const policy::BackendRef&) const {
  std::vector<call::Tool> tools;
  for (const char* name :
       {"read_it", "read_few", "write_it", "write_few", "write_clean", "read_part", "write_asked",
        "write_secret", "read_secret", "finalize_it"}) {
    call::Tool tool;
    tool.name = name;
    tool.effect = absl::StartsWith(name, "read")    ? call::Effect::kRead
                  : absl::StartsWith(name, "write") ? call::Effect::kWrite
                                                    : call::Effect::kFinalize;
    tool.input_schema = json::MustParse(
        R"({"type":"object","properties":{"id":{"type":"string"},"text":{"type":"string"}}})");
    tools.push_back(std::move(tool));
  }
  return tools;
}

std::shared_ptr<const policy::Grant> PlayGrant(bool finalize_outside,
                                               absl::Span<const std::string> canaries) {
  const PlayCatalog catalog;
  source::Diagnostics diagnostics;
  const std::string text =
      finalize_outside ? absl::StrReplaceAll(kSkill, {{"in.finalize_it", "out.finalize_it"}})
                       : kSkill;
  auto file = std::make_shared<source::File>(source::File{"play/skill.yaml", text});
  auto skill = policy::LoadSkill(file, catalog, diagnostics);
  std::shared_ptr<const policy::Grant> grant;
  if (skill != nullptr) {
    grant = policy::Grant::Make({skill}, json::MustParse(R"({"id":"r1"})"), catalog, diagnostics,
                                canaries);
  }
  if (grant == nullptr) {
    std::fputs(source::RenderText(diagnostics).c_str(), stderr);
    std::abort();
  }
  return grant;
}

Playbook::Playbook(StopKind outside, Receiver receiver, StopKind odd)
    : outside_(outside), odd_(odd), receiver_(receiver) {
  Begin();
}

void Playbook::Begin() {
  static const auto* const inside = new std::shared_ptr<const policy::Grant>(PlayGrant());
  static const auto* const outside = new std::shared_ptr<const policy::Grant>(PlayGrant(true));
  run = std::make_unique<Run>(Setup{
      receiver_ == Receiver::kStub ? *inside : *outside,
      absl::FromUnixSeconds(1'777'000'000) + absl::Hours(1),
      [this](absl::string_view alias) {
        return alias == "in" ? StopKind::kInProcess : alias == "out" ? outside_ : odd_;
      },
      "run_play",
      [this](absl::string_view tool) {
        return std::string(receiver_ == Receiver::kKeyed && tool == "out.finalize_it" ? "key" : "");
      },
      std::string(32, 'k'), budget_});
}

StreamId Playbook::Finalize(const std::string& id, const std::string& arguments) {
  return Call(id, receiver_ == Receiver::kStub ? "in.finalize_it" : "out.finalize_it", arguments);
}

void Playbook::FireInTime(Timer timer) {
  now = std::max(now, timers.at(timer));
  Fire(timer);
}

uint64_t Playbook::Resolve(Resolution as) {
  const uint64_t request = next_stream_++;
  Give(ResolveAsked{request, as, "uid:0", "looked"});
  return request;
}

uint64_t Playbook::Approve(uint64_t number, bool approves) {
  const uint64_t request = next_stream_++;
  Give(ApprovalAsked{request, number, approves, "dana", "looked"});
  return request;
}

StreamId Playbook::Call(const std::string& id, const std::string& tool,
                        const std::string& arguments) {
  CallArrived arrived;
  arrived.stream = next_stream_++;
  arrived.no_room = no_room;
  arrived.call.id = id;
  arrived.call.tool = tool;
  arrived.call.arguments = json::MustParse(arguments);
  arrived.call.canonical = json::Canonical(arrived.call.arguments.root());
  Give(arrived);
  return arrived.stream;
}

StreamId Playbook::Malformed(const std::string& why) {
  CallArrived arrived;
  arrived.stream = next_stream_++;
  arrived.no_room = no_room;
  arrived.malformed = why;
  arrived.call.canonical = "{bad";
  Give(arrived);
  return arrived.stream;
}

void Playbook::CommitNext() {
  const Commit commit = commits.front();
  commits.pop_front();
  const uint64_t first_seq = durable.size() + 2;  // run_opened is 1
  durable.insert(durable.end(), commit.records.begin(), commit.records.end());
  Give(CommitDone{commit.ticket, true, first_seq});
}

void Playbook::CommitAll() {
  while (!commits.empty()) CommitNext();
}

void Playbook::FailNext() {
  const uint64_t ticket = commits.front().ticket;
  commits.pop_front();
  Give(CommitDone{ticket, false, 0});
}

void Playbook::Answer(uint64_t number, call::OutcomeKind kind) {
  call::Outcome outcome;
  outcome.kind = kind;
  outcome.result = absl::StrCat(R"({"content":[],"structuredContent":{"number":)", number, "}}");
  Give(BackendReplied{number, std::move(outcome)});
}

void Playbook::Give(const Event& event) { Carry(run->Handle(event, now)); }

void Playbook::Crash(const CloseAsked* close) {
  commits.clear();
  dispatched.clear();
  replies.clear();
  recorded.clear();
  timers.clear();
  stopped.clear();
  queried.clear();
  cancelled.clear();
  Begin();
  uint64_t seq = 2;
  for (const call::Record& record : durable) {
    const absl::Status restored = run->Restore(record, seq++);
    if (!restored.ok()) {
      std::fprintf(stderr, "Restore: %s\n", restored.ToString().c_str());
      std::abort();
    }
  }
  Carry(run->Start(now, close));
}

void Playbook::Carry(Commands commands) {
  std::vector<uint64_t> inside;
  for (Command& command : commands) {
    if (auto* commit = std::get_if<Commit>(&command)) {
      commits.push_back(std::move(*commit));
    } else if (auto* dispatch = std::get_if<Dispatch>(&command)) {
      dispatched.push_back({dispatch->number, dispatch->tool, dispatch->effect, dispatch->canonical,
                            dispatch->submission_key});
      if (absl::StartsWith(dispatch->tool, "in.")) inside.push_back(dispatch->number);
    } else if (auto* reply = std::get_if<Reply>(&command)) {
      replies[reply->stream] = std::move(*reply);
    } else if (auto* again = std::get_if<ReplyRecorded>(&command)) {
      recorded[again->stream] = *again;
    } else if (auto* stop = std::get_if<StopCall>(&command)) {
      stopped.push_back(stop->number);
    } else if (auto* query = std::get_if<QueryCall>(&command)) {
      queried.push_back(query->number);
    } else if (auto* resolve = std::get_if<ResolveAnswered>(&command)) {
      resolved[resolve->request] = resolve->status;
    } else if (auto* approval = std::get_if<ApprovalAnswered>(&command)) {
      resolved[approval->request] = approval->status;
    } else if (auto* cancel = std::get_if<CancelCall>(&command)) {
      cancelled.push_back(cancel->number);
    } else if (auto* timer = std::get_if<SetTimer>(&command)) {
      timers[timer->timer] = timer->at;
    } else if (std::holds_alternative<Cleanup>(command)) {
      Give(CleanupDone{{"state of in"}});
    } else if (std::holds_alternative<Finished>(command)) {
      finished = true;
    }
  }
  for (const uint64_t number : inside) Answer(number, inside_answers);
}

std::vector<std::string> Playbook::KindsOf(const Commit& commit) const {
  std::vector<std::string> kinds;
  for (const call::Record& record : commit.records) {
    kinds.emplace_back(call::RecordKindName(record.kind));
  }
  return kinds;
}

std::vector<std::string> Playbook::Dispatched() const {
  std::vector<std::string> names;
  for (const Sent& sent : dispatched) names.push_back(absl::StrCat(sent.tool, "#", sent.number));
  return names;
}

std::vector<std::string> Playbook::DurableKinds() const { return KindsOf(Commit{0, durable}); }

}  // namespace tipstaff::run
