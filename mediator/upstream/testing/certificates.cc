#include "mediator/upstream/testing/certificates.h"

#include <arpa/inet.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdlib>
#include <memory>

#include "absl/strings/str_cat.h"

namespace tipstaff::upstream {
namespace {

template <auto Free>
struct Freeing {
  template <typename T>
  void operator()(T* one) const {
    Free(one);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;
using X509Ptr = std::unique_ptr<X509, Freeing<X509_free>>;
using Bio = std::unique_ptr<BIO, Freeing<BIO_free>>;

void Must(bool done) {
  if (!done) std::abort();
}

std::string Text(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<size_t>(size));
}

std::string Pem(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  Must(PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return Text(bio.get());
}

std::string Pem(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  Must(PEM_write_bio_X509(bio.get(), certificate) == 1);
  return Text(bio.get());
}

Key ReadKey(const std::string& pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return Key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
}

X509Ptr ReadCertificate(const std::string& pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  return X509Ptr(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
}

void Extend(X509* certificate, X509* issuer, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
  Must(extension != nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

X509Ptr NewCertificate(EVP_PKEY* key, const std::string& name, const CertificateOptions& options) {
  static long serial = 0;
  X509Ptr certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), absl::ToInt64Seconds(options.from));
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), absl::ToInt64Seconds(options.until));
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return certificate;
}

bool IsIpAddress(const std::string& text) {
  in6_addr address;
  return ::inet_pton(AF_INET, text.c_str(), &address) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

}  // namespace

Certificate MakeAuthority() {
  const Key key(EVP_EC_gen("P-256"));
  Must(key != nullptr);
  const X509Ptr certificate = NewCertificate(key.get(), "Test authority", {});
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
  Extend(certificate.get(), certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  Extend(certificate.get(), certificate.get(), NID_key_usage, "critical,keyCertSign");
  Must(X509_sign(certificate.get(), key.get(), EVP_sha256()) != 0);
  return {Pem(certificate.get()), Pem(key.get())};
}

Certificate MakeCertificate(const Certificate& authority, const CertificateOptions& options) {
  const Key key(EVP_EC_gen("P-256"));
  const Key signing = ReadKey(authority.key);
  const X509Ptr issuer = ReadCertificate(authority.certificate);
  Must(key != nullptr && signing != nullptr && issuer != nullptr);
  const X509Ptr certificate = NewCertificate(key.get(), options.address, options);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer.get()));
  Extend(certificate.get(), issuer.get(), NID_subject_alt_name,
         absl::StrCat(IsIpAddress(options.address) ? "IP:" : "DNS:", options.address));
  Must(X509_sign(certificate.get(), signing.get(), EVP_sha256()) != 0);
  return {Pem(certificate.get()), Pem(key.get())};
}

}  // namespace tipstaff::upstream
