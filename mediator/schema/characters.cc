#include "mediator/schema/characters.h"

#include <unicase.h>
#include <uninorm.h>

#include "absl/strings/ascii.h"
#include "mediator/base/utf8.h"

namespace tipstaff::schema {
namespace {

constexpr size_t kLongestForm = 18;  // code points of an NFKC form, U+FDFA's

// What Windows' code pages put in the place of a character they lack ("best fit"), where NFKC does
// not have it. Combining marks are not here: letters with marks, taken apart, are common.
char BestFit(uint32_t c) {
  switch (c) {
    case 0xa5:    // yen sign (Japanese)
    case 0x20a9:  // won sign (Korean)
    case 0x2216:  // set minus
    case 0x29f5:  // reverse solidus operator
    case 0x29f9:  // big reverse solidus
      return '\\';
    case 0x2044:  // fraction slash
    case 0x2215:  // division slash
    case 0x29f8:  // big solidus
      return '/';
    case 0x2236:  // ratio
    case 0xa789:  // modifier letter colon
      return ':';
    case 0x2017:  // double low line
      return '=';
    case 0xa6:    // broken bar
    case 0x2223:  // divides
    case 0x2758:  // light vertical bar
      return '|';
    case 0xab:  // left guillemets
    case 0x2039:
    case 0x2329:  // left angle brackets
    case 0x27e8:
    case 0x3008:
      return '<';
    case 0xbb:  // right guillemets
    case 0x203a:
    case 0x232a:  // right angle brackets
    case 0x27e9:
    case 0x3009:
      return '>';
    case 0x301a:  // white square brackets
    case 0x27e6:
      return '[';
    case 0x301b:
    case 0x27e7:
      return ']';
    case 0xb4:   // acute accent
    case 0x2b9:  // modifier letters: prime, apostrophe, vertical line, acute
    case 0x2bc:
    case 0x2c8:
    case 0x2ca:
    case 0x2032:  // prime
    case 0x2018:  // single quotation marks
    case 0x2019:
    case 0x201a:
    case 0x201b:
      return '\'';
    case 0x2ba:   // modifier letter double prime
    case 0x2dd:   // double acute accent
    case 0x2033:  // double primes
    case 0x2036:
    case 0x3003:  // ditto mark
    case 0x301d:
    case 0x301e:
    case 0x301f:
    case 0x201c:  // double quotation marks
    case 0x201d:
    case 0x201e:
    case 0x201f:
      return '"';
    case 0x2cb:   // modifier letter grave accent
    case 0x2035:  // reversed prime
      return '`';
    case 0x2c4:   // modifier letter up arrowhead
    case 0x2c6:   // modifier letter circumflex
    case 0x2303:  // up arrowhead
      return '^';
    case 0x2dc:   // small tilde
    case 0x223c:  // tilde operator
    case 0x301c:  // wave dash
      return '~';
    case 0x2217:  // asterisk operator
      return '*';
    case 0x203c:  // double exclamation mark
      return '!';
    case 0x2010:  // hyphens and dashes
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2015:
    case 0x2212:  // minus
      return '-';
    default:
      return '\0';
  }
}

}  // namespace

bool IsSpace(uint32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x3000;
}

std::string AsciiForms(uint32_t c) {
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  std::string out;
  if (const char fit = BestFit(c)) out += fit;
  uint32_t form[kLongestForm];
  size_t size = kLongestForm;
  // Null when it does not fit, of which there is none.
  if (u32_normalize(UNINORM_NFKC, &c, 1, form, &size) == form) {
    for (size_t i = 0; i < size; ++i) {
      if (form[i] < 0x80) {
        out += static_cast<char>(form[i]);
      } else if (const char fit = form[i] == c ? '\0' : BestFit(form[i])) {
        out += fit;
      }
    }
  }
  return out;
}

bool BecomesPathSyntax(uint32_t c) {
  return c >= 0x80 && AsciiForms(c).find_first_of("./\\:") != std::string::npos;
}

std::string FoldName(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    const absl::string_view bytes = text.substr(0, point.bytes);
    text.remove_prefix(point.bytes);
    if (point.valid && point.value < 0x80) {
      out += absl::ascii_tolower(static_cast<unsigned char>(point.value));
      continue;
    }
    if (point.value == 0x130 || point.value == 0x131) {
      out += 'i';
      continue;
    }
    uint8_t folded[4 * kLongestForm];
    size_t size = sizeof folded;
    if (point.valid && u8_casefold(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                   nullptr, UNINORM_NFKC, folded, &size) == folded) {
      out.append(reinterpret_cast<const char*>(folded), size);
    } else {
      out.append(bytes.data(), bytes.size());
    }
  }
  return out;
}

}  // namespace tipstaff::schema
