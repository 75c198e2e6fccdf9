// A large profile that looks like one of a Java server: for the figures that depend on the shape of real data.
//
// Some 20,000 methods with names as libraries have them; a call graph in which callees are popular by Zipf's law or
// lie near their caller; a tree that follows the call graph, with long chains and a few wide nodes; counts with a heavy
// tail. The same seed and sizes give the same profile.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace bursar::profile {

class RealisticProfile {
 public:
  explicit RealisticProfile(std::size_t contexts, std::size_t methods = 20'000, std::uint64_t seed = 1)
      : contexts_(contexts), methods_(methods), random_(seed) {}

  // Calls with call sites left out or kept; ids in the order in which a run would have made them.
  ProfileData data(bool call_sites = false) {
    ProfileData data;
    data.identity.call_sites = call_sites;
    data.metrics = {{kCalls, "", MetricKind::kExact, 0}};
    add_methods(data);
    draw_call_graph();
    add_contexts(data);
    data.info["mode"] = {"exact"};
    data.info["command"] = {"java -jar server.jar"};
    data.counters["threads"] = 1;
    return data;
  }

 private:
  struct Call {
    MethodId callee;
    std::uint32_t site;
  };

  double uniform() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }
  std::size_t geometric(double mean) { return std::geometric_distribution<std::size_t>(1.0 / (mean + 1.0))(random_); }

  template <std::size_t N>
  std::string_view pick(const std::array<std::string_view, N>& words) {
    return words[below(N)];
  }

  std::string camel(std::size_t words) {
    static constexpr std::array<std::string_view, 48> kNouns = {
        "Index",    "Query",    "Segment", "Term",   "Field",   "Buffer", "Stream",  "Channel", "Cache",   "Thread",
        "Request",  "Response", "Parser",  "Token",  "Node",    "Tree",   "Context", "Session", "Message", "Event",
        "Listener", "Class",    "Type",    "Method", "Bean",    "Config", "Factory", "Entity",  "Mapper",  "Document",
        "Score",    "Filter",   "Handler", "Socket", "Address", "Record", "Table",   "Column",  "Row",     "Lock",
        "Queue",    "Task",     "Pool",    "Codec",  "Reader",  "Writer", "State",   "Value"};
    std::string text;
    for (std::size_t i = 0; i < words; ++i) text += pick(kNouns);
    return text;
  }

  std::string package() {
    static constexpr std::array<std::string_view, 12> kRoots = {
        "java.util",         "java.util.concurrent", "java.io",
        "org.apache.lucene", "org.springframework",  "com.fasterxml.jackson",
        "io.netty",          "org.hibernate",        "com.example.shop",
        "sun.nio",           "org.eclipse.jdt",      "org.h2"};
    static constexpr std::array<std::string_view, 24> kParts = {
        "index", "search",   "core",   "util", "internal", "codec",   "handler", "channel",
        "store", "compiler", "lookup", "ast",  "engine",   "command", "value",   "table",
        "beans", "web",      "http",   "data", "impl",     "support", "type",    "stream"};
    std::string text(pick(kRoots));
    for (std::size_t i = below(3); i > 0; --i) text.append(".").append(pick(kParts));
    return text;
  }

  std::string class_name(const std::string& in_package) {
    static constexpr std::array<std::string_view, 8> kSuffixes = {"",   "",         "",       "",
                                                                  "$1", "$Builder", "$Entry", "$$Lambda"};
    return in_package + "." + camel(1 + below(3)) + std::string(pick(kSuffixes));
  }

  std::string method_name() {
    static constexpr std::array<std::string_view, 20> kVerbs = {
        "get",    "set",   "is",     "add",     "remove", "create", "read", "write",  "parse", "next",
        "accept", "visit", "handle", "process", "lookup", "find",   "init", "update", "close", "flush"};
    if (below(8) == 0) return "<init>";
    if (below(12) == 0) return "lambda$" + std::string(pick(kVerbs)) + "$" + std::to_string(below(9));
    return std::string(pick(kVerbs)) + camel(below(3));
  }

  std::string descriptor(const std::vector<std::string>& classes) {
    static constexpr std::array<std::string_view, 10> kTypes = {
        "I", "J", "Z", "[B", "Ljava/lang/String;", "Ljava/lang/Object;", "Ljava/util/List;", "Ljava/util/Map;",
        "V", "D"};
    const auto type = [&] {
      if (below(3) != 0) return std::string(pick(kTypes));
      std::string name = classes[below(classes.size())];
      std::replace(name.begin(), name.end(), '.', '/');
      return "L" + name + ";";
    };
    std::string text = "(";
    for (std::size_t i = geometric(1.2); i > 0; --i) text += type();
    return text + ")" + type();
  }

  void add_methods(ProfileData& data) {
    std::vector<std::string> classes;
    while (data.methods.size() < methods_) {
      const std::string in_package = package();
      for (std::size_t c = 1 + below(20); c > 0; --c) {
        classes.push_back(class_name(in_package));
        const std::string name = classes.back();
        for (std::size_t m = 1 + geometric(7); m > 0 && data.methods.size() < methods_; --m) {
          const MethodKind kind = below(100) == 0 ? MethodKind::kNative : MethodKind::kJava;
          data.methods.push_back({name, method_name(), descriptor(classes), kind});
        }
      }
    }
    // Neighbours in the table are neighbours in the program, so that nearness means something.
    std::sort(data.methods.begin(), data.methods.end());
  }

  void draw_call_graph() {
    std::vector<double> popularity(methods_);
    for (std::size_t rank = 0; rank < methods_; ++rank)
      popularity[rank] = 1.0 / std::pow(static_cast<double>(rank + 1), 0.9);
    std::discrete_distribution<std::size_t> zipf(popularity.begin(), popularity.end());
    std::vector<MethodId> by_rank(methods_);
    for (std::size_t i = 0; i < methods_; ++i) by_rank[i] = static_cast<MethodId>(i);
    std::shuffle(by_rank.begin(), by_rank.end(), random_);

    calls_.assign(methods_, {});
    for (std::size_t caller = 0; caller < methods_; ++caller) {
      std::uint32_t site = 0;
      for (std::size_t i = 2 + geometric(6); i > 0; --i) {
        site += 3 + static_cast<std::uint32_t>(geometric(12));
        const std::size_t near = (caller + methods_ + below(40) - 20) % methods_;
        calls_[caller].push_back({below(2) == 0 ? static_cast<MethodId>(near) : by_rank[zipf(random_)], site});
      }
    }
  }

  // Three of four new contexts hang near the newest one, which makes chains; the others anywhere.
  void add_contexts(ProfileData& data) {
    Contexts& contexts = data.contexts;
    contexts.columns.resize(1);
    std::unordered_set<std::uint64_t> taken;
    while (contexts.size() < contexts_) {
      const std::size_t size = contexts.size();
      if (size == 0) {
        add_context(contexts, kNone, {0, kNoSite});
        continue;
      }
      const std::size_t back = below(4) != 0 ? geometric(2.5) : below(size);
      const std::size_t parent = size - 1 - std::min(back, size - 1);
      const std::vector<Call>& calls = calls_[contexts.method[parent]];
      const std::size_t call = below(calls.size());
      if (!taken.insert(parent << 16 | call).second) continue;
      add_context(contexts, static_cast<ContextId>(parent), calls[call]);
    }
  }

  void add_context(Contexts& contexts, ContextId parent, const Call& call) {
    contexts.parent.push_back(parent);
    contexts.method.push_back(call.callee);
    contexts.site.push_back(call.site);
    // Pareto with exponent 0.4: half of the contexts ran less than six times, one in a thousand over ten million times.
    contexts.columns[0].value.push_back(
        static_cast<std::uint64_t>(std::min(std::pow(1.0 - uniform(), -1.0 / 0.4), 1e12)));
  }

  std::size_t contexts_;
  std::size_t methods_;
  std::mt19937_64 random_;
  std::vector<std::vector<Call>> calls_;
};

}  // namespace bursar::profile
