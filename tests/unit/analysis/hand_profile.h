// HandProfile: small profiles written down as text.
//
// A context is a chain of methods, "A;B;C". A method is a name, with a descriptor where it matters: "A(I)V"; a call
// site follows its callee: "A;B@12". "[overflow]" is the overflow context.
#pragma once

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "profile/freeze.h"
#include "profile/profile.h"

namespace bursar::analysis {

class HandProfile {
 public:
  explicit HandProfile(profile::Identity identity = {},
                       profile::Metric metric = {profile::kCalls, "", profile::MetricKind::kExact, 0}) {
    data_.identity = identity;
    data_.contexts.columns.resize(1);
    data_.edges.columns.resize(1);
    data_.metrics.push_back(std::move(metric));
    data_.paths.first_block.push_back(0);
  }

  // Contexts on the way that are not counted themselves get 0.
  HandProfile& context(const std::string& chain, std::uint64_t count, std::uint64_t variance = 0) {
    profile::ContextId parent = profile::kNone;
    std::string so_far;
    std::istringstream frames(chain);
    for (std::string frame; std::getline(frames, frame, ';');) {
      so_far += ";" + frame;
      parent = context_id(so_far, parent, frame);
    }
    data_.contexts.columns[0].value[parent] += count;
    if (is_estimate()) data_.contexts.columns[0].variance[parent] += variance;
    return *this;
  }

  // A call tree as in "A(B(CC)D)": every letter is a call, made by the call whose parentheses it stands in.
  HandProfile& calls(const std::string& call_tree) {
    std::vector<std::string> stack = {""};
    std::string last;
    for (const char c : call_tree) {
      if (c == '(') {
        stack.push_back(last + ";");
      } else if (c == ')') {
        stack.pop_back();
      } else {
        last = stack.back() + c;
        context(last, 1);
      }
    }
    return *this;
  }

  HandProfile& edge(const std::string& caller, std::uint32_t site, const std::string& callee, std::uint64_t count) {
    data_.edges.caller.push_back(method_id(caller));
    data_.edges.site.push_back(site);
    data_.edges.callee.push_back(method_id(callee));
    data_.edges.columns[0].value.push_back(count);
    return *this;
  }

  HandProfile& path(const std::string& method, const std::vector<std::uint32_t>& blocks, std::uint32_t branches,
                    std::uint64_t count) {
    data_.paths.method.push_back(method_id(method));
    data_.paths.blocks.insert(data_.paths.blocks.end(), blocks.begin(), blocks.end());
    data_.paths.first_block.push_back(data_.paths.blocks.size());
    data_.paths.branches.push_back(branches);
    data_.paths.count.value.push_back(count);
    return *this;
  }

  HandProfile& branch(const std::string& method, std::uint32_t bci, std::uint32_t outcome, std::uint64_t count) {
    data_.branches.method.push_back(method_id(method));
    data_.branches.bci.push_back(bci);
    data_.branches.outcome.push_back(outcome);
    data_.branches.count.value.push_back(count);
    return *this;
  }

  HandProfile& counter(const std::string& name, std::uint64_t value) {
    data_.counters[name] = value;
    return *this;
  }

  HandProfile& kind(const std::string& method, profile::MethodKind kind) {
    data_.methods[method_id(method)].kind = kind;
    return *this;
  }

  HandProfile& size(const std::string& method, std::uint32_t code_bytes) {
    data_.methods[method_id(method)].code_bytes = code_bytes;
    return *this;
  }

  // Another class and name than the text says.
  HandProfile& named(const std::string& method, const std::string& class_name, const std::string& name) {
    data_.methods[method_id(method)].class_name = class_name;
    data_.methods[method_id(method)].name = name;
    return *this;
  }

  profile::Profile frozen() const { return profile::freeze(data_).value(); }

 private:
  bool is_estimate() const { return data_.metrics[0].kind == profile::MetricKind::kEstimate; }

  profile::MethodId method_id(const std::string& text) {
    const auto [known, is_new] = methods_.try_emplace(text, static_cast<profile::MethodId>(data_.methods.size()));
    if (is_new) {
      const std::size_t end = std::min(text.find('('), text.size());
      const bool overflow = text == "[overflow]";
      data_.methods.push_back({overflow ? "" : "t.T", text.substr(0, end), text.substr(end),
                               overflow ? profile::MethodKind::kOverflow : profile::MethodKind::kJava});
    }
    return known->second;
  }

  profile::ContextId context_id(const std::string& chain, profile::ContextId parent, const std::string& frame) {
    profile::Contexts& contexts = data_.contexts;
    const auto [known, is_new] = contexts_.try_emplace(chain, static_cast<profile::ContextId>(contexts.size()));
    if (is_new) {
      const std::size_t at = frame.find('@');
      contexts.parent.push_back(parent);
      contexts.method.push_back(method_id(frame.substr(0, at)));
      contexts.site.push_back(at == std::string::npos ? profile::kNoSite
                                                      : static_cast<std::uint32_t>(std::stoul(frame.substr(at + 1))));
      contexts.columns[0].value.push_back(0);
      if (is_estimate()) contexts.columns[0].variance.push_back(0);
    }
    return known->second;
  }

  profile::ProfileData data_;
  std::map<std::string, profile::MethodId> methods_;
  std::map<std::string, profile::ContextId> contexts_;
};

}  // namespace bursar::analysis
