// bench_profile_file: how large a profile of a million contexts is as a file, and how long freezing, writing and
// reading it takes. With --write it leaves the profile behind, for timing the command on it.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "profile/freeze.h"
#include "profile/profile_file.h"
#include "realistic_profile.h"

namespace {

using namespace bursar;

constexpr const char* kUsage =
    "usage: bench_profile_file [--contexts N] [--methods N] [--seed N] [--call-sites] [--json] [--write FILE]\n"
    "\n"
    "  bench_profile_file                            a million contexts, 20,000 methods, one metric\n"
    "  bench_profile_file --write big.bursar         the same, and keep the file\n";

struct Options {
  std::size_t contexts = 1'000'000;
  std::size_t methods = 20'000;
  std::uint64_t seed = 1;
  bool call_sites = false;
  bool json = false;
  std::string path;
};

struct Figures {
  std::size_t contexts = 0;
  std::size_t bytes = 0;
  double freeze_s = 0;
  double encode_s = 0;
  double write_s = 0;  // encoding included
  double read_s = 0;

  double bytes_per_context() const { return static_cast<double>(bytes) / static_cast<double>(contexts); }
};

double seconds_of(const auto& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "bench_profile_file: %s\n", why.c_str());
  std::exit(1);
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&]() -> const char* {
      if (++i == argc) stop(std::string(word) + " needs a value\n" + kUsage);
      return argv[i];
    };
    if (word == "--contexts") {
      options.contexts = std::strtoull(value(), nullptr, 10);
    } else if (word == "--methods") {
      options.methods = std::strtoull(value(), nullptr, 10);
    } else if (word == "--seed") {
      options.seed = std::strtoull(value(), nullptr, 10);
    } else if (word == "--write") {
      options.path = value();
    } else if (word == "--call-sites") {
      options.call_sites = true;
    } else if (word == "--json") {
      options.json = true;
    } else {
      stop("unknown option " + std::string(word) + "\n" + kUsage);
    }
  }
  if (options.contexts == 0 || options.methods < 40) stop("at least 1 context and 40 methods are needed");
  return options;
}

Figures measure(const Options& options) {
  profile::ProfileData data =
      profile::RealisticProfile(options.contexts, options.methods, options.seed).data(options.call_sites);
  Figures figures;
  profile::Profile frozen;
  figures.freeze_s = seconds_of([&] { frozen = profile::freeze(std::move(data)).value(); });
  figures.contexts = frozen->contexts.size();
  figures.encode_s = seconds_of([&] { figures.bytes = profile::encode(frozen).size(); });

  const std::string path =
      options.path.empty() ? "bench_profile_file-" + std::to_string(::getpid()) + ".bursar" : options.path;
  figures.write_s = seconds_of([&] {
    const base::Status written = profile::write_file(frozen, path);
    if (!written) stop(written.error().message);
  });
  base::Result<profile::Profile> back = profile::Profile();
  figures.read_s = seconds_of([&] { back = profile::read_file(path); });
  if (options.path.empty()) ::unlink(path.c_str());
  if (!back) stop(back.error().message);
  if (*back != frozen) stop("what was read is not what was written");
  return figures;
}

void print_text(const Figures& figures) {
  std::printf("contexts           %12zu\n", figures.contexts);
  std::printf("file               %12zu bytes\n", figures.bytes);
  std::printf("per context        %12.2f bytes\n", figures.bytes_per_context());
  std::printf("freeze             %12.3f s\n", figures.freeze_s);
  std::printf("encode             %12.3f s\n", figures.encode_s);
  std::printf("encode and write   %12.3f s\n", figures.write_s);
  std::printf("read               %12.3f s\n", figures.read_s);
}

void print_json(const Figures& figures) {
  std::printf(
      "{\"contexts\": %zu, \"bytes\": %zu, \"bytes_per_context\": %.3f, \"freeze_s\": %.4f, \"encode_s\": %.4f, "
      "\"write_s\": %.4f, \"read_s\": %.4f}\n",
      figures.contexts, figures.bytes, figures.bytes_per_context(), figures.freeze_s, figures.encode_s, figures.write_s,
      figures.read_s);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse_options(argc, argv);
  const Figures figures = measure(options);
  options.json ? print_json(figures) : print_text(figures);
}
