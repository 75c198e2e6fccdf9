// bursar advise: what to inline and which call sites have one target, and HotSpot told so.
#include <fmt/format.h>

#include <memory>

#include "cli/advice.h"
#include "cli/advice_application.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

struct AdviseOptions {
  AdviceOptions advice;
  Program program;
  double min_share = 100 * analysis::InlineRules{}.min_share;  // percent
  bool json = false;
  bool directives = false;
  std::string output;
  bool force = false;
  bool apply = false;
  std::uint32_t process = 0;
  bool quiet = false;
};

std::string contradiction(const AdviseOptions& options) {
  if (options.json + options.directives + options.apply > 1) {
    return "--json, --directives and --apply are three things to do: give one of them";
  }
  if (!options.program.empty() && !options.apply)
    return "a program is run with --apply: bursar advise FILE --apply -- java …";
  if (options.process != 0 && !options.program.empty()) {
    return "--pid and a program are two things to apply it to: give one of them";
  }
  if (options.apply && options.process == 0 && options.program.empty()) {
    return "nothing to apply it to: bursar advise FILE --apply -- java …, or --apply --pid PID";
  }
  return "";
}

base::Status write_directives(const AdviseOptions& options, const Advice& advice, Output& out) {
  const exports::CompilerDirectives& directives = advice.directives;
  if (options.output.empty()) {
    out.write(directives.text);
  } else {
    const base::Status written =
        write_target({.path = options.output, .force = options.force, .inputs = {options.advice.file}},
                     [&](Output& file) { file.write(directives.text); });
    if (!written) return written;
  }
  if (options.quiet) return base::Done{};
  const std::size_t count = directives.roots.size();
  std::string more;
  if (count >= exports::kHotSpotDirectives) more = fmt::format(" -XX:CompilerDirectivesLimit={}", count + 1);
  if (directives.unnamed_methods > 0) {
    say(fmt::format("left out: {} that cannot be named to HotSpot", counted(directives.unnamed_methods, "method")));
  }
  say(fmt::format("{}: java -XX:+UnlockDiagnosticVMOptions{} -XX:CompilerDirectivesFile={} …",
                  counted(count, "directive"), more, options.output.empty() ? "FILE" : printable(options.output)));
  return base::Done{};
}

Ending advise(AdviseOptions& options, Output& out) {
  if (const std::string problem = contradiction(options); !problem.empty()) return {ExitStatus::kUsage, problem};
  options.advice.rules.min_share = options.min_share / 100;
  if (!options.output.empty()) {
    const base::Status free =
        check_target({.path = options.output, .force = options.force, .inputs = {options.advice.file}});
    if (!free) return free;
  }
  const auto profile = read_profile(options.advice.file);
  if (!profile) return base::Status(profile.error());
  const auto advice = take_advice(*profile, options.advice);
  if (!advice) return base::Status(advice.error());
  if (options.directives) return write_directives(options, *advice, out);
  if (options.process != 0) {
    return apply_to_process(*advice, static_cast<pid_t>(options.process), options.quiet);
  }
  if (options.apply) return run_with_advice(*advice, options.program, options.quiet);
  out.write(options.json ? advice_json(*advice) : advice_text(*advice));
  return base::Status(base::Done{});
}

Action declare(CLI::App& app, Program program) {
  const auto options = std::make_shared<AdviseOptions>();
  options->program = std::move(program);
  AdviceOptions& advice = options->advice;
  app.add_option("FILE", advice.file, "A profile that counts calls")->required();
  app.add_option("--static-limit", advice.rules.silent_limit,
                 "Largest callee, in bytes of bytecode, of a call about which the profile is silent; 17 unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--max-size", advice.rules.max_size, "Largest callee of the most frequent calls; 500 unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--min-share", options->min_share,
                 "Below which percentage of all calls the profile counts as silent; 0.01 unless given")
      ->type_name("PCT")
      ->check(percentage());
  app.add_option("--limit", advice.limit, "Directives at most, the most useful ones; 49 unless given")
      ->type_name("N")
      ->check(positive_number());
  app.add_flag("--refuse", advice.refuse,
               "Also tell HotSpot not to inline callees that it would and that the static limit is against");
  app.add_option("--top", advice.top, "Rows of each table; 10 unless given")->type_name("N")->check(positive_number());
  app.add_flag("--json", options->json, "For programs");
  auto* const directives = app.add_flag("--directives", options->directives, "Write HotSpot's compiler directives");
  app.add_option("-o,--output", options->output, "Where to; stdout unless given")->type_name("FILE")->needs(directives);
  app.add_flag("--force", options->force, "Replace an existing output");
  auto* const apply =
      app.add_flag("--apply", options->apply, "Run the program behind -- with the directives, or give them to --pid");
  app.add_option("--pid", options->process,
                 "A JVM that runs already: adds the directives, has their methods compiled anew")
      ->type_name("PID")
      ->check(positive_number())
      ->needs(apply);
  app.add_flag("--quiet", options->quiet, "Say only what went wrong");
  return [options](Output& out) { return advise(*options, out); };
}

}  // namespace

const Verb kAdviseVerb = {
    .name = "advise",
    .summary = "What to inline, which call sites have one target; HotSpot told so",
    .examples =
        "  bursar advise run.bursar\n"
        "  bursar advise run.bursar --directives -o advice.json      for -XX:CompilerDirectivesFile\n"
        "  bursar advise run.bursar --apply -- java -jar app.jar     run it with the advice\n"
        "  bursar advise run.bursar --apply --pid 4711               give it to a JVM that runs\n"
        "  bursar advise run.bursar --json | jq .verdicts\n",
    .declare_with_program = declare,
    .program_optional = true,
    .notes =
        "A callee is inlined if its bytecode is small for the call's share of all calls: 11 bytes in any case, 17 "
        "where\n"
        "the profile is silent, 23 and more where it is not, up to --max-size for 0.1 % of all calls. docs/advise.md "
        "says\n"
        "more, also about what directives cannot do. Whether a program gets faster by it only a measurement tells.\n"
        "A program called java gets the directives as its first options, any other one through JAVA_TOOL_OPTIONS. "
        "With\n"
        "them its JVM says on stderr what it would say on stdout (-XX:+DisplayVMOutputToStderr). In a JVM that runs, "
        "the\n"
        "directives stay until it ends; jcmd PID Compiler.directives_clear removes them.\n"
        "\n"
        "Exit status: 0 done; 1 failed (a file is missing or damaged or counts no calls, output in the way, a JVM "
        "that\n"
        "does not take the directives …); 2 wrong usage. With a program, its own; 128 + N if signal N ended it; 126 "
        "it\n"
        "cannot be run; 127 there is no such program. Results go to stdout, messages to stderr.\n",
};

}  // namespace bursar::cli
