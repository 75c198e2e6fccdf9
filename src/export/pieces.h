// Pieces: collects small pieces of text and hands them on as larger ones; once the sink has refused, it stays silent.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

#include "export/sink.h"

namespace bursar::exports {

class Pieces {
 public:
  explicit Pieces(const Sink& sink) : sink_(sink) {}
  ~Pieces() { pass_on(0); }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    pass_on(kSize);
  }
  void text(std::string_view more) {
    text_ += more;
    pass_on(kSize);
  }
  // A string as JSON has it; bytes that are no UTF-8 are replaced.
  void json(std::string_view value);

 private:
  static constexpr std::size_t kSize = 1 << 16;

  void pass_on(std::size_t above) {
    if (text_.size() <= above) return;
    open_ = open_ && sink_(text_);
    text_.clear();
  }

  const Sink& sink_;
  std::string text_;
  bool open_ = true;
};

// Joins what follows each other: nothing before the first, a comma before the others.
class Commas {
 public:
  std::string_view next() { return std::exchange(first_, false) ? "" : ","; }

 private:
  bool first_ = true;
};

}  // namespace bursar::exports
