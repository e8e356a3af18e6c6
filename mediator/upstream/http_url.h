// Which addresses an upstream may have.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace tipstaff::upstream {

// OK for https, and for http to this machine (`localhost`, 127.0.0.0/8, ::1); no user name,
// password or fragment. InvalidArgument says what is wrong, without the user name and password.
absl::Status CheckUrl(const std::string& url);

// Precondition: CheckUrl() is content. Whether it is http, so that nothing may leave this machine.
bool IsPlainHttp(const std::string& url);

// Of an IP address as text.
bool IsLoopbackAddress(const std::string& address);

}  // namespace tipstaff::upstream
