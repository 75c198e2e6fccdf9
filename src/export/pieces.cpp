#include "export/pieces.h"

#include <nlohmann/json.hpp>

namespace bursar::exports {

void Pieces::json(std::string_view value) {
  text(nlohmann::json(std::string(value)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace bursar::exports
