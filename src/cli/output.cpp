#include "cli/output.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <clocale>
#include <cstdlib>
#include <cstring>

namespace bursar::cli {

bool Output::write(std::string_view text) {
  if (error_ != 0) return false;
  if (buffer_.size() + text.size() > kBufferSize) {
    write_out(buffer_);
    buffer_.clear();
  }
  if (text.size() > kBufferSize) {
    write_out(text);
  } else {
    buffer_ += text;
  }
  return error_ == 0;
}

base::Status Output::flush() {
  write_out(buffer_);
  buffer_.clear();
  if (error_ == 0 || error_ == EPIPE) return base::Done{};
  return base::Error{fmt::format("cannot write to {}: {}", name_, std::strerror(error_))};
}

void Output::write_out(std::string_view text) {
  while (error_ == 0 && !text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// The window's width if stdout is one; a COLUMNS that was exported on purpose counts for files and pipes as well.
std::size_t columns(bool is_terminal) {
  winsize size{};
  if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  std::size_t width = 0;
  if (const char* text = std::getenv("COLUMNS")) std::from_chars(text, text + std::strlen(text), width);
  if (width > 0) return width;
  return is_terminal ? 100 : 0;
}

}  // namespace

Terminal Terminal::detect() {
  std::setlocale(LC_CTYPE, "");
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  const char* kind = std::getenv("TERM");
  Terminal terminal;
  terminal.utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  terminal.colours = is_terminal && !is_set("NO_COLOR") && (kind == nullptr || std::strcmp(kind, "dumb") != 0);
  terminal.width = columns(is_terminal);
  return terminal;
}

}  // namespace bursar::cli
