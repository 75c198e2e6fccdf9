// The classes of java/, compiled when the agent is built.
#pragma once

#include <cstdint>
#include <span>

namespace bursar::agent::embedded {

std::span<const std::uint8_t> probe_class();
std::span<const std::uint8_t> trust_class();
std::span<const std::uint8_t> paths_class();
std::span<const std::uint8_t> fork_class();
std::span<const std::uint8_t> links_class();
std::span<const std::uint8_t> calls_class();

}  // namespace bursar::agent::embedded
