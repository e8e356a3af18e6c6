// A short talk with a program that speaks JSON-RPC, one message a line.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/doctor/machine.h"

namespace tipstaff::doctor {

// Starts `conversation.command` with `environment`, says the lines one after the other, waits for
// an answer where one is due, closes its input, and kills it where it then stays longer than a
// second. Lines that are no answer to what was asked (notifications, noise) are passed over.
// - Unavailable: it cannot be started, or ended without an answer; with the first line of its
//   standard error;
// - DeadlineExceeded: an answer took longer than `timeout`;
// - ResourceExhausted: a line longer than 16 MiB.
absl::StatusOr<std::vector<std::string>> Converse(const Conversation& conversation,
                                                  const std::vector<std::string>& environment,
                                                  absl::Duration timeout);

}  // namespace tipstaff::doctor
