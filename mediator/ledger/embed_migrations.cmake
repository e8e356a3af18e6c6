# cmake -DOUT=file.cc "-DSQL=0001-a.sql;0002-b.sql" -P embed_migrations.cmake
# Writes the migrations as C++ (the definition of Migrations(), see migrations.h).
set(entries "")
set(expected 1)
foreach(file IN LISTS SQL)
  get_filename_component(name ${file} NAME)
  if(NOT name MATCHES "^0*([0-9]+)-[a-z0-9-]+\\.sql$" OR NOT CMAKE_MATCH_1 EQUAL expected)
    message(FATAL_ERROR "`${name}` should be migration number ${expected}, NNNN-name.sql")
  endif()
  file(READ ${file} text)
  string(FIND "${text}" ")sql\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "`${name}` contains the raw string delimiter")
  endif()
  string(APPEND entries "      {${expected}, \"${name}\", R\"sql(${text})sql\"},\n")
  math(EXPR expected "${expected} + 1")
endforeach()
set(code "// Generated from schemas/ledger by embed_migrations.cmake.
#include \"mediator/ledger/migrations.h\"

namespace tipstaff::ledger {

absl::Span<const Migration> Migrations() {
  static constexpr Migration kMigrations[] = {
${entries}  };
  return kMigrations;
}

}  // namespace tipstaff::ledger
")
file(WRITE ${OUT} "${code}")
