#include "mediator/ledger/testing/faulty_disk.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace tipstaff::ledger {

// SQLite reserves vfs->szOsFile bytes for a file: this, and the real one behind it.
struct FaultyFile {
  sqlite3_file base;
  FaultyDisk* disk;
  bool is_log;

  static FaultyFile* Of(sqlite3_file* file) { return reinterpret_cast<FaultyFile*>(file); }
  static sqlite3_file* Real(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(Of(file) + 1);
  }

  static int Write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    FaultyFile& self = *Of(file);
    FaultyDisk& disk = *self.disk;
    if (const int error = disk.NextOperation()) return error;
    if (const int error = disk.write_error_) return error;
    if (const int error = self.is_log ? 0 : disk.database_write_error_.load()) {
      ++disk.failed_database_writes_;
      return error;
    }
    const int64_t limit = disk.log_limit_;
    if (self.is_log && limit >= 0 && offset + size > limit) return SQLITE_FULL;
    sqlite3_int64 now = 0;
    if (const int error = Real(file)->pMethods->xFileSize(Real(file), &now)) return error;
    if (!disk.HasRoomFor(offset + size - now)) return SQLITE_FULL;
    if (self.is_log) ++disk.unsynced_log_writes_;
    return Real(file)->pMethods->xWrite(Real(file), bytes, size, offset);
  }
  static int Truncate(sqlite3_file* file, sqlite3_int64 size) {
    if (const int error = Of(file)->disk->NextOperation()) return error;
    return Real(file)->pMethods->xTruncate(Real(file), size);
  }
  static int Sync(sqlite3_file* file, int flags) {
    FaultyFile& self = *Of(file);
    if (const int error = self.disk->NextOperation()) return error;
    if (const int error = self.disk->sync_error_) return error;
    ++self.disk->syncs_;
    const int result =
        self.disk->pretends_ ? SQLITE_OK : Real(file)->pMethods->xSync(Real(file), flags);
    if (self.is_log && result == SQLITE_OK) self.disk->unsynced_log_writes_ = 0;
    return result;
  }
};

int64_t FaultyDisk::UsedOf(const std::string& folder) {
  int64_t used = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const bool shared = entry.path().native().ends_with("-shm");
    if (!shared && entry.is_regular_file()) used += static_cast<int64_t>(entry.file_size());
  }
  return used;
}

bool FaultyDisk::HasRoomFor(int64_t growth) const {
  return folder_limit_ < 0 || growth <= 0 || UsedOf(folder_) + growth <= folder_limit_;
}

absl::Status FaultyDisk::TakeRoom(int fd, uint64_t bytes) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return absl::InternalError("fstat");
  if (!HasRoomFor(static_cast<int64_t>(bytes) - info.st_size)) {
    return absl::ResourceExhaustedError("no room");
  }
  return ::posix_fallocate(fd, 0, static_cast<off_t>(bytes)) == 0
             ? absl::OkStatus()
             : absl::InternalError("posix_fallocate");
}

int FaultyDisk::NextOperation() {
  const int64_t number = ++operations_, at = fails_at_;
  const bool fails = at > 0 && (number == at || (from_then_on_ && number > at));
  return fails ? operation_error_.load() : 0;
}

void FaultyDisk::FailOperation(int64_t number, int code, bool from_then_on) {
  operations_ = 0;
  operation_error_ = code;
  from_then_on_ = from_then_on;
  fails_at_ = number;
}

namespace {

// The method of the real file with the same arguments.
template <auto kMethod, typename... Args>
int Forward(sqlite3_file* file, Args... args) {
  sqlite3_file* real = FaultyFile::Real(file);
  return (real->pMethods->*kMethod)(real, args...);
}
void ForwardBarrier(sqlite3_file* file) {
  FaultyFile::Real(file)->pMethods->xShmBarrier(FaultyFile::Real(file));
}

using Methods = sqlite3_io_methods;
constexpr Methods kMethods = {
    .iVersion = 2,
    .xClose = Forward<&Methods::xClose>,
    .xRead = Forward<&Methods::xRead, void*, int, sqlite3_int64>,
    .xWrite = FaultyFile::Write,
    .xTruncate = FaultyFile::Truncate,
    .xSync = FaultyFile::Sync,
    .xFileSize = Forward<&Methods::xFileSize, sqlite3_int64*>,
    .xLock = Forward<&Methods::xLock, int>,
    .xUnlock = Forward<&Methods::xUnlock, int>,
    .xCheckReservedLock = Forward<&Methods::xCheckReservedLock, int*>,
    .xFileControl = Forward<&Methods::xFileControl, int, void*>,
    .xSectorSize = Forward<&Methods::xSectorSize>,
    .xDeviceCharacteristics = Forward<&Methods::xDeviceCharacteristics>,
    .xShmMap = Forward<&Methods::xShmMap, int, int, int, void volatile**>,
    .xShmLock = Forward<&Methods::xShmLock, int, int, int>,
    .xShmBarrier = ForwardBarrier,
    .xShmUnmap = Forward<&Methods::xShmUnmap, int>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

}  // namespace

struct Opening {
  static int Fails(FaultyDisk& disk) { return disk.NextOperation() != 0 ? SQLITE_CANTOPEN : 0; }
};

namespace {

struct Behind {
  FaultyDisk* disk;
  sqlite3_vfs* real;
};

int Open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  const Behind& behind = *static_cast<Behind*>(vfs->pAppData);
  FaultyFile& self = *FaultyFile::Of(file);
  self.base.pMethods = nullptr;
  if (const int error = Opening::Fails(*behind.disk)) return error;
  self.disk = behind.disk;
  self.is_log = (flags & SQLITE_OPEN_WAL) != 0;
  const int result =
      behind.real->xOpen(behind.real, name, FaultyFile::Real(file), flags, out_flags);
  if (result == SQLITE_OK) self.base.pMethods = &kMethods;
  return result;
}

}  // namespace

FaultyDisk::FaultyDisk() {
  sqlite3_initialize();
  sqlite3_vfs* const real = sqlite3_vfs_find("unix");
  vfs_ = std::make_unique<sqlite3_vfs>(*real);
  vfs_->zName = "tipstaff-faulty";
  vfs_->szOsFile = static_cast<int>(sizeof(FaultyFile)) + real->szOsFile;
  vfs_->pNext = nullptr;
  vfs_->xOpen = Open;
  static Behind behind;
  behind = {this, real};
  vfs_->pAppData = &behind;
  if (sqlite3_vfs_register(vfs_.get(), /*makeDflt=*/1) != SQLITE_OK) {
    std::fprintf(stderr, "cannot register the faulty disk\n");
    std::abort();
  }
}

FaultyDisk::~FaultyDisk() {
  sqlite3_vfs_unregister(vfs_.get());
  sqlite3_vfs_register(sqlite3_vfs_find("unix"), /*makeDflt=*/1);
}

}  // namespace tipstaff::ledger
