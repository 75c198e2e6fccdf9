// Reading a Call Context Map from XML: expat finds elements and attributes, this file knows what they may say.
#include <expat.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "export/ccmap_text.h"
#include "export/ccmap_xml.h"
#include "profile/saturating.h"

namespace bursar::exports {

namespace {

using core::ContextMap;
using Index = ContextMap::Index;
constexpr profile::Uint128 kLargest128 = ~profile::Uint128{0};
constexpr std::uint64_t kLargest64 = ~std::uint64_t{0};
constexpr std::uint64_t kLargestIndex = ContextMap::kNone - 1;

// What every element may be inside of, and the attributes it must and may have.
struct ElementRule {
  std::string_view name;
  std::string_view parent;
  std::string_view required;
  std::string_view optional = {};
};

constexpr std::array<ElementRule, 7> kRules = {{
    {"callContextMap", "",
     "version shape metric unit kind scale callSites descriptors foldedRecursion lostContexts lostCalls "
     "removedContexts removedCalls",
     "maxSubPath"},
    {"method", "callContextMap", "id class name descriptor kind codeBytes total"},
    {"callSite", "method", "total", "bci"},
    {"callee", "callSite", "id method total"},
    {"context", "callContextMap", "id method count", "variance"},
    {"callSiteRef", "callContextMap", "context", "bci"},
    {"calleeRef", "callSiteRef", "id callee count", "variance"},
}};

bool holds_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

class Reader {
 public:
  base::Result<NamedMap> read(std::string_view text) {
    parser_.reset(XML_ParserCreate(nullptr));
    if (parser_ == nullptr) return base::Error{"no memory to read XML"};
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), &Reader::on_start, &Reader::on_end);
    XML_SetCharacterDataHandler(parser_.get(), &Reader::on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), &Reader::on_doctype);
    constexpr std::size_t kPiece = 1 << 24;
    do {
      const std::string_view piece = text.substr(0, kPiece);
      text.remove_prefix(piece.size());
      const auto status = XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), text.empty() ? 1 : 0);
      if (!problem_.empty()) return base::Error{problem_};
      if (status == XML_STATUS_ERROR) {
        return base::Error{fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser_.get()),
                                       XML_ErrorString(XML_GetErrorCode(parser_.get())))};
      }
    } while (!text.empty());
    if (const std::string wrong = totals_problem(); !wrong.empty()) return base::Error{wrong};
    named_.map.restore_losses(losses_);
    named_.map.sort_by_heat();
    return std::move(named_);
  }

 private:
  struct FreeParser {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    static_cast<Reader*>(self)->start(name, attributes);
  }
  static void on_end(void* self, const XML_Char*) { static_cast<Reader*>(self)->end(); }
  static void on_text(void* self, const XML_Char* text, int size) {
    const std::string_view piece(text, static_cast<std::size_t>(size));
    if (piece.find_first_not_of(" \t\r\n") != piece.npos) {
      static_cast<Reader*>(self)->fail("text between elements; this format has none");
    }
  }
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    static_cast<Reader*>(self)->fail("a DOCTYPE; this format has none");
  }

  std::size_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }

  void fail(const std::string& what) { fail_at(line(), what); }
  void fail_at(std::size_t at, const std::string& what) {
    if (failed()) return;
    problem_ = fmt::format("line {}: {}", at, what);
    XML_StopParser(parser_.get(), XML_FALSE);
  }
  bool failed() const { return !problem_.empty(); }

  void start(std::string_view name, const XML_Char** attributes) {
    if (failed()) return;
    const auto* rule = std::ranges::find(kRules, name, &ElementRule::name);
    const std::string_view parent = open_.empty() ? "" : open_.back()->name;
    if (rule == kRules.end()) return fail(fmt::format("element {} is unknown", name));
    if (rule->parent != parent) {
      return fail(rule->parent.empty() ? fmt::format("element {} must be the outermost", name)
                                       : fmt::format("element {} must be in {}", name, rule->parent));
    }
    attributes_ = attributes;
    open_.push_back(rule);
    for (const XML_Char** each = attributes; *each != nullptr; each += 2) {
      if (!holds_word(rule->required, *each) && !holds_word(rule->optional, *each)) {
        return fail(fmt::format("element {} has no attribute {}", name, *each));
      }
    }
    for (std::string_view list = rule->required; !list.empty();) {
      const std::size_t end = std::min(list.find(' '), list.size());
      if (find(list.substr(0, end)) == nullptr) {
        return fail(fmt::format("element {} lacks the attribute {}", name, list.substr(0, end)));
      }
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    constexpr std::array<void (Reader::*)(), 7> kActions = {
        &Reader::take_map,     &Reader::take_method,   &Reader::take_site, &Reader::take_callee,
        &Reader::take_context, &Reader::take_site_ref, &Reader::take_ref};
    (this->*kActions[static_cast<std::size_t>(rule - kRules.begin())])();
  }

  void end() {
    if (failed()) return;
    const std::string_view name = open_.back()->name;
    if ((name == "callSite" || name == "callSiteRef") && !calls_something_)
      fail(fmt::format("a {} that calls nothing", name));
    open_.pop_back();
  }

  const XML_Char* find(std::string_view name) const {
    for (const XML_Char** each = attributes_; *each != nullptr; each += 2) {
      if (name == *each) return each[1];
    }
    return nullptr;
  }

  profile::Uint128 number(std::string_view name, profile::Uint128 largest) {
    const auto value = parse_decimal(find(name), largest);
    if (!value) fail(fmt::format("{}=\"{}\" is not a whole number up to {}", name, find(name), decimal(largest)));
    return value.value_or(0);
  }
  std::uint64_t count(std::string_view name) { return static_cast<std::uint64_t>(number(name, kLargest64)); }
  Index index(std::string_view name) { return static_cast<Index>(number(name, kLargestIndex)); }
  std::uint32_t bci() { return find("bci") == nullptr ? profile::kNoSite : index("bci"); }

  std::string name(std::string_view attribute) {
    const auto text = name_of_attribute(find(attribute));
    if (!text)
      fail(fmt::format("{}=\"{}\" has a backslash that begins neither \\\\ nor \\xNN", attribute, find(attribute)));
    return text.value_or("");
  }

  // The place of the word among those allowed.
  template <std::size_t N>
  std::size_t word(std::string_view attribute, const std::array<std::string_view, N>& words) {
    const auto found = std::ranges::find(words, std::string_view(find(attribute)));
    if (found == words.end()) {
      fail(fmt::format("{}=\"{}\"; there is {}", attribute, find(attribute), fmt::join(words, ", ")));
      return 0;
    }
    return static_cast<std::size_t>(found - words.begin());
  }

  void expect_id(std::size_t next) {
    const Index id = index("id");
    if (!failed() && id != next) fail(fmt::format("id=\"{}\" where {} comes next", id, next));
  }

  void take_map() {
    if (std::string_view(find("version")) != "1") {
      return fail(fmt::format("version=\"{}\"; this program reads version 1", find("version")));
    }
    static constexpr std::array<std::string_view, 2> kShapes = {"tree", "sub-paths"};
    static constexpr std::array<std::string_view, 3> kKinds = {"exact", "estimate", "samples"};
    static constexpr std::array<std::string_view, 2> kBools = {"false", "true"};
    ContextMap::Options options;
    options.shape = word("shape", kShapes) == 0 ? ContextMap::Shape::kTree : ContextMap::Shape::kSubPaths;
    options.max_contexts = kLargestIndex;
    options.max_calls = kLargestIndex;
    const bool bounded = find("maxSubPath") != nullptr;
    if (bounded != (options.shape == ContextMap::Shape::kSubPaths)) {
      return fail("maxSubPath belongs to a map of sub-paths, and to no other");
    }
    if (bounded) {
      options.max_sub_path = index("maxSubPath");
      if (!failed() && options.max_sub_path < 2) return fail("maxSubPath must be at least 2");
    }
    named_.map = ContextMap(options);
    named_.metric = {.name = name("metric"),
                     .unit = name("unit"),
                     .kind = static_cast<profile::MetricKind>(word("kind", kKinds)),
                     .scale_log2 = static_cast<std::uint8_t>(number("scale", 32))};
    if (named_.metric.kind != profile::MetricKind::kEstimate && named_.metric.scale_log2 != 0) {
      return fail("only an estimate may have a scale other than 0");
    }
    named_.identity = {.call_sites = word("callSites", kBools) == 1,
                       .descriptors = word("descriptors", kBools) == 1,
                       .folded_recursion = word("foldedRecursion", kBools) == 1};
    losses_ = {.contexts = count("lostContexts"),
               .calls = count("lostCalls"),
               .removed_contexts = count("removedContexts"),
               .removed_calls = count("removedCalls")};
  }

  void take_method() {
    if (!named_.map.refs().empty()) return fail("a method behind contexts; methods come first");
    static constexpr std::array<std::string_view, 4> kKinds = {"java", "native", "pseudo", "overflow"};
    expect_id(named_.methods.size());
    profile::Method& method = named_.methods.emplace_back();
    method.class_name = name("class");
    method.name = name("name");
    method.descriptor = name("descriptor");
    method.kind = static_cast<profile::MethodKind>(word("kind", kKinds));
    method.code_bytes = static_cast<std::uint32_t>(number("codeBytes", 0xffffffff));
    totals_.push_back({count("total"), line()});
  }

  void take_site() {
    site_bci_ = bci();
    if (site_bci_ != profile::kNoSite && !named_.identity.call_sites) return fail("a bci in a map without call sites");
    site_totals_.push_back({count("total"), 0, line()});
    calls_something_ = false;
  }

  // Which method a callee is may come later in the document: methods name each other both ways. So calls wait.
  void take_callee() {
    calls_something_ = true;
    expect_id(calls_.size());
    const Index callee = index("method");
    const std::uint64_t total = count("total");
    site_totals_.back().sum = profile::saturating_add(site_totals_.back().sum, total);
    calls_.push_back({static_cast<Index>(named_.methods.size() - 1), site_bci_, callee, total, line()});
  }

  // All methods are known: the calls between them can be made.
  void make_calls() {
    calls_made_ = true;
    for (Index method = 0; method < totals_.size(); ++method) named_.map.restore_method(method, totals_[method].total);
    for (std::size_t i = 0; i < calls_.size() && !failed(); ++i) {
      const Call& call = calls_[i];
      if (call.callee >= named_.methods.size()) {
        return fail_at(call.line,
                       fmt::format("method=\"{}\"; there are {} methods", call.callee, named_.methods.size()));
      }
      named_.map.add_call(call.caller, call.bci, call.callee, call.total);
      if (named_.map.callees().size() != i + 1) return fail_at(call.line, "the same call for the second time");
    }
  }

  void take_variance() {
    const bool has = find("variance") != nullptr;
    if (has != (named_.metric.kind == profile::MetricKind::kEstimate)) {
      return fail("a variance belongs to each count of an estimate, and to no other");
    }
    if (has) named_.variance.push_back(number("variance", kLargest128));
  }

  void take_context() {
    if (!calls_made_) make_calls();
    if (roots_end_) fail("a root behind call sites of contexts; roots come before");
    if (failed()) return;
    expect_id(named_.map.refs().size());
    const Index method = index("method");
    take_variance();
    const std::uint64_t value = count("count");
    if (failed()) return;
    if (method >= named_.methods.size()) {
      return fail(fmt::format("method=\"{}\"; there are {} methods", method, named_.methods.size()));
    }
    if (named_.map.restore_root(method, value) == ContextMap::kNone) fail("the same root for the second time");
  }

  void take_site_ref() {
    roots_end_ = true;
    calls_something_ = false;
    context_ = index("context");
    const std::uint32_t at = bci();
    if (failed()) return;
    if (context_ >= named_.map.refs().size()) {
      return fail(fmt::format("context=\"{}\" does not stand before this", context_));
    }
    site_ = named_.map.find_site(named_.map.refs()[context_].method, at);
    if (site_ == ContextMap::kNone) return fail("the method of this context has no such call site");
    if (named_.map.find_site_ref(context_, site_) != ContextMap::kNone)
      fail("the same call site in the same context for the second time");
  }

  void take_ref() {
    calls_something_ = true;
    expect_id(named_.map.refs().size());
    const Index callee = index("callee");
    take_variance();
    const std::uint64_t value = count("count");
    if (failed()) return;
    if (callee >= named_.map.callees().size() || named_.map.callees()[callee].site != site_) {
      return fail(fmt::format("callee=\"{}\" is none of this call site", callee));
    }
    if (named_.map.restore_context(context_, callee, value) == ContextMap::kNone) {
      fail("the same call in the same context for the second time");
    }
  }

  // What the counters say of each other. Where contexts were lost or removed, they have less than the totals.
  std::string totals_problem() {
    if (!calls_made_) make_calls();
    if (failed()) return problem_;
    for (const SiteTotal& site : site_totals_) {
      if (site.total != site.sum) {
        return fmt::format("line {}: total=\"{}\", but the callees add up to {}", site.line, site.total, site.sum);
      }
    }
    const bool complete = losses_.contexts == 0 && losses_.removed_contexts == 0;
    if (named_.map.options().shape != ContextMap::Shape::kTree || !complete) return "";
    std::vector<std::uint64_t> of_callee(named_.map.callees().size());
    std::vector<std::uint64_t> of_method(named_.methods.size());
    for (const ContextMap::CalleeRef& ref : named_.map.refs()) {
      if (ref.callee != ContextMap::kNone)
        of_callee[ref.callee] = profile::saturating_add(of_callee[ref.callee], ref.count);
      of_method[ref.method] = profile::saturating_add(of_method[ref.method], ref.count);
    }
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (calls_[i].total != of_callee[i]) {
        return fmt::format("line {}: total=\"{}\", but the contexts of this call add up to {}", calls_[i].line,
                           calls_[i].total, of_callee[i]);
      }
    }
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      if (totals_[i].total != of_method[i]) {
        return fmt::format("line {}: total=\"{}\", but the contexts of this method add up to {}", totals_[i].line,
                           totals_[i].total, of_method[i]);
      }
    }
    return "";
  }

  struct Call {
    Index caller;
    std::uint32_t bci;
    Index callee;
    std::uint64_t total;
    std::size_t line;
  };
  struct MethodTotal {
    std::uint64_t total;
    std::size_t line;
  };
  struct SiteTotal {
    std::uint64_t total;
    std::uint64_t sum;
    std::size_t line;
  };

  std::unique_ptr<XML_ParserStruct, FreeParser> parser_;
  const XML_Char** attributes_ = nullptr;
  std::vector<const ElementRule*> open_;
  std::string problem_;
  NamedMap named_;
  ContextMap::Losses losses_;
  std::vector<MethodTotal> totals_;
  std::vector<Call> calls_;
  std::vector<SiteTotal> site_totals_;
  bool calls_made_ = false;
  bool roots_end_ = false;
  bool calls_something_ = false;  // the call site at hand
  std::uint32_t site_bci_ = profile::kNoSite;
  Index context_ = ContextMap::kNone;  // of the callSiteRef at hand
  Index site_ = ContextMap::kNone;
};

}  // namespace

base::Result<NamedMap> read_ccmap_xml(std::string_view text) {
  return Reader().read(text);
}

}  // namespace bursar::exports
