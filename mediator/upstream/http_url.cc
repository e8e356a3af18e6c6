#include "mediator/upstream/http_url.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"

namespace tipstaff::upstream {
namespace {

constexpr size_t kMaxUrlBytes = 2048;

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, FreeUrl>;

// "" where there is none.
std::string Part(const Url& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return "";
  std::string copy = text;
  curl_free(text);
  return copy;
}

// With libcurl's own parser, so that what is checked is what is used.
Url Parse(const std::string& text) {
  Url url(curl_url());
  const bool parsed =
      text.size() <= kMaxUrlBytes && text.find('\0') == std::string::npos &&
      curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
  return parsed ? std::move(url) : nullptr;
}

bool IsThisMachine(std::string host) {
  if (absl::EqualsIgnoreCase(host, "localhost")) return true;
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
  return IsLoopbackAddress(host);
}

}  // namespace

bool IsLoopbackAddress(const std::string& address) {
  in_addr four;
  in6_addr six;
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  if (::inet_pton(AF_INET6, address.c_str(), &six) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&six);
}

absl::Status CheckUrl(const std::string& text) {
  const Url url = Parse(text);
  if (url == nullptr) {
    return absl::InvalidArgumentError(
        "the upstream's address is no URL: write https://host/path, as its documentation says");
  }
  if (!Part(url, CURLUPART_USER).empty() || !Part(url, CURLUPART_PASSWORD).empty()) {
    return absl::InvalidArgumentError(
        "the upstream's URL has a user name or password in it: configure a credential instead");
  }
  const std::string shown = base::EscapeAndCut(text, 120);
  if (absl::StrContains(text, '#')) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", shown, "` has a fragment, which is never sent: leave out `#` and on"));
  }
  const std::string scheme = Part(url, CURLUPART_SCHEME);
  if (scheme == "https") return absl::OkStatus();
  if (scheme != "http") {
    return absl::InvalidArgumentError(
        absl::StrCat("`", shown, "` is neither https nor http: an upstream's URL is https"));
  }
  if (IsThisMachine(Part(url, CURLUPART_HOST))) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "`", shown, "` is http, which only an upstream on this machine may be: write https"));
}

bool IsPlainHttp(const std::string& text) {
  const Url url = Parse(text);
  return url != nullptr && Part(url, CURLUPART_SCHEME) == "http";
}

}  // namespace tipstaff::upstream
