#include "schemes/ticker.h"

namespace bursar::schemes {
namespace {

constexpr std::uint64_t kStream = ~std::uint64_t{0};  // threads have the others

}  // namespace

Ticker::Ticker(const Options& options, std::uint64_t start_ns)
    : interval_ns_(std::max<std::uint64_t>(options.interval_ns, 1)),
      next_interval_ns_(interval_ns_),
      jitter_(std::clamp(options.jitter, 0.0, 1.0)),
      random_(options.seed, kStream),
      cell_ns_(start_ns) {
  place();
}

void Ticker::advance() {
  cell_ns_ += interval_ns_;
  interval_ns_ = next_interval_ns_;
  place();
}

void Ticker::place() {
  const double offset = random_.part() * jitter_ * static_cast<double>(interval_ns_);
  next_ns_ = cell_ns_ + std::min(static_cast<std::uint64_t>(offset), interval_ns_ - 1);
}

}  // namespace bursar::schemes
