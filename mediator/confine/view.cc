#include "mediator/confine/view.h"

#include <filesystem>

#include "absl/strings/str_cat.h"

namespace tipstaff::confine {

namespace fs = std::filesystem;

std::vector<std::string> ViewOptions(bool network) {
  std::vector<std::string> options = {"--unshare-user",
                                      "--unshare-ipc",
                                      "--unshare-pid",
                                      "--unshare-uts",
                                      "--unshare-cgroup-try",
                                      "--die-with-parent",
                                      "--new-session",
                                      "--cap-drop",
                                      "ALL",
                                      "--ro-bind",
                                      "/usr",
                                      "/usr",
                                      "--proc",
                                      "/proc",
                                      "--dev",
                                      "/dev",
                                      "--tmpfs",
                                      "/tmp",
                                      "--clearenv"};
  const auto add = [&options](std::initializer_list<std::string> more) {
    options.insert(options.end(), more);
  };
  if (!network) add({"--unshare-net"});
  for (const char* name : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}) {
    if (fs::exists(fs::path("/usr") / name)) {
      add({"--symlink", absl::StrCat("usr/", name), absl::StrCat("/", name)});
    }
  }
  for (const char* path : {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                           "/etc/alternatives", "/etc/ssl/certs", "/etc/ca-certificates"}) {
    add({"--ro-bind-try", path, path});
  }
  if (network) {
    for (const char* path : {"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"}) {
      add({"--ro-bind-try", path, path});
    }
  }
  return options;
}

std::string OptionBytes(const std::vector<std::string>& options) {
  std::string bytes;
  for (const std::string& option : options) bytes.append(option.c_str(), option.size() + 1);
  return bytes;
}

}  // namespace tipstaff::confine
