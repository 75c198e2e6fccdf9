#include "evaluation/report.h"

#include <string_view>

#include "evaluation/report_page.h"

namespace bursar::evaluation {

std::string report_page(const Json& evaluation) {
  constexpr std::string_view kPlace = "/*evaluation*/";
  const std::string_view page = kReportPage;
  const std::size_t place = page.find(kPlace);
  std::string out(page.substr(0, place));
  for (const char c : line_of(evaluation)) {
    // In a script, "</script>" and "<!--" would be taken for markup; in JSON '<' stands only inside strings.
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out.append(page.substr(place + kPlace.size()));
}

}  // namespace bursar::evaluation
