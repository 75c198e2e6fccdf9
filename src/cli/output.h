// Output: a buffered writer to a file descriptor that keeps its first error; and what is known of the terminal.
//
// Invariant: after a failed write nothing more is written. A reader that went away (a closed pipe) is no error: the
// output just ends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bursar::cli {

class Output {
 public:
  // Does not own the descriptor. `name` is for messages.
  Output(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  // False once there is no point in writing more.
  bool write(std::string_view text);
  base::Status flush();

 private:
  static constexpr std::size_t kBufferSize = 1 << 16;

  void write_out(std::string_view text);

  int descriptor_;
  std::string name_;
  std::string buffer_;
  int error_ = 0;  // of the first write that failed
};

// How results may look on stdout.
struct Terminal {
  bool utf8 = false;
  bool colours = false;
  std::size_t width = 0;  // columns; 0 where lines may be as long as they like

  static Terminal detect();
};

}  // namespace bursar::cli
