# All of these are Debian packages; `./dev setup` installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(absl REQUIRED)
find_package(Protobuf REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(spdlog REQUIRED)
find_package(Boost REQUIRED)
find_package(EXPAT REQUIRED) # only tests read XML
find_package(OpenSSL REQUIRED) # only tests serve TLS
find_package(GTest REQUIRED)
find_package(CLI11 QUIET)
pkg_check_modules(GRPC REQUIRED IMPORTED_TARGET grpc++_unsecure)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(IDN2 REQUIRED IMPORTED_TARGET libidn2)
# Debian's has no .pc file.
find_path(UNISTRING_INCLUDE_DIR uninorm.h REQUIRED)
find_library(UNISTRING_LIBRARY unistring REQUIRED)
add_library(tipstaff_unistring INTERFACE)
target_include_directories(tipstaff_unistring SYSTEM INTERFACE ${UNISTRING_INCLUDE_DIR})
target_link_libraries(tipstaff_unistring INTERFACE ${UNISTRING_LIBRARY})
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4)
pkg_check_modules(TCMALLOC REQUIRED IMPORTED_TARGET libtcmalloc_minimal)
# Of the programs that carry calls: a fifth more of them each second than with the C library's. The
# sanitizers bring their own.
add_library(tipstaff_allocator INTERFACE)
if(NOT TIPSTAFF_SANITIZE)
  target_link_libraries(tipstaff_allocator INTERFACE
    -Wl,--push-state,--no-as-needed PkgConfig::TCMALLOC -Wl,--pop-state)
endif()
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
include(GoogleTest)
