#include "evaluation/jfr.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "export/frame_name.h"

namespace bursar::evaluation {

namespace {

constexpr const char* kDeepest = "2048";  // the recorder takes no more

constexpr std::string_view kEvent = "/recording/events";
constexpr std::string_view kTruncated = "/recording/events/values/stackTrace/truncated";
constexpr std::string_view kFrame = "/recording/events/values/stackTrace/frames";
constexpr std::string_view kClass = "/recording/events/values/stackTrace/frames/method/type/name";
constexpr std::string_view kMethod = "/recording/events/values/stackTrace/frames/method/name";

// Goes through the text without keeping it; what stands where is known by the path of keys that leads there.
class SampleReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::map<std::string, std::uint64_t> stacks;
  std::uint64_t samples = 0;
  std::uint64_t truncated = 0;
  std::string problem;

  bool null() override { return value(); }
  bool boolean(bool is) override {
    if (path_ == kTruncated) cut_ = is;
    return value();
  }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool string(string_t& text) override {
    if (path_ == kClass) class_ = text;
    if (path_ == kMethod) method_ = text;
    return value();
  }

  bool start_object(std::size_t) override {
    if (path_ == kEvent) {
      frames_.clear();
      cut_ = false;
    } else if (path_ == kFrame) {
      class_.clear();
      method_.clear();
    }
    lengths_.push_back(path_.size());
    return true;
  }
  bool key(string_t& name) override {
    path_.resize(lengths_.back());
    path_ += '/';
    path_ += name;
    return true;
  }
  bool end_object() override {
    path_.resize(lengths_.back());
    lengths_.pop_back();
    if (path_ == kFrame) {
      frames_.push_back(method_.empty() ? "[unknown]"
                                        : exports::escape(class_.empty() ? method_ : class_ + "." + method_));
    } else if (path_ == kEvent) {
      add_sample();
    }
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    problem = fmt::format("not what jfr print --json writes, at byte {}: {}", position, error.what());
    return false;
  }

 private:
  static bool value() { return true; }

  void add_sample() {
    if (frames_.empty()) return;
    ++samples;
    std::string stack = cut_ ? "[truncated]" : "";
    truncated += cut_ ? 1 : 0;
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      stack += (stack.empty() ? "" : ";") + *frame;
    }
    ++stacks[stack];
  }

  std::string path_;
  std::vector<std::size_t> lengths_;  // of the path outside of each open object
  std::vector<std::string> frames_;   // of this event, top first
  std::string class_;
  std::string method_;
  bool cut_ = false;
};

}  // namespace

std::vector<std::string> jfr_jvm_options(const std::string& recording) {
  return {fmt::format("-XX:StartFlightRecording:settings=profile,filename={}", recording),
          fmt::format("-XX:FlightRecorderOptions:stackdepth={}", kDeepest), "-Xlog:jfr+startup=off"};
}

std::vector<std::string> jfr_print_command(const std::string& java, const std::string& recording) {
  const std::string jfr = (std::filesystem::path(java).parent_path() / "jfr").string();
  return {jfr, "print", "--json", "--events", "jdk.ExecutionSample", "--stack-depth", kDeepest, recording};
}

base::Result<JfrStacks> fold_jfr(std::istream& json) {
  SampleReader reader;
  if (!nlohmann::json::sax_parse(json, &reader)) return base::Error{reader.problem};
  JfrStacks result{.folded = {}, .samples = reader.samples, .truncated = reader.truncated};
  for (const auto& [stack, count] : reader.stacks) result.folded += fmt::format("{} {}\n", stack, count);
  return result;
}

}  // namespace bursar::evaluation
