// Certificates of a test's own authority, as PEM.
#pragma once

#include <string>

#include "absl/time/time.h"

namespace tipstaff::upstream {

struct Certificate {
  std::string certificate, key;  // PEM
};

struct CertificateOptions {
  std::string address = "127.0.0.1";                                // an IP address, or a DNS name
  absl::Duration from = -absl::Hours(24), until = absl::Hours(24);  // from now
};

// Signs itself. Aborts when OpenSSL fails.
Certificate MakeAuthority();
// Signed by `authority`.
Certificate MakeCertificate(const Certificate& authority, const CertificateOptions& options);

}  // namespace tipstaff::upstream
