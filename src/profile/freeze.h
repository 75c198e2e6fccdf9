// From the numbers of a run to a Profile in canonical form, and the check that data is in that form.
#pragma once

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::profile {

// Sorts everything into canonical order, adds up what is there twice (methods, sibling contexts, edges, threads …),
// drops methods nobody names. Ids may come in any order that forms a tree; contexts may name a parent with a larger
// id. Drops the call sites or descriptors that the identity says are not kept, and the site of a root. A table without
// rows may come without columns. Fails, saying what and where, on an id out of range, a cycle, a column of the wrong
// length.
base::Result<Profile> freeze(ProfileData data);

// Takes data that claims to be canonical (it was read from a file) and refuses it unless it is.
base::Result<Profile> accept_canonical(ProfileData data);

// Everything wrong with the data, one sentence each (what, and at which index); at most `limit`, empty if canonical.
std::vector<std::string> validate(const ProfileData& data, std::size_t limit = 20);

}  // namespace bursar::profile
