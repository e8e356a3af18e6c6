// The files of a recorded stub.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "stubs/recorder/recording.h"
#include "stubs/recorder/stub_maker.h"
#include "stubs/recorder/tables.h"

namespace tipstaff::recorder {

// The calls to `answer` are those that a reply is written for.
std::map<std::string, std::string> WriteStub(const Recording& recording,
                                             const std::vector<const RecordedCall*>& answer,
                                             const std::vector<FoundTable>& tables,
                                             const MakeOptions& options);

}  // namespace tipstaff::recorder
