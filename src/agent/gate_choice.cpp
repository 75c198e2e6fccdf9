#include "agent/gate_choice.h"

#include <algorithm>
#include <unordered_map>

namespace bursar::agent {
namespace {

constexpr double kLeastShare = 0.003;  // of the burst's calls
constexpr std::size_t kMostGates = 24;

struct Context {
  std::size_t parent = 0;
  core::MethodId method = core::kNoMethod;
  double calls = 0;  // of it
  double all = 0;    // and of what it called
};

}  // namespace

std::vector<core::MethodId> gates_within(const core::ContextTree& burst) {
  std::vector<Context> contexts(1);
  std::unordered_map<core::NodeAddress, std::size_t> numbers;
  burst.walk(std::size_t{0},
             [&](std::size_t parent, core::NodeAddress, std::uint32_t, core::NodeAddress child, std::uint64_t count) {
               if (child == 0) {
                 contexts[parent].all += static_cast<double>(count);
                 return std::size_t{0};
               }
               const auto [at, is_new] = numbers.try_emplace(child, contexts.size());
               if (is_new) contexts.push_back({.parent = parent, .method = core::node_at(child).method});
               contexts[at->second].calls += static_cast<double>(count);
               return at->second;
             });
  for (std::size_t i = contexts.size(); i-- > 1;) {
    contexts[i].all += contexts[i].calls;
    contexts[contexts[i].parent].all += contexts[i].all;
  }
  // By method: how many calls its entries led to, those within another entry of it counted once; and how many entries.
  struct Use {
    double all = 0, entries = 0;
  };
  std::unordered_map<core::MethodId, Use> uses;
  for (std::size_t i = 1; i < contexts.size(); ++i) {
    const Context& context = contexts[i];
    bool within_itself = false;
    for (std::size_t up = context.parent; up != 0 && !within_itself; up = contexts[up].parent) {
      within_itself = contexts[up].method == context.method;
    }
    Use& use = uses[context.method];
    use.entries += context.calls;
    if (!within_itself) use.all += context.all;
  }
  std::unordered_map<core::MethodId, double> weights;
  for (const auto& [method, use] : uses) {
    const double mean = use.entries > 0 ? use.all / use.entries : 0;
    if (mean >= kFewestCalls && mean <= kMostCalls) weights[method] = use.all;
  }
  std::vector<core::MethodId> chosen;
  for (const auto& [method, weight] : weights) {
    if (weight >= kLeastShare * contexts[0].all) chosen.push_back(method);
  }
  std::sort(chosen.begin(), chosen.end(), [&](core::MethodId a, core::MethodId b) { return weights[a] > weights[b]; });
  if (chosen.size() > kMostGates) chosen.resize(kMostGates);
  return chosen;
}

core::MethodId entered_between(const Stack& before, const Stack& after) {
  std::size_t same = 0;
  const auto frame = [](const Stack& stack, std::size_t from_root) { return stack[stack.size() - 1 - from_root]; };
  while (same < before.size() && same < after.size() && frame(before, same).method == frame(after, same).method &&
         frame(before, same).bci == frame(after, same).bci) {
    ++same;
  }
  // Where both were in the same frame, at another call, that frame was there before; what it called is new.
  if (same < before.size() && same < after.size() && frame(before, same).method == frame(after, same).method) ++same;
  return same < after.size() ? frame(after, same).method : core::kNoMethod;
}

}  // namespace bursar::agent
