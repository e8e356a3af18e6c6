# tipstaff-guest as one static file. Our libraries (tipstaff::base, ...) bring shared libraries of
# Debian's with them through their imported targets (absl::*, libprotobuf-lite.so, libsodium), which
# a static link cannot take, so the sources that the program needs are compiled here a second time,
# in sections that the linker can drop, and linked with the .a files of the same packages.
set(linked
  mediator/base/clock.cc mediator/base/escape.cc mediator/base/file.cc mediator/base/ids.cc
  mediator/base/utf8.cc
  mediator/json/builder.cc mediator/json/document.cc mediator/json/number.cc
  mediator/json/parse.cc mediator/json/write.cc
  mediator/mcp/call_result.cc mediator/mcp/catalog.cc mediator/mcp/decision.cc
  mediator/mcp/http_params.cc mediator/mcp/http_post.cc mediator/mcp/http_rules.cc
  mediator/mcp/lines.cc mediator/mcp/log_level.cc mediator/mcp/message.cc mediator/mcp/methods.cc
  mediator/mcp/page.cc mediator/mcp/session.cc mediator/mcp/session_answers.cc
  mediator/mcp/session_changes.cc mediator/mcp/session_lists.cc mediator/mcp/session_requests.cc
  mediator/mcp/tool_list.cc mediator/mcp/version.cc mediator/transport/dial/dial.cc)
list(TRANSFORM linked PREPEND ${PROJECT_SOURCE_DIR}/)
set(generated ${CMAKE_BINARY_DIR}/proto/tipstaff/guest/v1/guest)

add_executable(tipstaff-guest main.cc ${sources} ${linked}
  ${generated}.pb.cc ${generated}.grpc.pb.cc)
# Made by the targets below, in another folder's scope.
set_source_files_properties(${generated}.pb.cc ${generated}.grpc.pb.cc PROPERTIES GENERATED TRUE)
add_dependencies(tipstaff-guest tipstaff_guest_proto tipstaff_guest_service)
target_include_directories(tipstaff-guest PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(tipstaff-guest SYSTEM PRIVATE ${CMAKE_BINARY_DIR}/proto)
target_compile_definitions(tipstaff-guest PRIVATE GRPC_USE_PROTO_LITE)
target_compile_options(tipstaff-guest PRIVATE -ffunction-sections -fdata-sections)
set_target_properties(tipstaff-guest PROPERTIES POSITION_INDEPENDENT_CODE OFF)

# pkg-config names gRPC's own libraries and Abseil's; what it leaves out follows. Their order does
# not matter within the group.
set(archives ${GRPC_STATIC_LIBRARIES} protobuf-lite address_sorting upb cares re2 z
    absl_status absl_statusor absl_strings absl_time)
list(FILTER archives EXCLUDE REGEX "^(pthread|dl|m|rt|atomic|systemd|ssl|crypto)$")
list(REMOVE_DUPLICATES archives)
target_link_libraries(tipstaff-guest PRIVATE tipstaff_flags
  -static -Wl,--gc-sections -Wl,--start-group ${archives} -Wl,--end-group
  $<$<CONFIG:Release>:-s>)
