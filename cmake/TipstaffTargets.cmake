# tipstaff_library(NAME SRCS ... [PUBLIC dep...] [PRIVATE dep...])
#   one folder, one library: target tipstaff_NAME, alias tipstaff::NAME, namespace tipstaff::NAME
# tipstaff_crash_points(TARGET)
#   it includes mediator/base/crash_point.h
# tipstaff_program(NAME SRCS ... [LINK dep...])
#   an executable in <build>/bin
# tipstaff_test(NAME SRCS ... [LINK dep...] [LABELS label] [DEFINES x...] [TIMEOUT seconds])
#   a GoogleTest program; each case is a ctest test with this label (default: unit). One label only:
#   gtest_discover_tests of CMake 3.25 loses a list, and the timeout after it.
#   Target unit_tests builds those with the label unit.
# tipstaff_proto(NAME PROTO file)
#   target tipstaff::NAME with the generated messages (lite runtime)
# tipstaff_grpc(NAME PROTO file LINK messages)
#   target tipstaff::NAME with the generated service; only the gate and the guest agent link it

function(tipstaff_library name)
  cmake_parse_arguments(ARG "" "" "SRCS;PUBLIC;PRIVATE" ${ARGN})
  add_library(tipstaff_${name} STATIC ${ARG_SRCS})
  add_library(tipstaff::${name} ALIAS tipstaff_${name})
  target_include_directories(tipstaff_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(tipstaff_${name} PUBLIC ${ARG_PUBLIC} PRIVATE tipstaff_flags ${ARG_PRIVATE})
endfunction()

# The target's code has crash points (mediator/base/crash_point.h), and they are compiled as
# TIPSTAFF_CRASH_POINTS says.
function(tipstaff_crash_points target)
  target_compile_definitions(${target} PRIVATE
    TIPSTAFF_CRASH_POINTS=$<BOOL:${TIPSTAFF_CRASH_POINTS}>)
endfunction()

function(tipstaff_program name)
  cmake_parse_arguments(ARG "" "" "SRCS;LINK" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE tipstaff_flags ${ARG_LINK})
endfunction()

add_custom_target(unit_tests)

function(tipstaff_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SRCS;LINK;LABELS;DEFINES" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  list(LENGTH ARG_LABELS labels)
  if(labels GREATER 1)
    message(FATAL_ERROR "${name}: one label, not `${ARG_LABELS}`")
  endif()
  # Debian's gRPC is not instrumented: thread sanitizer can judge only what does not link it.
  if(TIPSTAFF_SANITIZE MATCHES thread AND ARG_LABELS STREQUAL unit AND
     "${CMAKE_CURRENT_SOURCE_DIR};${ARG_LINK}" MATCHES "/gate;|/guest-agent;|guest_service|::GRPC")
    set(ARG_LABELS grpc)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SRCS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE tipstaff_flags ${ARG_LINK} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    TIPSTAFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TIPSTAFF_BIN_DIR="${CMAKE_BINARY_DIR}/bin" ${ARG_DEFINES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${ARG_LABELS} TIMEOUT ${ARG_TIMEOUT})
  if(ARG_LABELS STREQUAL unit)
    add_dependencies(unit_tests ${name})
  endif()
endfunction()

function(tipstaff_generate files)
  cmake_parse_arguments(ARG "" "PROTO" "SUFFIXES;FLAGS" ${ARGN})
  set(root ${PROJECT_SOURCE_DIR}/schemas/proto)
  set(out ${CMAKE_BINARY_DIR}/proto)
  string(REGEX REPLACE "\\.proto$" "" stem ${ARG_PROTO})
  list(TRANSFORM ARG_SUFFIXES PREPEND ${out}/${stem} OUTPUT_VARIABLE generated)
  file(MAKE_DIRECTORY ${out})
  file(GLOB_RECURSE all_protos CONFIGURE_DEPENDS ${root}/*.proto)
  add_custom_command(OUTPUT ${generated}
    COMMAND ${PROTOC} -I${root} ${ARG_FLAGS} ${root}/${ARG_PROTO}
    DEPENDS ${all_protos} VERBATIM)
  set(${files} ${generated} PARENT_SCOPE)
endfunction()

function(tipstaff_proto name)
  cmake_parse_arguments(ARG "" "PROTO" "" ${ARGN})
  tipstaff_generate(files PROTO ${ARG_PROTO} SUFFIXES .pb.cc .pb.h
    FLAGS --cpp_out=lite:${CMAKE_BINARY_DIR}/proto)
  add_library(tipstaff_${name} STATIC ${files})
  add_library(tipstaff::${name} ALIAS tipstaff_${name})
  target_include_directories(tipstaff_${name} SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/proto)
  target_link_libraries(tipstaff_${name} PUBLIC protobuf::libprotobuf-lite)
endfunction()

function(tipstaff_grpc name)
  cmake_parse_arguments(ARG "" "PROTO" "LINK" ${ARGN})
  tipstaff_generate(files PROTO ${ARG_PROTO} SUFFIXES .grpc.pb.cc .grpc.pb.h
    FLAGS --grpc_out=${CMAKE_BINARY_DIR}/proto --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN})
  add_library(tipstaff_${name} STATIC ${files})
  add_library(tipstaff::${name} ALIAS tipstaff_${name})
  target_compile_definitions(tipstaff_${name} PUBLIC GRPC_USE_PROTO_LITE)
  target_link_libraries(tipstaff_${name} PUBLIC ${ARG_LINK})
endfunction()
