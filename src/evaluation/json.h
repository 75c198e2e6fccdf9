// Json: rows of results, settings and the evaluation itself. Keys keep their order, so that files read well.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bursar::evaluation {

using Json = nlohmann::ordered_json;

// On one line; what is no UTF-8 is replaced.
inline std::string line_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bursar::evaluation
