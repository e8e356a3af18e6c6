// What the session makes of the run's catalog.
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"
#include "mediator/mcp/session.h"

namespace tipstaff::mcp {
namespace {

// What a run has changes only when a backend does; nobody else may be shown this run's.
constexpr absl::string_view kCaching = R"("ttlMs":60000,"cacheScope":"private")";
// Of an answer that was given without the mediator.
constexpr absl::string_view kNoCaching = R"("ttlMs":0,"cacheScope":"private")";

bool Has(const Catalog& catalog, Needs needs) {
  switch (needs) {
    case Needs::kNothing:
      return true;
    case Needs::kResources:
      return catalog.has_resources();
    case Needs::kSubscriptions:
      return catalog.has_resources() && catalog.subscriptions;
    case Needs::kPrompts:
      return catalog.has_prompts();
    case Needs::kCompletions:
      return catalog.completions;
    case Needs::kLogging:
      return catalog.logging;
  }
  return false;
}

absl::string_view Named(Needs needs) {
  switch (needs) {
    case Needs::kNothing:
      return "tools";
    case Needs::kResources:
      return "resources";
    case Needs::kSubscriptions:
      return "resources to subscribe to";
    case Needs::kPrompts:
      return "prompts";
    case Needs::kCompletions:
      return "completions";
    case Needs::kLogging:
      return "logging";
  }
  return "";
}

// The member of the result that holds the items.
absl::string_view ItemsKey(Method method) {
  switch (method) {
    case Method::kResourcesList:
      return "resources";
    case Method::kTemplatesList:
      return "resourceTemplates";
    case Method::kPromptsList:
      return "prompts";
    default:
      return "tools";
  }
}

absl::StatusOr<Page> PageFor(Method method, const Catalog& catalog,
                             const std::optional<std::string>& cursor, Generation generation) {
  switch (method) {
    case Method::kResourcesList:
      return PageOfObjects(catalog.resources, "uri", cursor);
    case Method::kTemplatesList:
      return PageOfObjects(catalog.resource_templates, "uriTemplate", cursor);
    case Method::kPromptsList:
      return PageOfObjects(catalog.prompts, "name", cursor);
    default:
      return PageOfTools(catalog.tools, cursor, generation);
  }
}

}  // namespace

std::vector<Output> ServerSession::OnList(uint64_t ticket,
                                          const absl::StatusOr<CatalogPtr>& catalog) {
  const auto found = requests_.find(ticket);
  if (found == requests_.end()) return {};
  const MethodRule& rule = *found->second.rule;
  if (rule.method == Method::kInitialize || rule.method == Method::kDiscover) {
    return Open(ticket, catalog.ok() ? catalog->get() : nullptr);
  }
  if (!catalog.ok()) {
    return Fail(ticket, {kInternalError,
                         absl::StrCat("the ", Named(rule.needs), " of this run cannot be listed: ",
                                      catalog.status().message())});
  }
  return OnCatalog(ticket, found->second, **catalog);
}

// To `initialize` and `server/discover`.
std::vector<Output> ServerSession::Open(uint64_t ticket, const Catalog* catalog) {
  const bool modern = requests_.at(ticket).generation == Generation::kModern;
  std::string result = "{";
  if (modern) {
    absl::StrAppend(&result, ResultPreamble(Generation::kModern, info_),
                    R"("supportedVersions":[")", absl::StrJoin(ModernVersions(), "\",\""), "\"],",
                    catalog != nullptr ? kCaching : kNoCaching, ",");
  } else {
    legacy_open_ = true;
    absl::StrAppend(&result, R"("protocolVersion":)", json::Quote(legacy_version_),
                    R"(,"serverInfo":)", ServerInfoJson(info_), ",");
  }
  absl::StrAppend(&result, R"("capabilities":)", CapabilitiesJson(catalog));
  if (!info_.instructions.empty()) {
    absl::StrAppend(&result, R"(,"instructions":)", json::Quote(info_.instructions));
  }
  return Answer(ticket, absl::StrCat(result, "}"));
}

std::vector<Output> ServerSession::OnCatalog(uint64_t ticket, Request& request,
                                             const Catalog& catalog) {
  const MethodRule& rule = *request.rule;
  if (!Has(catalog, rule.needs)) {
    return Fail(ticket, {kMethodNotFound, absl::StrCat("method not found: ", Shown(rule.name),
                                                       ": this run has no ", Named(rule.needs))});
  }
  switch (rule.method) {
    case Method::kListen:
      return Listen(ticket, request, catalog);
    case Method::kSetLevel:
      log_level_ = request.argument;
      return Answer(ticket, "{}");
    case Method::kUnsubscribe:
      legacy_uris_.erase(request.argument);
      return Answer(ticket, "{}");
    case Method::kSubscribe:
      if (legacy_uris_.size() >= kMaxSubscriptions && legacy_uris_.count(request.argument) == 0) {
        return Fail(ticket,
                    {kInvalidParams, absl::StrCat("a session subscribes to at most ",
                                                  kMaxSubscriptions, " resources: unsubscribe")});
      }
      break;
    default:
      break;
  }
  if (!request.call) return ListPage(ticket, request, catalog);
  WantCall call = *request.call;
  request.call->arguments.clear();
  call.ticket = ticket;
  return One(std::move(call));
}

std::vector<Output> ServerSession::ListPage(uint64_t ticket, const Request& request,
                                            const Catalog& catalog) {
  const Method method = request.rule->method;
  const absl::StatusOr<Page> page = PageFor(method, catalog, request.cursor, request.generation);
  if (!page.ok()) return Fail(ticket, {kInvalidParams, std::string(page.status().message())});
  Outputs outputs;
  for (const std::string& item : page->left_out) {
    outputs.push_back(Note{absl::StrCat("left out of `", ItemsKey(method), "`: ", item)});
  }
  std::string result = absl::StrCat("{", ResultPreamble(request.generation, info_), "\"",
                                    ItemsKey(method), "\":", page->items);
  if (!page->next_cursor.empty()) {
    absl::StrAppend(&result, R"(,"nextCursor":)", json::Quote(page->next_cursor));
  }
  if (request.generation == Generation::kModern) absl::StrAppend(&result, ",", kCaching);
  for (Output& output : Answer(ticket, absl::StrCat(result, "}"))) {
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace tipstaff::mcp
