// What the agent adds to classes of java.lang, and hides from reflection.
//
//   Thread   seven fields: the thread's cursor (slot and tree), what a method handle is about to call, where its next
//            note for a trace goes, and where it is in its bursts and gaps (BurstState) with what it found there
//            in the path modes one more: its counters or samples of paths
//   MemberName  in bursts, one field: its twin
//   Object   every method of BursarProbe, and of BursarPaths, that probes use. Every class loader knows Object already;
//   naming another class
//            in a probe would make each one look for it, and programs would see that
// Runs in: any thread that may allocate
#pragma once

#include <array>
#include <string_view>

#include "classfile/class_file.h"

namespace bursar::agent {

inline constexpr const char* kProbeClass = "java/lang/BursarProbe";
inline constexpr const char* kTrustClass = "java/lang/BursarTrust";
inline constexpr const char* kPathsClass = "java/lang/BursarPaths";
inline constexpr const char* kForkClass = "java/lang/invoke/BursarFork";
inline constexpr const char* kLinksClass = "java/lang/invoke/BursarLinks";
// A class of java/.
constexpr bool is_ours(std::string_view class_name) {
  return class_name == kProbeClass || class_name == kTrustClass || class_name == kPathsClass ||
         class_name == kForkClass || class_name == kLinksClass;
}
inline constexpr const char* kObjectClass = "java/lang/Object";
inline constexpr const char* kThreadClass = "java/lang/Thread";
inline constexpr const char* kMemberNameClass = "java/lang/invoke/MemberName";

struct AddedMember {
  const char* name;
  const char* descriptor;
};

inline constexpr AddedMember kSlotField = {"bursarSlot", "J"};
inline constexpr AddedMember kTreeField = {"bursarTree", "J"};
inline constexpr AddedMember kLinkField = {"bursarMember", "Ljava/lang/Object;"};
inline constexpr AddedMember kLogField = {"bursarLog", "J"};
inline constexpr AddedMember kCountdownField = {"bursarCountdown", "I"};
inline constexpr AddedMember kLeftField = {"bursarLeft", "I"};
inline constexpr AddedMember kIntoField = {"bursarInto", "J"};
inline constexpr std::array kAddedFields = {kSlotField,      kTreeField, kLinkField, kLogField,
                                            kCountdownField, kLeftField, kIntoField};

// A method of BursarProbe, the one that takes its place in mode trace, and what the copy in Object is called.
struct ProbeMethod {
  const char* original;
  const char* traced;
  AddedMember method;
};
inline constexpr AddedMember kEnter = {"bursarEnter", "(I)Z"};
inline constexpr AddedMember kFind = {"bursarFind", "(I)J"};
inline constexpr AddedMember kLeave = {"bursarLeave", "(J)V"};
inline constexpr AddedMember kSlot = {"bursarSlot", "()J"};
inline constexpr AddedMember kMove = {"bursarMove", "(J)V"};
inline constexpr AddedMember kCall = {"bursarCall", "(JI)V"};
inline constexpr AddedMember kCallUnprobed = {"bursarCallUnprobed", "(JI)V"};
inline constexpr AddedMember kCallUnprobedOn = {"bursarCallUnprobedOn", "(Ljava/lang/Object;JI)V"};
inline constexpr AddedMember kCallVirtual = {"bursarCallVirtual", "(Ljava/lang/Object;JI)V"};
inline constexpr AddedMember kCount = {"bursarCount", "(JI)V"};
inline constexpr AddedMember kCalled = {"bursarCalled", "(JI)V"};
inline constexpr AddedMember kCalledProbed = {"bursarCalledProbed", "(JI)V"};
inline constexpr AddedMember kTrusted = {"bursarTrusted", "(JI)V"};
inline constexpr AddedMember kCalledAny = {"bursarCalledAny", "(JI)V"};
inline constexpr AddedMember kLink = {"bursarLink", "(Ljava/lang/Object;)V"};
inline constexpr AddedMember kPass = {"bursarPass", "(JI)J"};
inline constexpr AddedMember kPassOrTurn = {"bursarPassOrTurn", "(JI)J"};
inline constexpr AddedMember kPassInCopy = {"bursarPassInCopy", "(JJI)J"};
inline constexpr AddedMember kCounts = {"bursarCounts", "(JI)Z"};
inline constexpr AddedMember kCountsOrNot = {"bursarCountsOrNot", "(JI)Z"};
inline constexpr AddedMember kCountsInCopy = {"bursarCountsInCopy", "(JJI)Z"};
inline constexpr AddedMember kBackFromCopy = {"bursarBackFromCopy", "()V"};
inline constexpr AddedMember kCountPathInBurst = {"bursarCountPathInBurst", "(JI)V"};
inline constexpr AddedMember kCalledByTwin = {"bursarCalledByTwin", "(Ljava/lang/Object;)Z"};
inline constexpr AddedMember kLinkage = {
    "bursarLinkage",
    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)"
    "Ljava/lang/invoke/CallSite;"};
inline constexpr AddedMember kAddend = {"bursarAddend", "(II)I"};
inline constexpr AddedMember kInBurst = {"bursarInBurst", "(I)Z"};
inline constexpr AddedMember kHiddenClass = {"bursarHiddenClass", "([BI)[B"};
inline constexpr AddedMember kRewrittenModule = {"bursarRewrittenModule", "(Ljava/lang/Module;)Ljava/lang/Module;"};
inline constexpr AddedMember kVisibleFields = {
    "bursarVisibleFields", "([Ljava/lang/reflect/Field;Ljava/lang/Class;)[Ljava/lang/reflect/Field;"};
inline constexpr AddedMember kVisibleMethods = {
    "bursarVisibleMethods", "([Ljava/lang/reflect/Method;Ljava/lang/Class;)[Ljava/lang/reflect/Method;"};
inline constexpr AddedMember kVisibleConstructors = {
    "bursarVisibleConstructors", "([Ljava/lang/reflect/Constructor;)[Ljava/lang/reflect/Constructor;"};
inline constexpr std::array kProbeMethods = {
    ProbeMethod{"enter", "traceEnter", kEnter},
    ProbeMethod{"findNode", "traceFindNode", kFind},
    ProbeMethod{"leave", "traceLeave", kLeave},
    ProbeMethod{"slot", "slot", kSlot},
    ProbeMethod{"move", "traceMove", kMove},
    ProbeMethod{"call", "call", kCall},
    ProbeMethod{"callUnprobed", "traceCallUnprobed", kCallUnprobed},
    ProbeMethod{"callUnprobedOn", "traceCallUnprobedOn", kCallUnprobedOn},
    ProbeMethod{"callVirtual", "traceCallVirtual", kCallVirtual},
    ProbeMethod{"count", "traceCount", kCount},
    ProbeMethod{"called", "traceCalled", kCalled},
    ProbeMethod{"calledProbed", "traceCalledProbed", kCalledProbed},
    ProbeMethod{"trusted", "traceTrusted", kTrusted},
    ProbeMethod{"calledAny", "traceCalledAny", kCalledAny},
    ProbeMethod{"link", "link", kLink},
    ProbeMethod{"pass", "pass", kPass},
    ProbeMethod{"passOrTurn", "passOrTurn", kPassOrTurn},
    ProbeMethod{"passInCopy", "passInCopy", kPassInCopy},
    ProbeMethod{"counts", "counts", kCounts},
    ProbeMethod{"countsOrNot", "countsOrNot", kCountsOrNot},
    ProbeMethod{"countsInCopy", "countsInCopy", kCountsInCopy},
    ProbeMethod{"backFromCopy", "backFromCopy", kBackFromCopy},
    ProbeMethod{"countPath", "countPath", kCountPathInBurst},
    ProbeMethod{"calledByTwin", "calledByTwin", kCalledByTwin},
    ProbeMethod{"linkage", "linkage", kLinkage},
    ProbeMethod{"addend", "addend", kAddend},
    ProbeMethod{"inBurst", "inBurst", kInBurst},
    ProbeMethod{"hiddenClass", "hiddenClass", kHiddenClass},
    ProbeMethod{"rewrittenModule", "rewrittenModule", kRewrittenModule},
    ProbeMethod{"visibleFields", "visibleFields", kVisibleFields},
    ProbeMethod{"visibleMethods", "visibleMethods", kVisibleMethods},
    ProbeMethod{"visibleConstructors", "visibleConstructors", kVisibleConstructors},
};

// MemberName has the MemberName of the copy of the same method (BursarLinks.java).
inline constexpr AddedMember kTwinField = {"bursarTwin", "Ljava/lang/Object;"};

// In the path modes besides.
inline constexpr AddedMember kPathsField = {"bursarPaths", "J"};
inline constexpr AddedMember kCountPath = {"bursarCountPath", "(I)V"};
inline constexpr AddedMember kSamplePath = {"bursarSamplePath", "(I)V"};

// False if the class's constant pool has no room.
bool add_thread_fields(classfile::ClassFile& thread);
bool add_twin_field(classfile::ClassFile& member_name);
bool add_probe_methods(classfile::ClassFile& object, bool traced);
bool add_path_field(classfile::ClassFile& thread);
bool add_path_methods(classfile::ClassFile& object);
// The class that says whether trust holds, saying that it does not.
bool end_trust(classfile::ClassFile& trust);

}  // namespace bursar::agent
