// bursar view: the interactive viewer, as an HTML page or from a local server.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "analysis/metric_weights.h"
#include "analysis/side_by_side.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/method_names.h"
#include "cli/option_checks.h"
#include "cli/page_server_linux.h"
#include "cli/source_text.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "cli/viewer_html.h"
#include "export/view_page.h"
#include "profile/merge.h"

namespace bursar::cli {

namespace {

struct ViewOptions {
  std::vector<std::string> files;
  std::string output;
  std::string metric;
  std::vector<std::string> sources;
  double min_share = 0;
  std::size_t max_contexts = 1'500'000;
  std::uint16_t port = 0;
  bool serve = false;
  bool force = false;
};

std::string file_name(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

// What the page shows, and what has to live as long as that.
struct Viewed {
  std::vector<profile::Profile> runs;
  profile::Profile both;  // of a comparison
  exports::ViewRequest request;
};

bool has_only_paths(const profile::Profile& profile) {
  return profile->metrics.empty() && profile->paths.size() > 0;
}

base::Status choose_paths(Viewed& viewed) {
  viewed.request.profile = &viewed.runs[0];
  if (viewed.runs.size() == 1) return base::Done{};
  auto both = profile::merge(viewed.runs[0], viewed.runs[1]);
  if (!both) return both.error();
  viewed.both = std::move(both).value();
  viewed.request.profile = &viewed.both;
  return base::Done{};
}

base::Status choose(const ViewOptions& options, Viewed& viewed) {
  if (std::ranges::all_of(viewed.runs, has_only_paths)) return choose_paths(viewed);
  for (std::size_t i = 0; i < viewed.runs.size(); ++i) {
    if (viewed.runs[i]->metrics.empty()) return nothing_counted(options.files[i], viewed.runs[i]);
  }
  if (viewed.runs.size() == 2) {
    auto both = analysis::side_by_side(viewed.runs[0], viewed.runs[1], options.metric);
    if (!both) return both.error();
    viewed.request.limits.metric = both->after;
    viewed.request.compared = both->metric;
    viewed.both = std::move(both->both);
    viewed.request.profile = &viewed.both;
    return base::Done{};
  }
  const auto metric = analysis::choose_metric(viewed.runs[0], options.metric);
  if (!metric) return metric.error();
  viewed.request.limits.metric = **metric;
  viewed.request.profile = &viewed.runs[0];
  return base::Done{};
}

base::Status prepare(const ViewOptions& options, Viewed& viewed) {
  for (const std::string& file : options.files) {
    auto profile = read_stacks(file);
    if (!profile) return profile.error();
    viewed.runs.push_back(std::move(profile).value());
  }
  if (const base::Status chosen = choose(options, viewed); !chosen) return chosen;
  exports::ViewRequest& request = viewed.request;
  request.limits.min_share_percent = options.min_share;
  request.limits.max_contexts = options.max_contexts;
  for (std::size_t i = 0; i < viewed.runs.size(); ++i) {
    request.runs.push_back({&viewed.runs[i], file_name(options.files[i])});
    request.title += (i > 0 ? " → " : "") + file_name(options.files[i]);
  }
  if (!options.sources.empty()) {
    request.source = [sources = std::make_shared<SourceText>(options.sources)](
                         const std::string& file, std::uint32_t line) { return sources->line(file, line); };
  }
  const MethodNames names(request.profile->data());
  for (profile::MethodId id = 0; id < request.profile->data().methods.size(); ++id) {
    const std::string brief = names.brief(id);
    request.names.push_back({names.full(id).substr(0, names.full(id).size() - brief.size()), brief});
  }
  return base::Done{};
}

void tell_left_out(const exports::Pruned& pruned, const ViewOptions& options) {
  if (pruned.contexts == 0) return;
  say(fmt::format("left out the {} with the smallest subtrees; the page has their sums. --max-contexts 0 {}keeps all",
                  counted(pruned.contexts, "context"), options.min_share > 0 ? "without --min-share " : ""));
}

// Ctrl-C ends the server, and the command well.
base::Status serve(const std::string& page, std::uint16_t port, Output& out) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  const int stop = signalfd(-1, &signals, SFD_CLOEXEC);
  if (stop < 0) return base::Error{"cannot wait for signals"};
  auto server = PageServer::listen(page, port);
  if (!server) return server.error();
  out.write(server->address() + "\n");
  if (const base::Status written = out.flush(); !written) return written;
  say("serving this page to this machine until Ctrl-C");
  return server->serve(stop);
}

// A file of its own, in a folder that only this user can look into.
base::Result<std::string> page_for(const std::string& profile) {
  const char* const chosen = std::getenv("TMPDIR");
  std::string folder = std::string(chosen != nullptr && *chosen != '\0' ? chosen : "/tmp") + "/bursar-view-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    return base::Error{fmt::format("cannot make a folder in {}; say where with -o page.html", printable(folder))};
  }
  return folder + "/" + std::filesystem::path(profile).stem().string() + ".html";
}

bool has_display() {
  const auto set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

// Not waited for: it may stay as long as its window does.
void open_in_browser(const std::string& page) {
  std::string program = "xdg-open", argument = page;
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t process = 0;
  if (!has_display() || posix_spawnp(&process, words[0], nullptr, nullptr, words, environ) != 0) {
    say("open this page in a browser");
  }
}

base::Status view(const ViewOptions& options, Output& out) {
  const Target given{.path = options.output, .force = options.force, .inputs = options.files};
  if (!options.output.empty()) {
    if (const base::Status allowed = check_target(given); !allowed) return allowed;
  }
  Viewed viewed;
  if (const base::Status prepared = prepare(options, viewed); !prepared) return prepared;
  exports::Pruned pruned;
  const auto write = [&](const exports::Sink& sink) {
    const Progress progress("making the page");
    pruned = exports::write_view_page(viewed.request, viewer_html(), sink);
  };
  if (options.serve) {
    std::string page;
    write([&page](std::string_view piece) { return page.append(piece), true; });
    tell_left_out(pruned, options);
    return serve(page, options.port, out);
  }
  Target target = given;
  if (options.output.empty()) {
    const auto made = page_for(options.files.back());
    if (!made) return made.error();
    target.path = *made;
  }
  const base::Status written =
      write_target(target, [&](Output& to) { write([&to](std::string_view piece) { return to.write(piece); }); });
  if (!written) return written;
  tell_left_out(pruned, options);
  if (!options.output.empty()) return base::Done{};
  out.write(target.path + "\n");
  if (const base::Status flushed = out.flush(); !flushed) return flushed;
  open_in_browser(target.path);
  return base::Done{};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<ViewOptions>();
  app.add_option("FILE", options->files, "A profile; or two, to compare: before and after")->required()->expected(1, 2);
  app.add_option("-o,--output", options->output,
                 "Where to write the page; a temporary file that is opened unless given")
      ->type_name("FILE");
  auto* const serve = app.add_flag("--serve", options->serve, "Serve the page on 127.0.0.1 instead, until Ctrl-C");
  app.add_option("--port", options->port, "Of the server; one that is free unless given")
      ->type_name("PORT")
      ->needs(serve);
  app.add_option("--metric", options->metric, "What to show first; calls if there are any, else samples")
      ->type_name("NAME");
  app.add_option("--sources", options->sources,
                 "Where sources lie (src/main/java): lines of paths are shown with their text. May be given again")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
  app.add_option("--min-share", options->min_share, "Leave out subtrees below this percentage; 0 unless given")
      ->type_name("PCT")
      ->check(percentage());
  app.add_option("--max-contexts", options->max_contexts,
                 "Leave out the smallest subtrees beyond this number; 1,500,000 unless given, 0 for no limit")
      ->type_name("N");
  app.add_flag("--force", options->force, "Replace an existing page");
  return [options](Output& out) { return view(*options, out); };
}

}  // namespace

const Verb kViewVerb = {
    .name = "view",
    .summary = "Look at a profile, or at the difference of two, in a browser",
    .examples =
        "  bursar view run.bursar\n"
        "  bursar view run.bursar -o run.html\n"
        "  bursar view run.bursar --serve\n"
        "  bursar view before.bursar after.bursar -o change.html\n"
        "  bursar view paths.bursar --sources src/main/java      paths with the text of their lines\n",
    .declare = declare,
};

}  // namespace bursar::cli
