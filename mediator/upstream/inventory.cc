#include "mediator/upstream/inventory.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"

namespace tipstaff::upstream {
namespace {

struct Step {
  mcp::ListKind kind;
  const char* capability;
  std::vector<std::string> Inventory::*into;
};
constexpr Step kSteps[] = {
    {mcp::ListKind::kTools, "tools", &Inventory::tools},
    {mcp::ListKind::kResources, "resources", &Inventory::resources},
    {mcp::ListKind::kResourceTemplates, "resources", &Inventory::resource_templates},
    {mcp::ListKind::kPrompts, "prompts", &Inventory::prompts}};

// One list after the other; callbacks of the link hold it.
class Fetch : public std::enable_shared_from_this<Fetch> {
 public:
  Fetch(Link& link, std::function<void(absl::StatusOr<Inventory>)> done)
      : link_(link), done_(std::move(done)) {}

  void Next() {
    // What the server has is known only once it is connected, and the first list waits for that.
    while (step_ > 0 && step_ < std::size(kSteps) && link_.ready() &&
           !link_.peer().Has(kSteps[step_].capability)) {
      ++step_;
    }
    if (step_ == std::size(kSteps)) return Finish();
    link_.List(kSteps[step_].kind,
               [self = shared_from_this()](const mcp::Listed& listed) { self->Take(listed); });
  }

 private:
  void Take(const mcp::Listed& listed) {
    const Step& step = kSteps[step_];
    const bool has = link_.ready() && link_.peer().Has(step.capability);
    // Servers without templates may not know the method, although they have resources.
    const bool may_fail = link_.ready() && (!has || step.kind == mcp::ListKind::kResourceTemplates);
    if (!listed.error.empty() && !may_fail) {
      return std::exchange(done_,
                           nullptr)(absl::UnavailableError(base::EscapeAndCut(listed.error, 300)));
    }
    if (listed.error.empty()) inventory_.*step.into = listed.items;
    ++step_;
    Next();
  }

  void Finish() {
    if (link_.ready()) {
      inventory_.generation =
          link_.peer().generation == mcp::Generation::kModern ? "modern" : "legacy";
    }
    if (link_.ready() && link_.peer().server_info.root().is_object()) {
      json::Builder copy(2 * json::kMaxDepth);
      copy.Copy(link_.peer().server_info.root());
      if (auto info = std::move(copy).Build(); info.ok()) inventory_.server_info = *std::move(info);
    }
    std::exchange(done_, nullptr)(std::move(inventory_));
  }

  Link& link_;
  std::function<void(absl::StatusOr<Inventory>)> done_;
  size_t step_ = 0;
  Inventory inventory_;
};

}  // namespace

void FetchInventory(Link& link, std::function<void(absl::StatusOr<Inventory>)> done) {
  std::make_shared<Fetch>(link, std::move(done))->Next();
}

}  // namespace tipstaff::upstream
