// Early return for absl::Status, as in other code bases that use Abseil.
//
//   TIPSTAFF_RETURN_IF_ERROR(file.Write(bytes));
//   TIPSTAFF_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define TIPSTAFF_CONCAT_INNER_(a, b) a##b
#define TIPSTAFF_CONCAT_(a, b) TIPSTAFF_CONCAT_INNER_(a, b)

#define TIPSTAFF_RETURN_IF_ERROR(expression)                                  \
  do {                                                                        \
    if (absl::Status tipstaff_status_ = (expression); !tipstaff_status_.ok()) \
      return tipstaff_status_;                                                \
  } while (false)

#define TIPSTAFF_ASSIGN_OR_RETURN(declaration, expression) \
  TIPSTAFF_ASSIGN_OR_RETURN_(TIPSTAFF_CONCAT_(tipstaff_result_, __LINE__), declaration, expression)

#define TIPSTAFF_ASSIGN_OR_RETURN_(result, declaration, expression) \
  auto result = (expression);                                       \
  if (!result.ok()) return std::move(result).status();              \
  declaration = *std::move(result)
