// Result<T>: a value or an Error that says what went wrong, where, and what to do about it.
//
// Invariant: holds exactly one of the two. Never throws, so code inside the JVM may use it.
// Style: `parse_` and `read_` functions return one; callers test it before taking the value.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace bursar::base {

struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Taking the value of a failed Result is a bug in the caller, not a condition of the input.
  T& value() & { return *checked(std::get_if<0>(&state_)); }
  const T& value() const& { return *checked(std::get_if<0>(&state_)); }
  T&& value() && { return std::move(*checked(std::get_if<0>(&state_))); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return *checked(std::get_if<1>(&state_)); }

 private:
  template <class P>
  static P* checked(P* pointer) {
    if (pointer == nullptr) std::abort();
    return pointer;
  }

  std::variant<T, Error> state_;
};

// The result of an action that has no value.
struct Done {};
using Status = Result<Done>;

}  // namespace bursar::base
