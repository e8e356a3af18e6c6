#include "mediator/config/codes.h"

namespace tipstaff::config {
namespace {

constexpr source::Explanation kExplanations[] = {
    {kUnknownKey, "a key that the configuration does not have",
     "A misspelt key would silently leave a default in force, so every key has to be known. The "
     "message names the nearest one."},
    {kWrongType, "a value of the wrong type",
     "The message says what is expected: a text, a mapping, a list of texts or a number."},
    {kMissingKey, "a key is missing",
     "`firecracker` needs `dir` and `port`, `vsock` needs `port`, and a person needs `user` or "
     "`key`, else nothing that person does could be told apart from anybody else's. An upstream "
     "needs its kind, and `test_system` needs `command`, `tools` and `stop`."},
    {kBadValue, "a value that cannot be used",
     "Vsock ports are 1024 to 4294967294. Names of people, groups and upstreams are 1 to 64 "
     "letters, digits, "
     "`_`, `-` and `.`. Paths are not empty. A run's "
     "budget is at least 1MiB. `stop` "
     "is what can be promised of a call that the system has: `killable`, `queryable` or `none`."},
    {kPathTooLong, "a path too long for a Unix socket",
     "The address of a Unix socket holds 107 bytes. Choose a shorter folder, or start Tipstaff in "
     "a folder from which the relative path is short."},
    {kTwice, "the same thing is named twice",
     "A folder is listed once. Two people do not share a Unix user, and a group does not have a "
     "person's name, because approvals name either."},
};

}  // namespace

source::ExplanationTable ConfigExplanations() { return kExplanations; }

}  // namespace tipstaff::config
