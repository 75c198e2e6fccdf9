// Which methods have copies: known from how a call spells its callee, so that caller and callee agree without asking.
//
// All of every class but Object, which the VM knows too well to let it have more virtual methods; and so none that a
// class may have from Object. Class initialisers are called by the VM only.
// Runs in: any
#pragma once

#include <string_view>

namespace bursar::agent {

// A method that is declared like this has a copy.
bool has_copy(std::string_view name, std::string_view descriptor);
// It is called where no copy can be called: its own code decides which of two bodies it runs.
bool has_inner_body(std::string_view class_name, std::string_view name, std::string_view descriptor);
// A call that spells its callee like this may call the copy.
bool names_copy(std::string_view class_name, std::string_view name, std::string_view descriptor);

}  // namespace bursar::agent
