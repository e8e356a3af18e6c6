// One check of a value: a walk over the value and the nodes that apply to its parts, depth first,
// with a stack of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "mediator/schema/code.h"
#include "mediator/schema/collector.h"
#include "mediator/schema/evaluated.h"
#include "mediator/schema/lists.h"
#include "mediator/schema/plain_walk.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema::internal {

class Walk {
 public:
  // `tally`: goes on after a failure, and says what failed, until that is `enough`.
  Walk(const Code& code, absl::Span<const json::Value> bindings, bool tally,
       size_t enough = ~size_t{0})
      : code_(code), bindings_(bindings), lists_(code, bindings), tallies_(tally), enough_(enough) {
    if (tally) collectors_.emplace_back();
  }

  bool Run(json::Value value);
  // After Run(): the value takes more steps than are allowed.
  bool ran_out() const { return steps_ > kMaxSteps; }
  Tally TakeTally() &&;

 private:
  bool has_enough() const { return tallies_ && collectors_.front().failed.size() >= enough_; }

  // How a value is reached from the one whose frame is below.
  struct Step {
    enum class Kind : uint8_t { kNone, kMember, kItem };
    absl::string_view key;
    uint32_t index = 0;
    Kind kind = Kind::kNone;
    uint32_t document = 0;  // of names; 0: the document of the value below
  };
  static Step ToMember(absl::string_view key) { return {.key = key, .kind = Step::Kind::kMember}; }
  static Step ToItem(uint32_t index) { return {.index = index, .kind = Step::Kind::kItem}; }

  // What an answer is for.
  enum class Role : uint8_t {
    kPart,        // a member or item, which has to pass
    kHere,        // the same value, which has to pass
    kBranch,      // the same value, for an applicator to judge
    kPartBranch,  // an item that `contains` asks about
  };

  enum class Stage : uint8_t { kInPlace, kParts, kContains, kNames, kUnevaluated, kDone };

  // What a frame has beyond the plain when its node has an Extra.
  struct Rest {
    Stage stage = Stage::kInPlace;
    uint32_t applicator = 0;  // of Code::applicators
    uint32_t branch = 0;      // the next one, of Code::branches
    uint64_t passes = 0;
    json::Member member;                       // that targets are for
    absl::InlinedVector<uint32_t, 4> targets;  // nodes that are still to be applied to it
    std::optional<Collector> closest;          // of the branches that failed
    Evaluated evaluated;
    bool unclear = false;  // a schema in place failed: what it looked at is not known
    Evaluated late;        // what `unevaluated...` was applied to
    json::Document names;
    uint32_t names_document = 0;
  };

  struct Frame {
    Frame(const Node& of, json::Value at, const Step& by, Role for_role, bool is_conditional,
          uint32_t in_document)
        : node(&of),
          value(at),
          step(by),
          document(in_document),
          role(for_role),
          conditional(is_conditional),
          item(at.items().begin()),
          items_end(at.items().end()),
          member(at.members().begin()),
          members_end(at.members().end()) {}

    const Node* node;
    json::Value value;
    Step step;
    uint32_t document;        // 0: the value's; else one of names
    uint32_t rest = kNone;    // of rests_
    uint32_t next = 0;        // child
    uint32_t sorted = kNone;  // in a tally, of sorted_: the members by name
    Role role;
    bool failed = false;
    bool conditional;  // a schema around may pass without it
    json::Children<json::Value>::Iterator item, items_end;
    json::Children<json::Member>::Iterator member, members_end;
  };
  // Frames come and go often.
  static_assert(std::is_trivially_destructible_v<Frame> && std::is_trivially_copyable_v<Frame>);

  // What is known of a node and a value. Those of a tally differ by whether they are conditional.
  struct Answer {
    bool passed = false;
    std::unique_ptr<Evaluated> evaluated;
    std::unique_ptr<Collector> collector;
  };
  struct AnswerKey {
    uint32_t node, document, index;
    bool conditional;
    template <typename H>
    friend H AbslHashValue(H h, const AnswerKey& k) {
      return H::combine(std::move(h), k.node, k.document, k.index, k.conditional);
    }
    bool operator==(const AnswerKey& other) const {
      return node == other.node && document == other.document && index == other.index &&
             conditional == other.conditional;
    }
  };

  // The plain part (evaluate.cc).
  void Visit(uint32_t node, json::Value value, const Step& step, Role role, bool conditional);
  bool CheckConstraints(const Node& node, json::Value value, const Step& step, bool conditional);
  static bool HasParts(const Node& node, json::Value value);
  void Push(const Node& node, json::Value value, const Step& step, Role role, bool conditional);
  void SortMembers(Frame& frame);
  bool StepPlain();
  bool StepPlainItem();
  bool StepPlainMember();
  bool NextMember(Frame& frame, json::Member& member);
  void FinishTop();
  void Deliver(Role role, bool passed);
  void Spend(uint64_t steps) { steps_ += steps; }
  // `value` is `last` (and then the member `missing`) below the value on top of the stack.
  void Fail(uint32_t constraint, const Node& node, json::Value value, Step last, bool conditional,
            uint64_t detail = 0, const std::string* missing = nullptr);
  std::string PointerTo(Step last, const std::string* missing, size_t& depth) const;

  void FailTop(uint32_t constraint, json::Value value, Step last, uint64_t detail = 0);

  // Nodes with an Extra (walk_in_place.cc, walk_parts.cc).
  void StartRest(Frame& frame);
  bool StepExtra();
  bool StepInPlace(Rest& rest, const Extra& extra);
  bool StepApplicator(Rest& rest, const Extra& extra, const Applicator& applicator);
  bool StepIf(Rest& rest, const Extra& extra, const Applicator& applicator);
  void Judge(Rest& rest, const Applicator& applicator);
  void Branch(uint32_t node, json::Value value, Step step, Role role);
  void OnBranch(bool passed);
  bool StepParts(Rest& rest, const Extra& extra);
  bool StepMember(Rest& rest, const Extra& extra);
  bool StepItem(Rest& rest, const Extra& extra);
  void FindTargets(Rest& rest, const Extra& extra);
  bool StepContains(Rest& rest, const Extra& extra);
  bool StepNames(Rest& rest, const Extra& extra);
  bool StepUnevaluated(Rest& rest, const Extra& extra);
  void JudgeUnevaluated(uint32_t part, uint32_t constraint, json::Value value, Step step);
  void CheckText(Rest& rest);
  void NextStage(Rest& rest, Stage stage);

  // Answers that are kept (walk_answers.cc).
  void VisitShared(uint32_t node, json::Value value, const Step& step, Role role, bool conditional);
  bool UseAnswer(uint32_t node, json::Value value, uint32_t document, Role role, bool conditional);
  void KeepAnswer(const Frame& frame, const Rest& rest);
  void HandUp(const Evaluated& evaluated, Role role);

  const Extra& ExtraOf(const Node& node) const { return code_.extras[node.extra]; }
  uint32_t NumberOf(const Node& node) const {
    return static_cast<uint32_t>(&node - code_.nodes.data());
  }

  const Code& code_;
  const absl::Span<const json::Value> bindings_;
  Lists lists_;
  const bool tallies_;
  const size_t enough_;
  bool passed_ = true;
  bool too_many_ = false;  // the last CheckConstraints() found more parts than there may be
  uint64_t steps_ = 0;
  absl::InlinedVector<Frame, 6> stack_;
  std::vector<std::vector<json::Member>> sorted_;  // used again and again, as rests_
  uint32_t open_sorted_ = 0;
  std::vector<std::unique_ptr<Rest>> rests_;  // used again and again; they do not move
  uint32_t open_rests_ = 0;
  uint32_t names_documents_ = 0;
  std::vector<json::Document> kept_names_;  // in a tally: a Site may be of a name
  std::vector<Collector> collectors_;       // the innermost last
  absl::flat_hash_map<AnswerKey, Answer> answers_;
};

}  // namespace tipstaff::schema::internal
