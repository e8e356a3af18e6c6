#include "tests/simulation/schedule.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/run/testing/playbook.h"
#include "tests/simulation/facts.h"
#include "tests/simulation/outside.h"

namespace tipstaff::simulation {
namespace {

using call::Effect;
using call::OutcomeKind;
using run::Access;
using run::Playbook;
using run::Receiver;
using run::Resolution;
using run::Result;
using run::StopKind;
using run::StreamId;
using run::Timer;
using run::TookPlace;

constexpr char kRead[] = R"({"id":"r1"})";
constexpr char kWrite[] = R"({"id":"r1","text":"a"})";
constexpr char kOther[] = R"({"id":"r1","text":"b"})";

StopKind KindOf(int drawn) {
  static constexpr StopKind kKinds[] = {StopKind::kNone, StopKind::kQueryable, StopKind::kKillable};
  return kKinds[drawn];
}

class Schedule {
 public:
  Schedule(uint64_t seed, bool keeps_trace)
      : random_(seed),
        kinds_{KindOf(Draw(3)), KindOf(Draw(3))},
        receiver_kind_(static_cast<Receiver>(Draw(3))),
        ends_early_(Chance(2)),
        slow_(Chance(2)),
        steps_(40 + Draw(120)),
        findings_(keeps_trace),
        play_(kinds_[0], receiver_kind_, kinds_[1]),
        receiver_(receiver_kind_ == Receiver::kKeyed),
        facts_(findings_) {}

  Findings Play() && {
    for (int i = 0; i < steps_ && !play_.finished && !findings_.broken(); ++i) {
      Step();
      Observe();
    }
    if (!findings_.broken()) ComeToRest();
    return std::move(findings_);
  }

 private:
  // One of a guest's requests.
  struct Request {
    std::string id;
    const char* tool = "";  // "": the receiver's
    const char* arguments = "";
  };

  int Draw(int below) { return static_cast<int>(random_() % static_cast<uint32_t>(below)); }
  bool Chance(int in) { return Draw(in) == 0; }
  template <typename... Parts>
  void Say(const Parts&... parts) {
    findings_.Trace([&] { return absl::StrCat(parts...); });
  }

  void Step() {
    // Few schedules would come to a second delivery and its answer otherwise.
    if (awaits_receipt_ && Chance(5)) return AnswerOne();
    if (play_.run->result() == Result::kUnknown && Chance(5)) {
      return LetTimePass(absl::Seconds(30));
    }
    switch (Draw(22)) {
      case 0:
      case 1:
        return Ask({"", "out.write_it", kWrite});
      case 2:
        return Ask({"", "odd.write_it", kWrite});
      case 3:
        return Ask({"", Chance(2) ? "in.write_it" : "in.read_it", Chance(2) ? kWrite : kRead});
      case 4:
        return Ask({"", "out.read_it", kRead});
      case 5:
      case 6:
        return AskToFinalize();
      case 7:
      case 8:
      case 9:
        return Commit();
      case 10:
        return TakeEffect();
      case 11:
      case 12:
        return AnswerOne();
      case 13:
        return LetTimePass(absl::Seconds(Chance(2) ? Draw(4) : Draw(40)));
      case 14:
        return ConfirmStop();
      case 15:
        return AnswerQuery();
      case 16:
        return LetReceiverAct();
      case 17:
        if (Chance(3)) Crash();
        return;
      case 18:
        return EndTheRun();
      case 19:
        return Resolve();
      case 20:
        return Repeat();
      case 21:
        return Cancel();
    }
  }

  // ---- guests ----

  void Ask(Request request) {
    if (request.id.empty()) request.id = absl::StrCat("c", ++ids_);
    const bool finalize = *request.tool == '\0';
    Say("guest: ", request.id, " ", finalize ? "finalize" : request.tool, " ", request.arguments);
    const StreamId stream = finalize ? play_.Finalize(request.id, request.arguments)
                                     : play_.Call(request.id, request.tool, request.arguments);
    streams_[stream] = request.id;
    requests_.push_back(std::move(request));
  }
  void AskToFinalize() {
    static constexpr OutcomeKind kKinds[] = {OutcomeKind::kOk, OutcomeKind::kRefused,
                                             OutcomeKind::kUnknown, OutcomeKind::kToolError};
    // What is sent later in this process's life gets another answer, which is as good.
    play_.inside_answers = kKinds[Draw(4)];
    Ask({"", "", Chance(3) ? kOther : kWrite});
  }
  // As a guest does that lost its connection; or one that tries what it can.
  void Repeat() {
    if (requests_.empty()) return;
    Request again = requests_[Draw(static_cast<int>(requests_.size()))];
    if (Chance(4)) again.arguments = kOther;
    Ask(std::move(again));
  }
  void Cancel() {
    if (streams_.empty()) return;
    const auto stream = std::next(streams_.begin(), Draw(static_cast<int>(streams_.size())));
    Say("guest: cancels ", stream->second);
    play_.Give(run::CancelAsked{stream->first});
    streams_.erase(stream);  // it hears no more of it
  }

  // ---- disk ----

  void Commit() {
    if (play_.commits.empty()) return;
    if (!Chance(40)) return play_.CommitNext();
    Say("disk: fails");
    play_.FailNext();
    findings_.Expect(play_.run->broken(), "a run goes on after a commit that failed");
    Crash();  // the host begins anew from what is durable
  }
  void Crash() {
    Say("crash");
    // A killable backend goes with the mediator.
    for (auto& [number, call] : calls_) {
      if (call.kind == StopKind::kKillable) call.may_act = false;
      call.awaited = false;
    }
    stops_.clear();
    queries_.clear();
    streams_.clear();
    awaits_receipt_ = false;
    seen_dispatched_ = 0;
    play_.Crash();
    if (facts_.refused_for_good()) findings_.Saw("crash after a final refusal");
  }

  // ---- backends ----

  std::vector<uint64_t> CallsWhere(bool (*is)(const OutsideCall&)) const {
    std::vector<uint64_t> numbers;
    for (const auto& [number, call] : calls_) {
      if (is(call)) numbers.push_back(number);
    }
    return numbers;
  }
  bool SomeWriteMayAct() const {
    return !CallsWhere([](const OutsideCall& c) { return c.write && c.may_act; }).empty();
  }
  void TakeEffect() {
    if (slow_ && !Chance(8)) return;
    const auto numbers = CallsWhere([](const OutsideCall& c) { return c.write && c.may_act; });
    if (numbers.empty()) return;
    const uint64_t number = numbers[Draw(static_cast<int>(numbers.size()))];
    Say("backend: ", number, " takes effect");
    calls_.at(number).may_act = false;
    calls_.at(number).took_effect = true;
  }
  void AnswerOne() {
    if (awaits_receipt_ && !Chance(4)) {
      awaits_receipt_ = false;
      const OutcomeKind kind = ReceiversAnswer();
      Say("receiver: ", call::OutcomeKindName(kind));
      return play_.Answer(*finalizes_.rbegin(), kind);
    }
    const auto numbers = CallsWhere([](const OutsideCall& c) { return c.awaited; });
    if (numbers.empty()) return;
    const uint64_t number = numbers[Draw(static_cast<int>(numbers.size()))];
    OutsideCall& call = calls_.at(number);
    call.awaited = false;
    OutcomeKind kind = OutcomeKind::kUnknown;
    if (!Chance(slow_ ? 2 : 3)) {
      static constexpr OutcomeKind kOthers[] = {OutcomeKind::kToolError, OutcomeKind::kFailed,
                                                OutcomeKind::kCancelled};
      call.took_effect |= call.may_act && Chance(2);
      call.may_act = false;
      kind = call.took_effect ? OutcomeKind::kOk : kOthers[Draw(3)];
    }
    Say("backend: ", number, " ", call::OutcomeKindName(kind));
    play_.Answer(number, kind);
  }
  OutcomeKind ReceiversAnswer() {
    switch (Draw(5)) {
      case 0:
        return OutcomeKind::kUnknown;
      case 1:
        return OutcomeKind::kToolError;  // whatever became of the result
      case 2:
        return receiver_.Lose() ? OutcomeKind::kFailed : receiver_.Answer();
      default:
        return receiver_.Answer();
    }
  }
  void LetReceiverAct() {
    if (!receiver_.MayAct()) return;
    Say("receiver: acts");
    const bool newest = Chance(2);
    receiver_.Act(newest, Chance(2));
  }
  void ConfirmStop() {
    if (stops_.empty()) return;
    const uint64_t number = stops_.back();
    stops_.pop_back();
    if (Chance(6)) return;  // it never comes
    Say("backend: ", number, " has stopped");
    calls_.at(number).may_act = false;
    calls_.at(number).awaited = false;
    play_.Give(run::BackendStopped{number});
  }
  void AnswerQuery() {
    if (queries_.empty()) return;
    const uint64_t number = queries_.back();
    queries_.pop_back();
    if (Chance(6)) return;
    // One that a crash kept from being sent is asked about, too.
    const auto call = calls_.find(number);
    const bool done = call != calls_.end() && call->second.took_effect;
    const TookPlace answer = Chance(4) ? TookPlace::kUnknown
                             : done    ? TookPlace::kDone
                                       : TookPlace::kNotYet;
    Say("backend: asked about ", number, ": ", static_cast<int>(answer));
    play_.Give(run::QueryAnswered{number, answer});
  }

  // ---- operator and clock ----

  void EndTheRun() {
    if (!ends_early_ || !Chance(12)) return;
    if (Chance(2)) {
      Say("operator: closes");
      return play_.Give(run::CloseAsked{"uid:0", "why", Chance(2)});
    }
    Say("clock: two hours pass");
    play_.Advance(absl::Hours(2));
    if (Chance(2)) play_.Fire(Timer::kExpiry);
  }
  void Resolve() {
    if (!Chance(3)) return;
    const auto as = static_cast<Resolution>(Draw(4));
    // The person has looked, and is right.
    if (as == Resolution::kOver && SomeWriteMayAct()) return;
    Say("operator: resolves ", static_cast<int>(as));
    play_.Resolve(as);
  }
  void LetTimePass(absl::Duration by) {
    Say("clock: ", absl::FormatDuration(by));
    play_.Advance(by);
    if (Chance(3)) return;  // timers are late
    FireWhatIsDue();
    Observe();
    if (Chance(2)) ConfirmStop();
    if (Chance(2)) AnswerQuery();
  }
  void FireWhatIsDue() {
    const std::map<Timer, absl::Time> timers = play_.timers;
    for (const auto& [timer, at] : timers) {
      if (at > play_.now) continue;
      play_.timers.erase(timer);
      play_.Fire(timer);
    }
  }

  // ---- what must hold ----

  void Observe() {
    facts_.ReadOn(play_.durable);
    for (; seen_dispatched_ < play_.dispatched.size(); ++seen_dispatched_) {
      Dispatched(play_.dispatched[seen_dispatched_]);
    }
    for (const auto& [stream, reply] : std::exchange(play_.replies, {})) Answered(stream, reply);
    for (const auto& [stream, reply] : std::exchange(play_.recorded, {})) Answered(stream, reply);
    for (const uint64_t number : std::exchange(play_.stopped, {})) {
      if (calls_.contains(number)) stops_.push_back(number);
    }
    for (const uint64_t number : std::exchange(play_.queried, {})) queries_.push_back(number);
    const Access access = play_.run->access();
    findings_.Expect(facts_.result_open() || access != Access::kOpen,
                     "memory is more open than the ledger");
    findings_.Expect(!facts_.ended() || access == Access::kClosed,
                     "memory is more open than the ledger");
    findings_.Expect(receiver_.receipts() <= 1, "promise 3: the receiver has two results");
    // It acts when it likes, so that it can is as bad as that it does.
    findings_.Expect(!facts_.barred() || !SomeWriteMayAct(),
                     "promise 2: a write may take effect after a submission began");
    findings_.Saw(std::string(run::ResultName(play_.run->result())));
  }

  // What a guest is told is on record, and a repeated id is told of the call that it was.
  void Answered(StreamId stream, const run::Reply& reply) {
    Say("  answered: call ", reply.number, " ", call::VerdictName(reply.verdict));
    const auto asked = streams_.extract(stream);
    if (reply.number == 0) return;
    findings_.Expect(facts_.has_decided(reply.number), "promise 1: an answer is not on record");
    if (reply.verdict == call::Verdict::kAllow && !facts_.is_read(reply.number)) {
      findings_.Expect(facts_.has_outcome(reply.number),
                       "an outcome is told that is not on record");
    }
    CheckId(asked.empty() ? "" : asked.mapped(), reply.number);
  }
  void Answered(StreamId stream, const run::ReplyRecorded& reply) {
    Say("  answered: what is on record of ", reply.number);
    findings_.Saw("answered from the record");
    const auto asked = streams_.extract(stream);
    findings_.Expect(facts_.has_decided(reply.number), "promise 1: an answer is not on record");
    CheckId(asked.empty() ? "" : asked.mapped(), reply.number);
  }
  void CheckId(const std::string& asked, uint64_t number) {
    if (asked.empty() || !facts_.has_decided(number)) return;
    const std::string& id = facts_.IdOf(number);
    findings_.Expect(id.empty() || id == asked, "a guest is answered with another one's call");
  }

  void Dispatched(const Playbook::Sent& sent) {
    Say("  sent: ", sent.tool, " ", sent.number);
    const bool outside = sent.tool.substr(0, 3) != "in.";
    findings_.Expect(!facts_.ended(), "a call is sent after the end of the run is durable");
    findings_.Expect(play_.now < absl::FromUnixSeconds(1'777'000'000) + absl::Hours(1),
                     "a call is sent after the run's time");
    if (!outside) return;
    findings_.Expect(facts_.has_decided(sent.number),
                     "promise 1: a call is sent before its decision is durable");
    if (sent.effect == Effect::kFinalize) return Submitted(sent);
    const bool write = sent.effect == Effect::kWrite;
    findings_.Expect(!write || !facts_.barred(), "promise 2: a write is sent after a submission");
    const Result result = play_.run->result();
    findings_.Expect(!write || result == Result::kNone || result == Result::kSealing,
                     "promise 2: a write is sent while a result is on its way");
    const OutsideCall call{kinds_[sent.tool[1] == 'd' ? 1 : 0], write};
    findings_.Expect(calls_.try_emplace(sent.number, call).second, "a call is sent twice");
  }
  void Submitted(const Playbook::Sent& sent) {
    findings_.Expect(facts_.barred(), "a result is sent before `submitting` is durable");
    if (!finalizes_.insert(sent.number).second) {
      findings_.Expect(receiver_kind_ == Receiver::kKeyed,
                       "a result is sent twice to a receiver without a key");
      findings_.Expect(receiver_.deliveries().back().key == sent.key,
                       "a result is sent again under another key");
      findings_.Saw("redelivered");
    }
    receiver_.Deliver(sent.key);
    if (Chance(2)) {
      Say("receiver: acts at once");
      receiver_.Act(/*newest=*/true, Chance(2));
    }
    awaits_receipt_ = true;
  }

  // No answer comes any more: sealing ends, and so does the run once it is closed.
  void ComeToRest() {
    Say("no answer comes any more");
    const auto rest = [this] {
      for (int i = 0; i < 12 && !play_.finished; ++i) {
        for (Observe(); !play_.commits.empty(); Observe()) play_.CommitNext();
        play_.Advance(absl::Seconds(31));
        FireWhatIsDue();
        Observe();
      }
    };
    rest();
    if (Chance(2) && !play_.finished) {
      Crash();
      Observe();
      rest();
    }
    findings_.Expect(play_.run->result() != Result::kSealing, "sealing does not end");
    const bool submits = awaits_receipt_ && play_.run->result() == Result::kSubmitting;
    findings_.Expect(submits || play_.run->result() != Result::kSubmitting,
                     "a submission that nobody answers does not end");
    play_.Give(run::CloseAsked{"uid:0", "why"});
    rest();
    findings_.Expect(play_.finished, absl::StrCat("a closed run does not finish: ",
                                                  absl::StrJoin(play_.DurableKinds(), " ")));
    findings_.Expect(streams_.empty(), "a request is never answered");
  }

  std::mt19937_64 random_;
  const StopKind kinds_[2];  // of `out` and `odd`
  const Receiver receiver_kind_;
  const bool ends_early_;
  const bool slow_;  // the systems outside
  const int steps_;
  Findings findings_;
  Playbook play_;
  OutsideReceiver receiver_;
  Facts facts_;
  std::map<uint64_t, OutsideCall> calls_;
  std::vector<uint64_t> stops_, queries_;    // asked for, not answered
  std::map<StreamId, std::string> streams_;  // of this process, not answered; the call's id
  std::vector<Request> requests_;
  std::set<uint64_t> finalizes_;
  bool awaits_receipt_ = false;
  int ids_ = 0;
  size_t seen_dispatched_ = 0;
};

}  // namespace

Findings PlaySchedule(uint64_t seed, bool keeps_trace) {
  return Schedule(seed, keeps_trace).Play();
}

}  // namespace tipstaff::simulation
