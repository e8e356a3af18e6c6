#include "mediator/upstream/http_transfer.h"

#include <curl/curl.h>
#include <fcntl.h>

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/upstream/http_url.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {
namespace {

constexpr size_t kShownColumns = 200;

long Milliseconds(absl::Duration time) {
  return static_cast<long>(absl::ToInt64Milliseconds(time));  // 0 has curl wait for ever
}

// Sockets do not go to programs that the mediator starts.
int CloseOnExec(void*, curl_socket_t socket, curlsocktype) {
  return ::fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

std::string InUrl(const std::string& address) {
  return absl::StrContains(address, ':') ? absl::StrCat("[", address, "]") : address;
}

}  // namespace

HttpTransfer::HttpTransfer(HttpClient::Ticket ticket, HttpRequest request,
                           std::shared_ptr<HttpSink> sink, CURL* easy)
    : ticket_(ticket), request_(std::move(request)), sink_(std::move(sink)), easy_(easy) {
  static_assert(std::tuple_size_v<decltype(error_)> >= CURL_ERROR_SIZE);
}

HttpTransfer::~HttpTransfer() {
  curl_easy_reset(easy_);  // it points to what ends here
  curl_slist_free_all(headers_);
  curl_slist_free_all(connect_to_);
}

void HttpTransfer::SetUp() {
  curl_easy_setopt(easy_, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, error_.data());
  curl_easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  SetUpRequest();
  SetUpConnection();
  SetUpTrust();
}

void HttpTransfer::SetUpRequest() {
  curl_easy_setopt(easy_, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(easy_, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy_, CURLOPT_USERAGENT, "tipstaff");
  headers_ = curl_slist_append(headers_, "Expect:");  // no extra round trip for a long body
  for (const std::string& header : request_.headers) {
    // "Name: " would take the header out; "Name;" sends it without a value.
    absl::string_view name = header;
    headers_ = absl::ConsumeSuffix(&name, ": ")
                   ? curl_slist_append(headers_, absl::StrCat(name, ";").c_str())
                   : curl_slist_append(headers_, header.c_str());
  }
  curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_);
  if (request_.method == "POST") {
    curl_easy_setopt(easy_, CURLOPT_POST, 1L);
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request_.body.size()));
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, request_.body.c_str());
  } else if (request_.method != "GET") {
    curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &OnHeaderLine);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &OnBodyBytes);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
}

void HttpTransfer::SetUpConnection() {
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy_, CURLOPT_PROXY, "");  // not even the environment's
  curl_easy_setopt(easy_, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  curl_easy_setopt(easy_, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  curl_easy_setopt(easy_, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy_, CURLOPT_MAXAGE_CONN,
                   static_cast<long>(absl::ToInt64Seconds(kIdleConnectionTime)));
  curl_easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(request_.connect_timeout));
  if (request_.timeout != absl::InfiniteDuration()) {
    curl_easy_setopt(easy_, CURLOPT_TIMEOUT_MS, Milliseconds(request_.timeout));
  }
  curl_easy_setopt(easy_, CURLOPT_SOCKOPTFUNCTION, &CloseOnExec);
  curl_easy_setopt(easy_, CURLOPT_PREREQFUNCTION, &OnConnected);
  curl_easy_setopt(easy_, CURLOPT_PREREQDATA, this);
  // A name that resolves slowly must not hold up others when the request is cancelled.
  curl_easy_setopt(easy_, CURLOPT_QUICK_EXIT, 1L);
  if (!request_.address.empty()) {
    // Any host and port, to this address and the same port.
    connect_to_ =
        curl_slist_append(nullptr, absl::StrCat("::", InUrl(request_.address), ":").c_str());
    curl_easy_setopt(easy_, CURLOPT_CONNECT_TO, connect_to_);
  }
}

void HttpTransfer::SetUpTrust() {
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy_, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (request_.ca_file.empty()) return;
  curl_easy_setopt(easy_, CURLOPT_CAINFO, request_.ca_file.c_str());
  curl_easy_setopt(easy_, CURLOPT_CAPATH, nullptr);
}

// Before anything is sent, each time that libcurl is about to.
int HttpTransfer::OnConnected(void* self, char* address, char*, int, int) {
  auto& transfer = *static_cast<HttpTransfer*>(self);
  if (std::exchange(transfer.sent_, true)) {
    // libcurl sends once more what it sent on a connection that turned out to be closed; whether it
    // arrived there nobody knows.
    transfer.Stop("closed the connection without an answer");
    return CURL_PREREQFUNC_ABORT;
  }
  if (transfer.request_.only_loopback && !IsLoopbackAddress(address)) {
    transfer.sent_ = false;
    transfer.Stop(absl::StrCat("its name resolves to `", address, "`, which is not this machine"));
    return CURL_PREREQFUNC_ABORT;
  }
  transfer.head_.address = address;
  return CURL_PREREQFUNC_OK;
}

bool HttpTransfer::Stop(std::string why) {
  why_ = std::move(why);
  return false;
}

size_t HttpTransfer::OnHeaderLine(char* bytes, size_t, size_t size, void* self) {
  const absl::string_view line(bytes, size);
  return static_cast<HttpTransfer*>(self)->TakeHeaderLine(line) ? size : 0;
}

bool HttpTransfer::TakeHeaderLine(absl::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaderBytes) {
    return Stop(absl::StrCat("sent headers of more than ", kMaxHeaderBytes, " bytes"));
  }
  if (head_done_) return true;  // trailers
  line = absl::StripAsciiWhitespace(line);
  if (absl::StartsWith(line, "HTTP/")) {
    head_.content_type.clear();
    head_.content_encoding.clear();
    head_.session.clear();
    return true;
  }
  if (line.empty()) {
    long status = 0;
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200) return true;  // an interim response
    head_done_ = true;
    head_.status = static_cast<int>(status);
    return sink_->OnHead(head_) != HttpSink::Next::kStop;
  }
  const size_t colon = line.find(':');
  const absl::string_view name = line.substr(0, colon);
  if (colon == absl::string_view::npos) return true;
  const std::string value(absl::StripAsciiWhitespace(line.substr(colon + 1)));
  if (absl::EqualsIgnoreCase(name, "content-type")) head_.content_type = value;
  if (absl::EqualsIgnoreCase(name, "content-encoding")) head_.content_encoding = value;
  if (absl::EqualsIgnoreCase(name, "mcp-session-id")) head_.session = value;
  return true;
}

size_t HttpTransfer::OnBodyBytes(char* bytes, size_t, size_t size, void* self) {
  switch (static_cast<HttpTransfer*>(self)->sink_->OnBytes(absl::string_view(bytes, size))) {
    case HttpSink::Next::kMore:
      return size;
    case HttpSink::Next::kPause:
      return CURL_WRITEFUNC_PAUSE;
    case HttpSink::Next::kStop:
      break;
  }
  return size == 0 ? 1 : 0;
}

void HttpTransfer::End(int code) {
  // libcurl is content with headers that have no end.
  if (code == CURLE_OK && !head_done_) why_ = "closed the connection within the headers";
  HttpEnd end = {.whole = code == CURLE_OK && head_done_, .sent = sent_, .how = why_};
  if (!end.whole && end.how.empty()) {
    const char* said =
        error_[0] != '\0' ? error_.data() : curl_easy_strerror(static_cast<CURLcode>(code));
    end.how = base::EscapeAndCut(said, kShownColumns);
    // `Failed to connect`, not `SSL: no alternative certificate`.
    if (end.how.size() > 1 && absl::ascii_islower(end.how[1])) {
      end.how[0] = absl::ascii_tolower(end.how[0]);
    }
  }
  sink_->OnEnd(std::move(end));
}

}  // namespace tipstaff::upstream
