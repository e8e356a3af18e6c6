// One plain e-mail address, for the keywords `email` and `emailDomain`.
//
//   std::optional<Address> address = ParseAddress("Ann.Lee@Example.com");
//   IsListed(*address, listed)       // the very address
//   IsInDomain(entry, address->domain)  // domain_entry.h
//
// Narrower than `format: email`: what some mailer could read as another address, as two, as a
// route or as a command is none. Refused:
//   - anything around it: display name, angle brackets, comment, white space, CR, LF, control
//     character, a second address after `,` or `;`
//   - a quoted local part, a source route (`@a,@b:c@d`), `%` and `!` (`user%other@relay`,
//     `relay!user`), `/`, `|`, `$` and a back-quote (files and commands to some mailers), `?`
//     (encoded words, `=?utf-8?q?x=40evil?=`, which some mailers decode), a local part that begins
//     with `-` (an option), begins or ends with a dot or holds two in a row
//   - a local part or domain that is not ASCII, but for U-labels in the domain
//   - an IP address as the domain, bracketed or bare in any notation; a trailing dot; what
//     PlainDomain() refuses
//   - a local part over 64 bytes, an address over 254 (RFC 5321, section 4.5.3.1)
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tipstaff::schema {

struct Address {
  std::string local;   // as given
  std::string domain;  // lower-case ASCII: A-labels for U-labels

  bool operator==(const Address& other) const {
    return local == other.local && domain == other.domain;
  }
};

std::optional<Address> ParseAddress(absl::string_view text);

// Whether `address` is one of `listed`. The local part counts exactly, upper case too (RFC 5321,
// section 2.4: only its own host may know that `Ann` and `ann` are one), the domain without.
bool IsListed(const Address& address, absl::Span<const Address> listed);

}  // namespace tipstaff::schema
