#include "mediator/cli/working_folder.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "mediator/base/escape.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"
#include "mediator/cli/templates.h"
#include "mediator/policy/name.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kTemplates = "mediator/cli/templates/";
constexpr absl::string_view kReports = "reports";
// The names of stubs that are shipped, which a new one would be taken for.
constexpr absl::string_view kShipped[] = {"flaky", "mailbox", "tickets", "web"};
// Agents see alias_tool in at most 60 characters.
constexpr size_t kMaxStubName = 40;

absl::Status CheckNames(const std::string& skill, const std::string& stub) {
  for (const auto& [option, name] : {std::make_pair("--name", skill), {"--stub", stub}}) {
    if (policy::IsName(name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(option, " `", base::EscapeAndCut(name, 60),
                     "` is no name: use at most 64 letters, digits, `-` and `_`, a letter first"));
  }
  if (stub.size() > kMaxStubName) {
    return absl::InvalidArgumentError(
        absl::StrCat("--stub `", stub, "` is too long: tools are named after it, so use at most ",
                     kMaxStubName, " characters"));
  }
  if (std::find(std::begin(kShipped), std::end(kShipped), stub) != std::end(kShipped)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", stub, "` is a stub that is shipped, and there is a first skill for `",
                     kReports, "` only: choose another name for a new stub"));
  }
  return absl::OkStatus();
}

std::string TextOf(absl::string_view path) {
  for (const Template& one : Templates()) {
    if (path == one.path) return one.text;
  }
  return "";
}

// What is already there with another content.
absl::StatusOr<std::vector<std::string>> InTheWay(const fs::path& folder,
                                                  const std::vector<NewFile>& files,
                                                  std::vector<NewFile>& to_write) {
  std::vector<std::string> in_the_way;
  for (const NewFile& file : files) {
    const std::string path = (folder / file.path).string();
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) {
      to_write.push_back({path, file.text});
      continue;
    }
    const absl::StatusOr<std::string> there = base::ReadFile(path);
    if (!there.ok() || *there != file.text) {
      in_the_way.push_back(absl::StrCat("`", base::Escape(path), "`"));
    }
  }
  return in_the_way;
}

}  // namespace

absl::StatusOr<WorkingFolder> MakeWorkingFolder(const std::string& skill, const std::string& stub) {
  TIPSTAFF_RETURN_IF_ERROR(CheckNames(skill, stub));
  const bool reports = stub == kReports;
  const auto filled = [&](absl::string_view name) {
    return absl::StrReplaceAll(TextOf(absl::StrCat(kTemplates, name)),
                               {{"@SKILL@", skill}, {"@STUB@", stub}});
  };
  WorkingFolder made;
  made.binding = reports ? "report_id=rep_demo0001" : "item_id=item_0001";
  made.files = {{"tipstaff.yaml", filled("tipstaff.yaml.in")},
                {absl::StrCat("policies/", skill, "/skill.yaml"),
                 filled(reports ? "reports_skill.yaml.in" : "new_skill.yaml.in")}};
  const std::string folder = absl::StrCat("stubs/", stub, "/");
  if (!reports) {
    made.files.push_back({folder + "stub.yaml", filled("new_stub.yaml.in")});
    made.files.push_back({folder + "fixtures/items.yaml", filled("new_stub_items.yaml.in")});
    made.files.push_back({folder + "tests/items.yaml", filled("new_stub_test.yaml.in")});
  }
  for (const Template& one : Templates()) {
    const absl::string_view path = one.path;
    const bool wanted =
        absl::StartsWith(path, "schemas/") || (reports && absl::StartsWith(path, "stubs/reports/"));
    if (wanted) made.files.push_back({one.path, one.text});
  }
  return made;
}

absl::StatusOr<std::vector<std::string>> WriteFiles(const std::string& folder,
                                                    const std::vector<NewFile>& files) {
  std::vector<NewFile> to_write;
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<std::string> in_the_way,
                            InTheWay(folder, files, to_write));
  if (!in_the_way.empty()) {
    return absl::AlreadyExistsError(absl::StrCat(
        absl::StrJoin(in_the_way, ", "), in_the_way.size() == 1 ? " is" : " are",
        " already there, and nothing was written: choose another folder or another --name"));
  }
  std::vector<std::string> written;
  for (const NewFile& file : to_write) {
    std::error_code error;
    fs::create_directories(fs::path(file.path).parent_path(), error);
    if (error) {
      return base::ErrnoToStatus(
          error.value(), absl::StrCat("cannot make the folder of `", base::Escape(file.path), "`"));
    }
    TIPSTAFF_RETURN_IF_ERROR(base::CreateFile(file.path, file.text));
    written.push_back(file.path);
  }
  return written;
}

}  // namespace tipstaff::cli
