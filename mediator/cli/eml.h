// A captured message as a file that mail programs open (RFC 5322, MIME).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"

namespace tipstaff::cli {

// `row` has `from` and `to` (texts, or lists of them), and may have `cc`, `bcc`, `reply_to`,
// `subject`, `date` (RFC 3339), `message_id`, `references` (a text or list), `in_reply_to` (a
// message id; any other text stands for the last one of `references`), `body`, and `attachments`: a
// list of {name, media_type, content}, content in base64 where `encoding` is "base64", else as it
// is. Lines end with CRLF; all that is not plain ASCII is encoded, so that no value begins another
// header. InvalidArgument says what of the row is no message.
absl::StatusOr<std::string> ToEml(json::Value row);

}  // namespace tipstaff::cli
