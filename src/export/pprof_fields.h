// The numbers of the fields of profile.proto that are written or read here.
#pragma once

namespace bursar::exports::pprof {

// Profile
inline constexpr unsigned kSampleType = 1, kSample = 2, kLocation = 4, kFunction = 5, kStringTable = 6, kComment = 13,
                          kDefaultSampleType = 14;
// ValueType
inline constexpr unsigned kType = 1, kUnit = 2;
// Sample
inline constexpr unsigned kLocationId = 1, kValue = 2;
// Location and Function
inline constexpr unsigned kId = 1, kAddress = 3, kLine = 4, kName = 2, kSystemName = 3;
// Line
inline constexpr unsigned kFunctionId = 1;

}  // namespace bursar::exports::pprof
