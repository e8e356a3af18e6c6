// Commands that are printed to be copied.
#pragma once

#include <string>

namespace tipstaff::cli {

// `text` as one word for a shell, quoted where it has to be.
std::string ShellWord(const std::string& text);

}  // namespace tipstaff::cli
