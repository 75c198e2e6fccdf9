// The sections of the profile file, each from its columns to its part of the ProfileData.
//
// Each checks what it must to fill its tables safely; order and ids are left to accept_canonical().
#pragma once

#include "profile/file_layout.h"
#include "profile/profile.h"
#include "profile/section_reader.h"

namespace bursar::profile {

// Sections come in file order: metrics before the tables that have columns for them. Asks `in` for ok() afterwards.
void decode_section(Section section, SectionReader& in, ProfileData& data);

}  // namespace bursar::profile
