// What the viewer's page tells of something measured over time (profile::Series), as JSON among its facts
// (view_page.h):
//
//   name, unit
//   thread     its name; empty for all threads together
//   points     [seconds since the start, low, middle, high] …, by time
//
// However many points a series has, the page gets at most two hundred: each stands for those of a part of the time, by
// their median and by what the lowest and the highest tenth begin at.
#pragma once

#include <nlohmann/json.hpp>

#include "profile/profile.h"

namespace bursar::exports {

nlohmann::ordered_json series_json(const profile::ProfileData& data);

}  // namespace bursar::exports
