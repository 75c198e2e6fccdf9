#include "cli/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

namespace bursar::cli {

namespace {

constexpr std::string_view kExitStatus =
    "Exit status: 0 done; 1 failed (a file is missing, damaged, in the way, cannot be written);\n"
    "2 wrong usage. Results go to stdout, messages to stderr.\n";

constexpr std::string_view kExamples =
    "  bursar record -o run.bursar -- java -jar app.jar           count every call of a program\n"
    "  bursar report run.bursar                                   what ran, how often, what was lost\n"
    "  bursar tree run.bursar --min-share 2                       who called whom\n"
    "  bursar view run.bursar                                     the same as a picture to click through\n"
    "  bursar import stacks.txt --format folded -o other.bursar   a profile of another tool …\n"
    "  bursar compare run.bursar other.bursar                     … and how accurate it is\n";

class ExamplesFirst : public CLI::Formatter {
 public:
  explicit ExamplesFirst(const Verb& verb) : verb_(verb) {
    column_width(26);
    label("Positionals", "Arguments");
  }

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const override {
    std::string positionals;
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
      const std::string name = option->get_name(true) + (option->get_items_expected_max() > 1 ? "…" : "");
      positionals += option->get_required() ? " " + name : " [" + name + "]";
    }
    const char* const program = verb_.declare_with_program == nullptr ? ""
                                : verb_.program_optional              ? " [-- PROGRAM [ARGUMENTS]]"
                                                                      : " -- PROGRAM [ARGUMENTS]";
    return fmt::format("Examples:\n{}\n{}\n\nUsage: bursar {}{} [OPTIONS]{}\n{}{}\n{}", verb_.examples, verb_.summary,
                       verb_.name, positionals, program, make_positionals(app), make_groups(app, mode),
                       verb_.notes.empty() ? kExitStatus : verb_.notes);
  }

  // Only the name of the value: what it may be is said in words.
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    const bool has_value = !option->get_positional() && option->get_type_size() != 0;
    return has_value ? " " + type.substr(0, type.find(':')) : "";
  }

 private:
  const Verb& verb_;
};

}  // namespace

std::string command_help(std::span<const Verb* const> verbs) {
  std::string text = fmt::format(
      "Examples:\n{}\nBursar, the profiler that counts.\n\nUsage: bursar VERB [OPTIONS]\n\nVerbs:\n", kExamples);
  for (const Verb* verb : verbs) text += fmt::format("  {:<10}{}\n", verb->name, verb->summary);
  text += fmt::format("\nbursar VERB --help explains a verb; bursar --version says which version this is.\n\n{}",
                      kExitStatus);
  return text;
}

void use_help(CLI::App& options, const Verb& verb) {
  options.formatter(std::make_shared<ExamplesFirst>(verb));
  options.set_help_flag("-h,--help", "This text");
}

}  // namespace bursar::cli
