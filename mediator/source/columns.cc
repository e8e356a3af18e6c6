#include "mediator/source/columns.h"

namespace tipstaff::source {
namespace {

struct Range {
  uint32_t first, last;
};

template <size_t N>
bool IsIn(uint32_t c, const Range (&ranges)[N]) {
  for (const Range& range : ranges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

// Combining marks of the scripts that people write most (Unicode category Mn, the large blocks).
constexpr Range kCombining[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},  {0x64B, 0x65F},
    {0x93C, 0x93C},   {0x941, 0x948},   {0xE34, 0xE3A},   {0xE47, 0xE4E},  {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x3099, 0x309A}, {0xFE20, 0xFE2F}};

// East Asian Width W and F, and the emoji that terminals draw over two columns.
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x2E80, 0x303E},
                           {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
                           {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
                           {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
                           {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
                           {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

}  // namespace

int ColumnsOf(uint32_t code_point) {
  if (code_point < 0x300) return 1;
  if (IsIn(code_point, kCombining)) return 0;
  return IsIn(code_point, kWide) ? 2 : 1;
}

}  // namespace tipstaff::source
