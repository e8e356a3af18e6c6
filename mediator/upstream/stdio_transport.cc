#include "mediator/upstream/stdio_transport.h"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/backend/child_process.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/confine/can_confine.h"
#include "mediator/confine/view.h"
#include "mediator/upstream/limits.h"
#include "mediator/upstream/notes.h"
#include "mediator/upstream/stdio_view.h"

namespace tipstaff::upstream {
namespace {

// Bubblewrap keeps one to itself, and leaves the other one to the program.
constexpr int kViewLockFd = 5;

using backend::ChildOptions;
using backend::ChildProcess;

Secrets SecretsOf(const StdioOptions& options) {
  std::vector<std::string> values;
  for (const auto& [name, value] : options.environment) values.push_back(value);
  return Secrets(values);
}

absl::Status MakeScratch(const std::string& scratch) {
  if (::mkdir(scratch.c_str(), 0700) == 0 || errno == EEXIST) return absl::OkStatus();
  return base::ErrnoToStatus(errno, absl::StrCat("cannot make the scratch folder `", scratch, "`"));
}

absl::Status CheckConfinable() {
  const absl::Status status = confine::CanConfine();
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      absl::StrCat(status.message(), ", or say `unconfined: \"why\"` for the upstream"));
}

class StdioTransport final : public Transport {
 public:
  StdioTransport(boost::asio::io_context& loop, StdioOptions options, Events events)
      : loop_(loop), options_(std::move(options)), events_(std::move(events)) {}

  absl::Status Connect() override {
    if (child_ != nullptr) return absl::FailedPreconditionError("the upstream runs already");
    TIPSTAFF_ASSIGN_OR_RETURN(ChildOptions options, Prepare());
    ++connection_;
    notes_ = std::make_unique<Notes>(SecretsOf(options_));
    options.on_errors = [this](absl::string_view bytes) { return OnErrors(bytes); };
    TIPSTAFF_ASSIGN_OR_RETURN(
        child_, ChildProcess::Start(
                    loop_, std::move(options), [this](absl::string_view line) { OnLine(line); },
                    [this](std::string how) { OnGone(std::move(how)); }));
    return absl::OkStatus();
  }

  void Send(const mcp::SendRequest& request) override {
    const absl::Status sent = SendLine(request.message);
    if (!sent.ok()) FailLater(request.id, std::string(sent.message()));
  }

  // Of one that cannot be sent nobody waits for anything.
  void Send(const mcp::SendNotification& notification) override {
    SendLine(notification.message).IgnoreError();
  }

  bool Resume(uint64_t) override { return false; }
  void Forget(uint64_t) override {}  // an answer is for the session to drop

  void Kill(std::string why) override {
    if (child_ != nullptr) child_->Kill(std::move(why));
  }

  void Close(std::string why) override {
    if (child_ != nullptr) child_->Close(std::move(why), kTimeToExit);
  }

 private:
  absl::StatusOr<ChildOptions> Prepare() const {
    TIPSTAFF_RETURN_IF_ERROR(CheckStdioOptions(options_));
    ChildOptions child;
    child.folder = options_.read.empty() ? options_.scratch : options_.read[0];
    child.lock_path = options_.lock_path;
    child.max_line_bytes = kMaxMessageBytes;
    child.max_unsent_bytes = kMaxUnsentBytes;
    if (options_.unconfined) {
      TIPSTAFF_RETURN_IF_ERROR(MakeScratch(options_.scratch));
      child.command = options_.command;
      child.environment = EnvironmentOf(options_);
      return child;
    }
    TIPSTAFF_RETURN_IF_ERROR(CheckConfinable());
    TIPSTAFF_ASSIGN_OR_RETURN(
        const std::vector<std::string> view,
        ViewOf(options_, {.lock = kViewLockFd, .info = backend::kChildInfoFd}));
    TIPSTAFF_RETURN_IF_ERROR(MakeScratch(options_.scratch));
    TIPSTAFF_ASSIGN_OR_RETURN(child.fourth_descriptor,
                              base::FileInMemory(confine::OptionBytes(view)));
    child.command = {confine::kBubblewrap, "--args", absl::StrCat(backend::kChildFourthFd), "--"};
    child.command.insert(child.command.end(), options_.command.begin(), options_.command.end());
    child.environment.emplace();
    child.has_first_process = true;
    child.lock_fds = {backend::kChildLockFd, kViewLockFd};
    return child;
  }

  absl::Status SendLine(const std::string& message) {
    if (child_ == nullptr) return absl::UnavailableError("it does not run");
    return child_->Send(message);
  }

  // Not from within Send().
  void FailLater(uint64_t request, std::string why) {
    boost::asio::post(loop_, [this, request, why = std::move(why), serial = connection_,
                              alive = std::weak_ptr(alive_)] {
      // The next process may be asked with the same ids.
      if (alive.expired() || serial != connection_) return;
      const auto on_failure = events_.on_failure;
      on_failure(request, /*status=*/0, why, /*sent=*/false);
    });
  }

  // Each of the callbacks may destroy this object.
  void OnLine(absl::string_view line) {
    if (absl::StripAsciiWhitespace(line).empty()) return;
    const auto on_message = events_.on_message;
    on_message(line, 0);
  }

  bool OnErrors(absl::string_view bytes) {
    const std::weak_ptr<const bool> alive = alive_;
    GiveOut(notes_->TakeBytes(bytes));
    return !alive.expired() && !notes_->full();
  }

  void OnGone(std::string how) {
    const std::weak_ptr<const bool> alive = alive_;
    child_.reset();
    GiveOut(notes_->TakeEnd());
    if (alive.expired()) return;
    const auto on_gone = events_.on_gone;
    on_gone(std::move(how));
  }

  void GiveOut(std::vector<std::string> notes) {
    const std::weak_ptr<const bool> alive = alive_;
    const auto on_note = events_.on_note;
    for (std::string& note : notes) {
      if (!alive.expired()) on_note(std::move(note));
    }
  }

  boost::asio::io_context& loop_;
  const StdioOptions options_;
  const Events events_;
  uint64_t connection_ = 0;
  std::unique_ptr<Notes> notes_;  // of the process that runs
  std::unique_ptr<ChildProcess> child_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace

std::unique_ptr<Transport> MakeStdioTransport(boost::asio::io_context& loop, StdioOptions options,
                                              Transport::Events events) {
  return std::make_unique<StdioTransport>(loop, std::move(options), std::move(events));
}

}  // namespace tipstaff::upstream
