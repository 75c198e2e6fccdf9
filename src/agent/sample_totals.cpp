#include "agent/sample_totals.h"

#include <string>
#include <utility>

namespace bursar::agent {

void SampleTotals::clear() {
  for (auto* total :
       {&threads, &ticks, &signals, &no_queue, &refused, &unanswered, &no_signal, &unfinished, &waiting, &not_java,
        &from_caller, &handlers, &handler_cpu_ns, &classes_cpu_ns, &threads_cpu_ns, &control_cpu_ns}) {
    *total = 0;
  }
  for (auto& count : handlers_below) count = 0;
}

void SampleTotals::add_handler(std::uint64_t cpu_ns) {
  ++handlers;
  handler_cpu_ns += cpu_ns;
  for (std::size_t i = 0; i < kHandlerLimitsUs.size(); ++i) {
    if (cpu_ns < kHandlerLimitsUs[i] * 1000) ++handlers_below[i];
  }
}

void SampleTotals::add_to(profile::ProfileData& data, const WalkExchange::Counts& exchanged) const {
  data.counters["threads"] = threads;
  data.counters["ticks"] = ticks;
  data.counters["signals"] = signals;
  data.counters["signals_found_waiting"] = waiting;
  data.counters["signals_to_other_threads"] = not_java;
  data.counters["signals_void"] = exchanged.voided;
  data.counters["full_queues"] = exchanged.full;
  data.counters["stacks_without_innermost_frame"] = from_caller;
  data.counters["handlers"] = handlers;
  for (std::size_t i = 0; i < kHandlerLimitsUs.size(); ++i) {
    data.counters["handlers_below_" + std::to_string(kHandlerLimitsUs[i]) + "us"] = handlers_below[i];
  }
  data.counters["handler_cpu_ns"] = handler_cpu_ns;
  data.counters["classes_cpu_ns"] = classes_cpu_ns;
  data.counters["threads_cpu_ns"] = threads_cpu_ns;
  const std::pair<const char*, std::uint64_t> losses[] = {
      {"no-free-queue", no_queue},       {"queue-full", exchanged.dropped},  {"signal-refused", refused},
      {"signal-unanswered", unanswered}, {"tick-without-signal", no_signal}, {"unfinished-at-the-end", unfinished}};
  for (const auto& [reason, count] : losses) {
    if (count != 0) data.dropped[reason] = count;
  }
}

}  // namespace bursar::agent
