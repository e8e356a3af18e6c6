#include "mediator/upstream/call_request.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/mcp/http_params.h"

namespace tipstaff::upstream {
namespace {

// `arguments`, an object as canonical JSON, with one member more.
std::string WithMember(const std::string& arguments, absl::string_view key,
                       absl::string_view value) {
  const std::string member = absl::StrCat("{", json::Quote(key), ":", json::Quote(value));
  return arguments == "{}" ? absl::StrCat(member, "}")
                           : absl::StrCat(member, ",", arguments.substr(1));
}

std::string ArgumentsFor(const PinnedItem& item, const backend::Request& request,
                         const std::string& run) {
  const std::string& key = item.tool.idempotency_key;
  const bool adds = !key.empty() && request.submission_key.empty() &&
                    !request.arguments.root().Find(key).exists();
  return adds ? WithMember(request.canonical, key, WriteKey(run, request.number))
              : request.canonical;
}

// Of arguments {"argument", "value", "context"}.
mcp::ClientRequest CompletionRequest(const PinnedItem& item, json::Value arguments) {
  mcp::ClientRequest out;
  out.method = "completion/complete";
  const bool is_prompt = item.kind == PinnedItem::Kind::kPrompt;
  out.params = absl::StrCat(R"({"ref":{"type":)",
                            is_prompt ? R"("ref/prompt","name":)" : R"("ref/resource","uri":)",
                            json::Quote(item.given), R"(},"argument":{"name":)",
                            json::Quote(arguments.StringOr("argument", "")), R"(,"value":)",
                            json::Quote(arguments.StringOr("value", "")), "}");
  if (const json::Value context = arguments.Find("context"); context.exists()) {
    absl::StrAppend(&out.params, R"(,"context":{"arguments":)", json::Dump(context), "}");
  }
  absl::StrAppend(&out.params, "}");
  return out;
}

}  // namespace

std::string WriteKey(const std::string& run, uint64_t number) {
  return absl::StrCat(run, "#", number);
}

mcp::ClientRequest CallRequestOf(const PinnedItem& item, const backend::Request& request,
                                 const std::string& run) {
  if (request.kind == call::Kind::kCompletion) {
    return CompletionRequest(item, request.arguments.root());
  }
  mcp::ClientRequest out;
  out.log_level = request.log_level;
  out.name = item.given;
  switch (item.tool.kind) {
    case call::Kind::kTool: {
      const std::string arguments = ArgumentsFor(item, request, run);
      out.method = "tools/call";
      out.params =
          absl::StrCat(R"({"name":)", json::Quote(item.given), R"(,"arguments":)", arguments, "}");
      out.params_headers = mcp::ParamHeaders(item.tool.input_schema.root(), arguments);
      out.want_progress = true;  // a sign of life, whoever looks at it
      break;
    }
    case call::Kind::kResource:
      out.method =
          request.kind == call::Kind::kSubscription ? "resources/subscribe" : "resources/read";
      out.name = std::string(request.arguments.root().StringOr("uri", ""));
      out.params = absl::StrCat(R"({"uri":)", json::Quote(out.name), "}");
      break;
    case call::Kind::kCompletion:  // no kinds of items
    case call::Kind::kSubscription:
      break;
    case call::Kind::kPrompt:
      out.method = "prompts/get";
      out.params = absl::StrCat(R"({"name":)", json::Quote(item.given), R"(,"arguments":)",
                                request.canonical, "}");
      break;
  }
  return out;
}

}  // namespace tipstaff::upstream
