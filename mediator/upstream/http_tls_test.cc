#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"
#include "mediator/upstream/testing/transport_fixture.h"

namespace tipstaff::upstream {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class HttpTlsTest : public HttpTransportTest {
 protected:
  HttpTlsTest() {
    EXPECT_TRUE(base::WriteFile(folder_.Path("ca.pem"), authority_.certificate).ok());
    options_.ca_file = folder_.Path("ca.pem");
    options_.credential_header = "Authorization";
    options_.credential_value = "Bearer hunter22hunter22";
  }
  Serving ServeWith(const Certificate& certificate) {
    return Serve(
        [](const ServedRequest&, Responder& responder) {
          responder.Respond(200, "application/json", "{}");
          return true;
        },
        certificate);
  }
  // Nothing was said to the server.
  void ExpectRefusal(const std::string& why) {
    Start();
    Call(1);
    ASSERT_TRUE(RunUntilReported(1));
    EXPECT_EQ(reports_.size(), 1u);
    EXPECT_THAT(reports_[0], AllOf(StartsWith("failure 1 0 unsent "), HasSubstr(why)));
    EXPECT_THAT(server_->requests(), IsEmpty());
  }

  base::TempFolder folder_;
  const Certificate authority_ = MakeAuthority();
};

TEST_F(HttpTlsTest, TakesACertificateOfTheAuthority) {
  const Serving serving = ServeWith(MakeCertificate(authority_, {}));
  Start();
  Call(1);
  ASSERT_TRUE(RunUntilReported(2));
  EXPECT_THAT(reports_, ElementsAre("message 1 {}", "end 1"));
  EXPECT_EQ(server_->requests()[0].Header("authorization"), options_.credential_value);
}

TEST_F(HttpTlsTest, TakesACertificateOfTheName) {
  const Serving serving = ServeWith(MakeCertificate(authority_, {.address = "localhost"}));
  options_.url = server_->Url("localhost");
  Start();
  // The second goes to the address, and is still checked by the name.
  for (uint64_t id = 1; id <= 2; ++id) {
    Call(id);
    ASSERT_TRUE(RunUntilReported(2 * id));
  }
  EXPECT_THAT(reports_, ElementsAre("message 1 {}", "end 1", "message 2 {}", "end 2"));
}

TEST_F(HttpTlsTest, RefusesAnotherHosts) {
  const Serving serving = ServeWith(MakeCertificate(authority_, {.address = "mcp.example"}));
  ExpectRefusal("no alternative certificate subject name matches");
}

TEST_F(HttpTlsTest, RefusesAnotherAddress) {
  const Serving serving = ServeWith(MakeCertificate(authority_, {.address = "127.0.0.2"}));
  ExpectRefusal("no alternative certificate subject name matches");
}

TEST_F(HttpTlsTest, RefusesAnExpiredOne) {
  const Serving serving = ServeWith(MakeCertificate(authority_, {.until = -absl::Hours(1)}));
  ExpectRefusal("expired");
}

TEST_F(HttpTlsTest, RefusesOneThatIsNotValidYet) {
  const Serving serving = ServeWith(MakeCertificate(authority_, {.from = absl::Hours(1)}));
  ExpectRefusal("not yet valid");
}

TEST_F(HttpTlsTest, RefusesOneThatSignsItself) {
  const Serving serving = ServeWith(MakeAuthority());
  ExpectRefusal("certificate");
}

TEST_F(HttpTlsTest, RefusesAnotherAuthoritys) {
  const Serving serving = ServeWith(MakeCertificate(MakeAuthority(), {}));
  ExpectRefusal("SSL");
}

TEST_F(HttpTlsTest, RefusesATestAuthorityWithoutAFile) {
  const Serving serving = ServeWith(MakeCertificate(authority_, {}));
  options_.ca_file.clear();
  ExpectRefusal("certificate");
}

TEST_F(HttpTlsTest, RefusesAServerWithoutTls) {
  const Serving serving = ServeWith({});
  options_.url = "https" + options_.url.substr(4);
  ExpectRefusal("");
}

}  // namespace
}  // namespace tipstaff::upstream
