// An argument that holds more than is looked through for planted texts.
#pragma once

#include <random>
#include <string>

namespace tipstaff::policy {

// As sequencers write it, but with every printable character, and some of full width: each reading
// of it is another text, and so is each of what that may be read as. More than a call may hold.
inline std::string LaboriousText() {
  std::mt19937 random(9);
  std::string text;
  while (text.size() < 450'000) {
    text += "@r\uff21\n";
    for (int i = 0; i < 100; ++i) text += "ACGT"[random() % 4];
    text += "\n+0x\n";
    for (int i = 0; i < 100; ++i) text += static_cast<char>('!' + random() % 94);
    text += '\n';
  }
  return text;
}

}  // namespace tipstaff::policy
