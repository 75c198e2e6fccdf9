// What must come back unchanged when nothing is edited.
#pragma once

#include <optional>
#include <string>

#include "base/byte_reader.h"

namespace bursar::class_sweep {

// Takes a class file apart, down to its instructions and stack-map frames, and puts it together again. Nothing if the
// bytes are the same; else what differs. (Frames are compared as frames: javac does not always write the shortest
// form.)
std::optional<std::string> round_trip_difference(base::Bytes class_file);

}  // namespace bursar::class_sweep
