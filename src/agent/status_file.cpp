#include "agent/status_file.h"

#include <cstdio>
#include <cstring>

namespace bursar::agent {

void tell(const std::string& status_path, const char* key, const std::string& text) {
  if (status_path.empty()) {
    if (std::strcmp(key, "error") == 0) std::fprintf(stderr, "bursar: %s\n", text.c_str());
    return;
  }
  if (std::FILE* file = std::fopen(status_path.c_str(), "a"); file != nullptr) {
    std::fprintf(file, "%s=%s\n", key, text.c_str());
    std::fclose(file);
  }
}

}  // namespace bursar::agent
