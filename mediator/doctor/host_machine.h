// The machine that this program runs on.
#pragma once

#include "mediator/doctor/machine.h"

namespace tipstaff::doctor {

class HostMachine final : public Machine {
 public:
  PathFacts Look(const std::string& path) override;
  absl::StatusOr<std::string> Read(const std::string& path, size_t max_bytes) override;
  std::optional<std::string> Variable(const std::string& name) override;
  absl::Time Now() override;
  absl::StatusOr<Room> RoomAt(const std::string& path) override;
  absl::Status Connect(const std::string& socket) override;
  absl::Status ConnectLoopback(bool ipv6, uint16_t port) override;
  absl::Status CanConfine() override;
  absl::Status CanUse(const config::McpServer& server,
                      const std::vector<config::Person>& people) override;
  absl::StatusOr<std::vector<std::string>> Converse(const Conversation& conversation) override;
};

}  // namespace tipstaff::doctor
