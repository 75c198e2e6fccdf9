#include "cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "cli/help.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/suggestion.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

constexpr std::array<const Verb*, 16> kVerbs = {&kRecordVerb, &kAttachVerb,  &kReportVerb,   &kTreeVerb,
                                                &kPathsVerb,  &kQueryVerb,   &kViewVerb,     &kDiffVerb,
                                                &kAdviseVerb, &kCompareVerb, &kSimulateVerb, &kMergeVerb,
                                                &kExportVerb, &kImportVerb,  &kValidateVerb, &kEvaluateVerb};

int fail(ExitStatus status, std::string_view message) {
  say(message);
  return static_cast<int>(status);
}

int usage_error(const Verb* verb, std::string_view message) {
  return fail(ExitStatus::kUsage,
              fmt::format("{}\nTry: bursar {}{}--help", message, verb ? verb->name : "", verb ? " " : ""));
}

int print(std::string_view text) {
  Output out(STDOUT_FILENO, "stdout");
  out.write(text);
  const base::Status status = out.flush();
  return status ? static_cast<int>(ExitStatus::kOk) : fail(ExitStatus::kFailed, status.error().message);
}

const Verb* find_verb(std::string_view name) {
  for (const Verb* verb : kVerbs) {
    if (verb->name == name) return verb;
  }
  return nullptr;
}

std::vector<std::string> long_options(const CLI::App& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Arguments that no option and no operand took, said before anything else: they are the likely cause of the rest.
std::string unexpected(const CLI::App& options) {
  const std::vector<std::string> rest = options.remaining();
  for (const std::string& argument : rest) {
    if (argument.size() < 2 || argument[0] != '-') continue;
    const std::string name = argument.substr(0, argument.find('='));
    return fmt::format("unknown option {}{}", printable(name), did_you_mean(name, long_options(options)));
  }
  return rest.empty() ? "" : fmt::format("unexpected argument {}", printable(rest.front()));
}

// Takes the program off the end of the arguments. The option parser never sees it, so that every word stays as it is.
Program split_program(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  Program program(std::make_move_iterator(dashes + 1), std::make_move_iterator(arguments.end()));
  arguments.erase(dashes, arguments.end());
  return program;
}

// `java -jar app.jar` without the dashes before it would else be called an unknown option -jar.
std::string missing_program(const Verb& verb, const CLI::App& options) {
  const std::vector<std::string> rest = options.remaining();
  if (!rest.empty() && rest.front().starts_with('-')) return unexpected(options);
  const bool dashes_forgotten = !rest.empty();
  return fmt::format("{}: bursar {} [OPTIONS] -- {} …",
                     dashes_forgotten ? "the program goes behind two dashes" : "no program to run", verb.name,
                     dashes_forgotten ? printable(rest.front()) : "java");
}

int run_verb(const Verb& verb, std::vector<std::string> arguments) {
  CLI::App options;
  use_help(options, verb);
  options.allow_extras();
  const bool runs_program = verb.declare_with_program != nullptr;
  const bool needs_program = runs_program && (!verb.program_optional ||
                                              std::find(arguments.begin(), arguments.end(), "--") != arguments.end());
  const Program program = runs_program ? split_program(arguments) : Program{};
  const Action action = runs_program ? verb.declare_with_program(options, program) : verb.declare(options);
  std::string problem;
  try {
    std::reverse(arguments.begin(), arguments.end());
    options.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return print(options.help());
  } catch (const CLI::ParseError& error) {
    problem = printable(error.what());
  }
  if (needs_program && program.empty()) {
    if (problem.empty()) problem = missing_program(verb, options);
  } else if (const std::string extra = unexpected(options); !extra.empty()) {
    problem = extra;
  }
  if (!problem.empty()) return usage_error(&verb, problem);

  Output out(STDOUT_FILENO, "stdout");
  const Ending ending = action(out);
  const base::Status written = out.flush();
  if (!ending.message.empty()) say(ending.message);
  if (ending.exit_status == static_cast<int>(ExitStatus::kOk) && !written) {
    return fail(ExitStatus::kFailed, written.error().message);
  }
  return ending.exit_status;
}

int run_command(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    std::fputs(command_help(kVerbs).c_str(), stderr);
    return static_cast<int>(ExitStatus::kUsage);
  }
  const std::string& word = arguments.front();
  if (word == "--version") return print("bursar " BURSAR_VERSION "\n");
  if (word == "-h" || word == "--help" || word == "help") {
    const Verb* verb = arguments.size() > 1 ? find_verb(arguments[1]) : nullptr;
    return verb == nullptr ? print(command_help(kVerbs)) : run_verb(*verb, {"--help"});
  }
  if (const Verb* verb = find_verb(word)) return run_verb(*verb, {arguments.begin() + 1, arguments.end()});

  std::vector<std::string> known = {"--help", "--version"};
  for (const Verb* verb : kVerbs) known.emplace_back(verb->name);
  return usage_error(nullptr, fmt::format("unknown {} {}{}", word.starts_with('-') ? "option" : "verb", printable(word),
                                          did_you_mean(word, known)));
}

}  // namespace

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const Verb* verb = arguments.empty() ? nullptr : find_verb(arguments.front());
  // A program would inherit that signals are ignored, so a verb that does nothing but run one leaves them as they are.
  if (verb == nullptr || verb->declare_with_program == nullptr || verb->program_optional) {
    // A reader that goes away (bursar … | head) is seen as EPIPE by Output, which ends quietly.
    std::signal(SIGPIPE, SIG_IGN);
    // A limit on file sizes is seen as EFBIG by the write, which says so and leaves no part of a file.
    std::signal(SIGXFSZ, SIG_IGN);
  }
  try {
    return run_command(arguments);
  } catch (const std::bad_alloc&) {
    return fail(ExitStatus::kFailed, "out of memory");
  }
}

}  // namespace bursar::cli
