// Whether the files of a folder were saved (inotify(7)).
#pragma once

#include <string>

#include "mediator/base/fd.h"

namespace tipstaff::cli {

// Watches a folder and the folders below it; those that are made later are taken in. Editors that
// write beside a file and rename, and those that write into it, are both seen. A folder that is
// replaced as a whole is found again. Not thread-safe.
class FolderWatch {
 public:
  explicit FolderWatch(std::string folder);

  // Readable when there is something; -1 where the system gives no watch: then ask now and then.
  int fd() const { return fd_.get(); }
  // Whether the folder itself is watched: when not, it is not there, and nothing will become
  // readable.
  bool is_watching() const { return watching_; }
  // Takes what happened: whether anything did. Never waits.
  bool Take();
  // Waits until nothing has happened for a moment, as several files are often saved together.
  void Settle();

 private:
  void Watch();

  const std::string folder_;
  base::Fd fd_;
  bool watching_ = false;
};

}  // namespace tipstaff::cli
