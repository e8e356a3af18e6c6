# cmake -DOUT=file.cc "-DJSON=a.json;b.json" -P embed_metaschemas.cmake
# Writes the meta-schemas as C++ (the definition of Metaschemas(), see metaschemas.h).
set(entries "")
foreach(file IN LISTS JSON)
  file(READ ${file} text)
  if(NOT text MATCHES "\"[$]id\": *\"(https?://json-schema.org/[^\"#]*)#?\"")
    message(FATAL_ERROR "`${file}` has no `$id` of json-schema.org")
  endif()
  set(uri "${CMAKE_MATCH_1}")
  string(FIND "${text}" ")json\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "`${file}` contains the raw string delimiter")
  endif()
  string(APPEND entries "      {\"${uri}\", R\"json(${text})json\"},\n")
endforeach()
file(WRITE ${OUT} "// Generated from schemas/json-schema by embed_metaschemas.cmake.
#include \"mediator/schema/metaschemas.h\"

namespace tipstaff::schema::internal {

absl::Span<const Metaschema> Metaschemas() {
  static constexpr Metaschema kMetaschemas[] = {
${entries}  };
  return kMetaschemas;
}

}  // namespace tipstaff::schema::internal
")
