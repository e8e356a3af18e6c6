// One request under way in libcurl. Internal to HttpClient.
#pragma once

#include <array>
#include <memory>

#include "mediator/upstream/http_client.h"

typedef void CURL;
struct curl_slist;

namespace tipstaff::upstream {

// On the client's thread only.
class HttpTransfer {
 public:
  // `easy` is to be given back by whoever gave it, after this is destroyed.
  HttpTransfer(HttpClient::Ticket ticket, HttpRequest request, std::shared_ptr<HttpSink> sink,
               CURL* easy);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;

  // Sets all of the handle's options.
  void SetUp();
  // `code`: a CURLcode.
  void End(int code);

  HttpClient::Ticket ticket() const { return ticket_; }
  CURL* easy() const { return easy_; }
  bool is_last_word() const { return request_.is_last_word; }

 private:
  static size_t OnHeaderLine(char* bytes, size_t one, size_t size, void* self);
  static size_t OnBodyBytes(char* bytes, size_t one, size_t size, void* self);
  static int OnConnected(void* self, char* address, char* own, int port, int own_port);

  void SetUpRequest();
  void SetUpConnection();
  void SetUpTrust();
  bool TakeHeaderLine(absl::string_view line);
  bool Stop(std::string why);

  const HttpClient::Ticket ticket_;
  const HttpRequest request_;
  const std::shared_ptr<HttpSink> sink_;
  CURL* const easy_;
  curl_slist* headers_ = nullptr;
  curl_slist* connect_to_ = nullptr;
  std::array<char, 256> error_{};  // CURL_ERROR_SIZE
  HttpHead head_;
  bool head_done_ = false;
  size_t header_bytes_ = 0;
  bool sent_ = false;
  std::string why_;  // why it was stopped here
};

}  // namespace tipstaff::upstream
