// The operator's side: requests on the admin socket (schemas/proto/tipstaff/admin/v1/admin.proto).
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/host/mediator.h"

namespace tipstaff::admin::v1 {
class Reply;
class CallPlace;
class Request;
}  // namespace tipstaff::admin::v1

namespace tipstaff::host {

// Serves one connection: one request at a time, a reply for each. `by` names who is connected
// ("uid:1000"), as the kernel says it.
class AdminService : public std::enable_shared_from_this<AdminService> {
 public:
  using Send = std::function<void(const admin::v1::Reply&)>;
  // `operates`: it may do all; else it is one of `people:`, who may look and say what it may say.
  AdminService(Mediator& mediator, const base::Clock& clock, std::string ledger_path,
               std::string by, bool operates, Send send);

  // False for bytes that are not a request: the connection is then closed.
  bool Handle(absl::string_view message);

 private:
  class CallWaiter;

  void Status(const admin::v1::Request& request);
  void OpenRun(const admin::v1::Request& request);
  void ListRuns(const admin::v1::Request& request);
  void ShowRun(const admin::v1::Request& request);
  void CloseRun(const admin::v1::Request& request);
  void ResolveRun(const admin::v1::Request& request);
  void Call(const admin::v1::Request& request);
  void Queue(const admin::v1::Request& request);
  void ShowHeld(const admin::v1::CallPlace& place);
  void Approve(const admin::v1::Request& request);
  void SendError(const absl::Status& status, const source::Diagnostics& diagnostics = {});

  Mediator& mediator_;
  const base::Clock& clock_;
  const std::string ledger_path_, by_;
  const bool operates_;
  const Send send_;
};

}  // namespace tipstaff::host
