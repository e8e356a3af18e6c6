#include "mediator/cli/eml.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "mediator/base/digest.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/base/utf8.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

constexpr size_t kLine = 76;          // RFC 2045: of base64
constexpr size_t kEncodedBytes = 45;  // 60 characters of base64: an encoded word has 75 at most

absl::Status Bad(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the row is no message: ", what));
}

std::string InLines(const std::string& base64) {
  std::string lines;
  for (size_t at = 0; at < base64.size(); at += kLine) {
    absl::StrAppend(&lines, base64.substr(at, kLine), "\r\n");
  }
  return lines;
}

bool IsPlain(absl::string_view text) {
  return text.size() <= 900 && !absl::StrContains(text, "=?") &&
         std::all_of(text.begin(), text.end(), absl::ascii_isprint);
}

// A header's text, as encoded words where it is not plain (RFC 2047).
std::string Unstructured(absl::string_view text) {
  if (IsPlain(text)) return std::string(text);
  std::string words;
  while (!text.empty()) {
    const absl::string_view piece = base::CutUtf8(text, kEncodedBytes);
    const size_t bytes = piece.empty() ? std::min(text.size(), kEncodedBytes) : piece.size();
    absl::StrAppend(&words, words.empty() ? "" : "\r\n ", "=?utf-8?B?",
                    absl::Base64Escape(text.substr(0, bytes)), "?=");
    text.remove_prefix(bytes);
  }
  return words;
}

// Addresses and message ids are never encoded: what is not plain stands for nothing.
bool IsToken(absl::string_view text) {
  return !text.empty() && text.size() <= 320 &&
         std::all_of(text.begin(), text.end(), absl::ascii_isgraph);
}

// The texts of a member that is a text or a list of them.
absl::StatusOr<std::vector<std::string>> Texts(json::Value row, absl::string_view name) {
  std::vector<std::string> texts;
  const json::Value value = row.Find(name);
  if (!value.exists() || value.is_null()) return texts;
  const auto add = [&](json::Value one) {
    if (one.is_string()) texts.emplace_back(one.string());
    return one.is_string();
  };
  bool good = value.is_string() ? add(value) : value.is_array();
  for (const json::Value item : value.items()) good = good && add(item);
  if (!good) return Bad(absl::StrCat("`", name, "` is no text or list of texts"));
  return texts;
}

absl::Status AddTokens(json::Value row, absl::string_view name, absl::string_view header,
                       absl::string_view between, bool in_angles, std::string& out) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> texts, Texts(row, name));
  std::string line;
  for (const std::string& text : texts) {
    if (!IsToken(text)) {
      return Bad(absl::StrCat("`", name, "` has `", base::EscapeAndCut(text, 60),
                              "`, which a header cannot have"));
    }
    const bool angles = in_angles && !absl::StartsWith(text, "<");
    absl::StrAppend(&line, line.empty() ? "" : between, angles ? "<" : "", text, angles ? ">" : "");
  }
  if (!line.empty()) absl::StrAppend(&out, header, ": ", line, "\r\n");
  return absl::OkStatus();
}

// A mailbox may have an id of its own there, which no other program knows: then it is the message
// that was referred to last.
absl::Status AddInReplyTo(json::Value row, std::string& out) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> given, Texts(row, "in_reply_to"));
  if (given.size() == 1 && absl::StrContains(given[0], "@")) {
    return AddTokens(row, "in_reply_to", "In-Reply-To", " ", /*in_angles=*/true, out);
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> references, Texts(row, "references"));
  if (given.empty() || references.empty()) return absl::OkStatus();
  json::Builder last;
  last.StartObject().Field("last", references.back()).EndObject();
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, std::move(last).Build());
  return AddTokens(document.root(), "last", "In-Reply-To", " ", /*in_angles=*/true, out);
}

absl::Status AddDate(json::Value row, std::string& out) {
  const json::Value date = row.Find("date");
  if (!date.exists()) return absl::OkStatus();
  absl::Time time;
  std::string problem;
  if (!date.is_string() || !absl::ParseTime(absl::RFC3339_full, date.string(), &time, &problem)) {
    return Bad("`date` is no time of RFC 3339");
  }
  absl::StrAppend(&out,
                  "Date: ", absl::FormatTime("%a, %d %b %Y %H:%M:%S %z", time, absl::UTCTimeZone()),
                  "\r\n");
  return absl::OkStatus();
}

std::string TextPart(absl::string_view body) {
  std::string out = "Content-Type: text/plain; charset=utf-8\r\n";
  return absl::StrCat(out, "Content-Transfer-Encoding: base64\r\n\r\n",
                      InLines(absl::Base64Escape(body)));
}

bool IsMediaType(absl::string_view text) {
  return text.size() <= 100 && std::count(text.begin(), text.end(), '/') == 1 &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_isalnum(c) || absl::StrContains("/.+-", absl::string_view(&c, 1));
         });
}

absl::StatusOr<std::string> AttachmentPart(json::Value attachment) {
  if (!attachment.is_object()) return Bad("an attachment is no object");
  // Three characters for each byte, in a line of 998 at most.
  const absl::string_view name = base::CutUtf8(attachment.StringOr("name", "attachment"), 200);
  absl::string_view type = attachment.StringOr("media_type", "");
  if (!IsMediaType(type)) type = "application/octet-stream";
  std::string content(attachment.StringOr("content", ""));
  if (attachment.StringOr("encoding", "") == "base64") {
    std::string decoded;
    if (!absl::Base64Unescape(content, &decoded)) {
      return Bad(
          absl::StrCat("the attachment `", base::EscapeAndCut(name, 60), "` is not in base64"));
    }
    content = std::move(decoded);
  }
  // RFC 2231, for whatever the name holds.
  std::string encoded;
  for (const char c : name) {
    if (absl::ascii_isalnum(c) || absl::StrContains("._-", absl::string_view(&c, 1))) {
      encoded += c;
    } else {
      absl::StrAppend(&encoded, "%",
                      absl::AsciiStrToUpper(absl::BytesToHexString(absl::string_view(&c, 1))));
    }
  }
  return absl::StrCat("Content-Type: ", type, "\r\nContent-Disposition: attachment;\r\n ",
                      "filename*=utf-8''", encoded, "\r\n",
                      "Content-Transfer-Encoding: base64\r\n\r\n",
                      InLines(absl::Base64Escape(content)));
}

absl::StatusOr<std::string> Headers(json::Value row) {
  std::string out;
  const struct {
    const char* name;
    const char* header;
    const char* between;
    bool in_angles;
  } kTokens[] = {{"from", "From", ", ", false},
                 {"to", "To", ",\r\n ", false},
                 {"cc", "Cc", ",\r\n ", false},
                 {"bcc", "Bcc", ",\r\n ", false},
                 {"reply_to", "Reply-To", ", ", false},
                 {"message_id", "Message-ID", " ", true},
                 {"references", "References", "\r\n ", true}};
  for (const auto& one : kTokens) {
    TIPSTAFF_RETURN_IF_ERROR(AddTokens(row, one.name, one.header, one.between, one.in_angles, out));
  }
  TIPSTAFF_RETURN_IF_ERROR(AddInReplyTo(row, out));
  TIPSTAFF_RETURN_IF_ERROR(AddDate(row, out));
  absl::StrAppend(&out, "Subject: ", Unstructured(row.StringOr("subject", "")),
                  "\r\nMIME-Version: 1.0\r\n");
  return out;
}

}  // namespace

absl::StatusOr<std::string> ToEml(json::Value row) {
  if (!row.Find("from").exists() || !row.Find("to").exists()) {
    return Bad("it has no `from` or no `to`");
  }
  TIPSTAFF_ASSIGN_OR_RETURN(std::string out, Headers(row));
  const std::string text = TextPart(row.StringOr("body", ""));
  const json::Value attachments = row.Find("attachments");
  if (attachments.size() == 0) return absl::StrCat(out, text);
  // No part holds it: all content is in base64.
  const std::string boundary =
      absl::StrCat("=_", base::ToHex(base::DigestOf(json::Canonical(row))).substr(0, 32));
  absl::StrAppend(&out, "Content-Type: multipart/mixed; boundary=\"", boundary, "\"\r\n\r\n--",
                  boundary, "\r\n", text);
  for (const json::Value attachment : attachments.items()) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::string part, AttachmentPart(attachment));
    absl::StrAppend(&out, "--", boundary, "\r\n", part);
  }
  return absl::StrCat(out, "--", boundary, "--\r\n");
}

}  // namespace tipstaff::cli
