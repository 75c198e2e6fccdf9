#include "agent/java_bridge.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "agent/added_members.h"
#include "agent/boot_class.h"
#include "agent/clocks.h"
#include "agent/embedded_classes.h"
#include "agent/vm_facts.h"
#include "classfile/method_copies.h"

namespace bursar::agent {
namespace {

// The natives have no other way to find them; set once, before any of them can be called.
Session* g_session = nullptr;
JavaBridge* g_bridge = nullptr;

core::ContextTree* tree_at(jlong address) {
  return reinterpret_cast<core::ContextTree*>(address);  // NOLINT(performance-no-int-to-ptr): a long in Java
}

// Where the current thread was when it was last looked at.
struct OwnStack {
  WalkedStack walked;
  std::vector<std::size_t> known = {0};  // of its outermost frames, those that are known
  Stack stack;

  // A copy follows. Between it and the next one outside may lie what led there through a method handle: adapters that
  // do not count (BursarLinks.java).
  void drop_linkage() {
    std::size_t outside = stack.frames.size();
    while (outside > 0 && !stack.frames[outside - 1].copy) --outside;
    if (outside == 0 || !g_session->is_linkage(std::span(stack.frames).subspan(outside - 1))) return;
    stack.cut(outside);
    for (std::size_t& count : known) count = std::min(count, outside);
  }
};
thread_local OwnStack t_stack;

// Optimized code that ends: to take the frame apart, and to interpret it for a while (docs/measurements.md).
constexpr std::uint64_t kLeavingCodeNs = 5'000;

// The array without the members that are to be left out.
template <class LeaveOut>
jobjectArray without(JNIEnv* jni, jobjectArray members, LeaveOut&& leave_out) {
  if (members == nullptr || jni->GetArrayLength(members) == 0) return members;
  const jclass type = jni->GetObjectClass(jni->GetObjectArrayElement(members, 0));
  std::vector<jobject> kept;
  for (jsize i = 0; i < jni->GetArrayLength(members); ++i) {
    const jobject member = jni->GetObjectArrayElement(members, i);
    if (!leave_out(member)) kept.push_back(member);
  }
  const jobjectArray visible = jni->NewObjectArray(static_cast<jsize>(kept.size()), type, nullptr);
  if (visible == nullptr) {
    jni->ExceptionClear();
    return members;
  }
  for (std::size_t i = 0; i < kept.size(); ++i) jni->SetObjectArrayElement(visible, static_cast<jsize>(i), kept[i]);
  return visible;
}

jclass define_class(JNIEnv* jni, const char* name, std::span<const std::uint8_t> bytes) {
  const jclass cls =
      jni->DefineClass(name, nullptr, reinterpret_cast<const jbyte*>(bytes.data()), static_cast<jsize>(bytes.size()));
  if (cls == nullptr) {
    jni->ExceptionClear();
    return nullptr;
  }
  return static_cast<jclass>(jni->NewGlobalRef(cls));
}

}  // namespace

// Exported by name: registering natives of a class of java.base makes the VM print a warning.
extern "C" {

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_openTree(JNIEnv* jni, jclass, jthread thread) {
  if (thread == nullptr) return 0;
  return reinterpret_cast<jlong>(g_session->open_tree(g_bridge->is_virtual(jni, thread)));
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_openLog(JNIEnv*, jclass, jlong tree) {
  return tree != 0 ? static_cast<jlong>(g_session->open_log(tree_at(tree))) : 0;
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_drain(JNIEnv*, jclass, jlong position) {
  const auto at = static_cast<std::uint64_t>(position);
  return at != 0 ? static_cast<jlong>(TraceLog::of(at).drain(at)) : 0;
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_now(JNIEnv*, jclass) {
  return static_cast<jlong>(Tracer::now_ns());
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_rootNode(JNIEnv*, jclass, jlong tree) {
  return tree != 0 ? static_cast<jlong>(tree_at(tree)->root()) : 0;
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_find(JNIEnv*, jclass, jlong tree, jlong slot, jint method) {
  return static_cast<jlong>(
      g_session->find(tree_at(tree), static_cast<core::SlotAddress>(slot), static_cast<core::MethodId>(method)));
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_check(JNIEnv* jni, jclass, jthread thread, jlong node, jint gate,
                                                         jint cost) {
  if (thread == nullptr) return 0;
  return static_cast<jlong>(
      g_bridge->check(jni, thread, static_cast<core::NodeAddress>(node), static_cast<GateNumber>(gate), cost));
}

JNIEXPORT jboolean JNICALL Java_java_lang_BursarProbe_leftCode(JNIEnv*, jclass) {
  return g_bridge->left_code() ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_findUnprobed(JNIEnv* jni, jclass, jlong tree, jlong slot) {
  if (const core::CallSite* site = g_session->site_at(static_cast<core::SlotAddress>(slot)); site != nullptr) {
    g_bridge->resolve_callee(jni, *site);
    // The call itself would have thrown it, here and now.
    if (jni->ExceptionCheck() != JNI_FALSE) return slot;
  }
  return static_cast<jlong>(g_session->find_unprobed(tree_at(tree), static_cast<core::SlotAddress>(slot)));
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_findVirtual(JNIEnv* jni, jclass, jlong tree, jlong slot,
                                                               jobject receiver) {
  if (receiver == nullptr) return 0;
  const jclass cls = jni->GetObjectClass(receiver);
  const std::string name = g_bridge->internal_name(cls);
  return static_cast<jlong>(g_session->find_virtual(tree_at(tree), static_cast<core::SlotAddress>(slot), name));
}

JNIEXPORT jlong JNICALL Java_java_lang_BursarProbe_missed(JNIEnv* jni, jclass, jlong tree, jlong slot, jobject member) {
  const auto address = static_cast<core::SlotAddress>(slot);
  LinkTarget target;
  if (member != nullptr && g_session->is_link(address)) target = g_bridge->link_target(jni, member);
  return static_cast<jlong>(g_session->missed(tree_at(tree), address, target));
}

JNIEXPORT jbyteArray JNICALL Java_java_lang_BursarProbe_rewriteHidden(JNIEnv* jni, jclass, jbyteArray bytes) {
  if (bytes == nullptr) return nullptr;
  const jsize length = jni->GetArrayLength(bytes);
  std::vector<std::uint8_t> original(static_cast<std::size_t>(length));
  jni->GetByteArrayRegion(bytes, 0, length, reinterpret_cast<jbyte*>(original.data()));
  const std::vector<std::uint8_t> rewritten = g_session->rewriter().rewrite(original, true);
  g_bridge->pass_on_doubt();
  if (rewritten.empty()) return bytes;
  jbyteArray result = jni->NewByteArray(static_cast<jsize>(rewritten.size()));
  if (result == nullptr) {
    jni->ExceptionClear();
    return bytes;
  }
  jni->SetByteArrayRegion(result, 0, static_cast<jsize>(rewritten.size()),
                          reinterpret_cast<const jbyte*>(rewritten.data()));
  return result;
}

JNIEXPORT jboolean JNICALL Java_java_lang_BursarProbe_hasOtherAgents(JNIEnv*, jclass) {
  return g_session->has_other_agents() ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT jobjectArray JNICALL Java_java_lang_BursarProbe_fieldsWithoutAdded(JNIEnv* jni, jclass, jobjectArray fields) {
  return without(jni, fields, [&](jobject field) { return g_bridge->is_added_field(jni, field); });
}

JNIEXPORT jobjectArray JNICALL Java_java_lang_BursarProbe_methodsWithoutAdded(JNIEnv* jni, jclass,
                                                                              jobjectArray methods) {
  return without(jni, methods, [&](jobject method) { return g_bridge->is_added_method(jni, method); });
}

JNIEXPORT jobjectArray JNICALL Java_java_lang_BursarProbe_constructorsWithoutAdded(JNIEnv* jni, jclass,
                                                                                   jobjectArray constructors) {
  return without(jni, constructors, [&](jobject constructor) { return g_bridge->is_added_method(jni, constructor); });
}

}  // extern "C"

std::string JavaBridge::define(JNIEnv* jni, Session& session) {
  g_session = &session;
  g_bridge = this;
  trust_ = define_class(jni, kTrustClass, embedded::trust_class());
  probe_ = define_class(jni, kProbeClass, embedded::probe_class());
  fork_ = define_class(jni, kForkClass, embedded::fork_class());
  const jclass links = define_class(jni, kLinksClass, embedded::links_class());
  if (trust_ == nullptr || probe_ == nullptr || fork_ == nullptr || links == nullptr)
    return "the VM did not take the probe class";
  const core::CommonNodes& common = core::CommonNodes::instance();
  const std::pair<const char*, std::uint64_t> addresses[] = {{"mute", common.mute},
                                                             {"stranger", common.stranger},
                                                             {"asleep", common.asleep},
                                                             {"asleepEnd", common.end_of_asleep()}};
  for (const auto& [name, address] : addresses) {
    const jfieldID field = jni->GetStaticFieldID(probe_, name, "J");
    if (field == nullptr) {
      jni->ExceptionClear();
      return "the VM did not initialise the probe class";
    }
    jni->SetStaticLongField(probe_, field, static_cast<jlong>(address));
  }
  return "";
}

std::string JavaBridge::wake(JNIEnv* jni) {
  thread_ = find_boot_class(jni, kThreadClass);
  object_ = find_boot_class(jni, kObjectClass);
  member_ = find_boot_class(jni, "java/lang/invoke/MemberName");
  unsafe_ = find_boot_class(jni, "jdk/internal/misc/Unsafe");
  constexpr jint kFirstWithVirtualThreads = 0x00150000;
  if (jni->GetVersion() >= kFirstWithVirtualThreads)
    virtual_thread_ = find_boot_class(jni, "java/lang/BaseVirtualThread");
  for (const jclass needed : {thread_, object_, member_, unsafe_}) {
    if (needed == nullptr) return "this VM lacks a class that the probes need";
  }
  for (std::size_t i = 0; i < kAddedFields.size(); ++i) {
    added_fields_[i] = jni->GetFieldID(thread_, kAddedFields[i].name, kAddedFields[i].descriptor);
  }
  for (std::size_t i = 0; i < kProbeMethods.size(); ++i) {
    const AddedMember& method = kProbeMethods[i].method;
    added_methods_[i] = jni->GetStaticMethodID(object_, method.name, method.descriptor);
  }
  slot_field_ = added_fields_[0];
  tree_field_ = added_fields_[1];
  log_field_ = added_fields_[3];
  countdown_field_ = added_fields_[4];
  left_field_ = added_fields_[5];
  into_field_ = added_fields_[6];
  constructor_ = find_boot_class(jni, "java/lang/reflect/Constructor");
  const jclass method = find_boot_class(jni, "java/lang/reflect/Method");
  const std::string mark(classfile::kCopyMark);
  if (const jclass found = jni->FindClass(mark.c_str()); found != nullptr) {
    copy_mark_ = static_cast<jclass>(jni->NewGlobalRef(found));
  }
  if (constructor_ == nullptr || method == nullptr || copy_mark_ == nullptr) {
    return "this VM lacks a class that the probes need";
  }
  constructor_parameters_ = jni->GetFieldID(constructor_, "parameterTypes", "[Ljava/lang/Class;");
  method_parameters_ = jni->GetFieldID(method, "parameterTypes", "[Ljava/lang/Class;");
  method_class_ = jni->GetFieldID(method, "clazz", "Ljava/lang/Class;");
  member_class_ = jni->GetFieldID(member_, "clazz", "Ljava/lang/Class;");
  member_name_ = jni->GetFieldID(member_, "name", "Ljava/lang/String;");
  const jfieldID awake = jni->GetStaticFieldID(probe_, "awake", "Z");
  const jfieldID probe_unsafe = jni->GetStaticFieldID(probe_, "unsafe", "Ljdk/internal/misc/Unsafe;");
  const jfieldID missed_hidden = jni->GetStaticFieldID(probe_, "missedHidden", "Z");
  const jmethodID bind = jni->GetStaticMethodID(probe_, "bind", "()V");
  const jmethodID get_unsafe = jni->GetStaticMethodID(unsafe_, "getUnsafe", "()Ljdk/internal/misc/Unsafe;");
  if (jni->ExceptionCheck() != JNI_FALSE) {
    jni->ExceptionClear();
    return "this VM lacks a field that the probes need";
  }
  if (std::string problem = find_unnamed_module(jni); !problem.empty()) return problem;
  jni->CallStaticVoidMethod(probe_, bind);
  g_session->rewriter().sees_hidden_classes();
  if (jni->ExceptionCheck() != JNI_FALSE) {
    jni->ExceptionClear();
    return "the VM does not find the probes' natives";
  }
  const jobject the_unsafe = jni->CallStaticObjectMethod(unsafe_, get_unsafe);
  if (jni->ExceptionCheck() != JNI_FALSE || the_unsafe == nullptr) {
    jni->ExceptionClear();
    return "this VM does not give the probes access to memory";
  }
  jni->SetStaticObjectField(probe_, probe_unsafe, the_unsafe);
  if (g_session->in_bursts()) {
    initialise_links(jni);
    jni->SetStaticBooleanField(probe_, jni->GetStaticFieldID(probe_, "inBursts", "Z"), JNI_TRUE);
    if (std::string problem = make_gate_tables(jni); !problem.empty()) return problem;
    tell_jit_of_forks(jni);
    look_into_vm(jni);
  }
  if (jni->GetStaticBooleanField(probe_, missed_hidden) != JNI_FALSE) g_session->doubt();
  may_redefine_ = true;
  if (std::string problem = pass_on_doubt(); !problem.empty()) return problem;
  jni->SetStaticBooleanField(probe_, awake, JNI_TRUE);
  return "";
}

void JavaBridge::look_into_vm(JNIEnv* jni) {
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK) return;
  env_offset_ = env_offset(jvmti_, jni);
  if (env_offset_ != 0) {
    if (const auto layout = read_vm_layout(vm, release_of_vm(jvmti_))) code_.emplace(*layout);
  }
}

std::string JavaBridge::pass_on_doubt() {
  if (!may_redefine_ || !g_session->doubted()) return "";
  const std::lock_guard guard(doubt_lock_);
  if (std::exchange(doubt_passed_on_, true)) return "";
  const jvmtiError error = jvmti_->RetransformClasses(1, &trust_);
  return error == JVMTI_ERROR_NONE ? "" : "the VM refused to redefine a class of ours; native calls may be missing";
}

std::string JavaBridge::find_unnamed_module(JNIEnv* jni) const {
  const char* const module_type = "Ljava/lang/Module;";
  const jclass boot_loader = find_boot_class(jni, "jdk/internal/loader/BootLoader");
  if (boot_loader != nullptr) {
    const jfieldID from = jni->GetStaticFieldID(boot_loader, "UNNAMED_MODULE", module_type);
    const jfieldID to = jni->GetStaticFieldID(probe_, "nowhere", module_type);
    if (from != nullptr && to != nullptr) {
      jni->SetStaticObjectField(probe_, to, jni->GetStaticObjectField(boot_loader, from));
      return "";
    }
    jni->ExceptionClear();
  }
  return "this VM lacks the boot loader's unnamed module";
}

std::string JavaBridge::make_gate_tables(JNIEnv* jni) {
  const jfieldID closed = jni->GetStaticFieldID(probe_, "closed", "[Ljava/lang/Object;");
  const jfieldID costs = jni->GetStaticFieldID(probe_, "costs", "Ljava/lang/Object;");
  const jobjectArray all_open = jni->NewObjectArray(Gates::kMost, object_, nullptr);
  const jintArray all_cost = jni->NewIntArray(Gates::kMost);
  if (jni->ExceptionCheck() != JNI_FALSE) {
    jni->ExceptionClear();
    return "there is no memory for a table of gates";
  }
  const std::vector<jint> unknown(Gates::kMost, Gates::kUnknownCost);
  jni->SetIntArrayRegion(all_cost, 0, static_cast<jsize>(unknown.size()), unknown.data());
  jni->SetStaticObjectField(probe_, closed, all_open);
  jni->SetStaticObjectField(probe_, costs, all_cost);
  closed_ = static_cast<jobjectArray>(jni->NewGlobalRef(all_open));
  costs_ = static_cast<jintArray>(jni->NewGlobalRef(all_cost));
  jni->DeleteLocalRef(all_open);
  jni->DeleteLocalRef(all_cost);
  return "";
}

// Before a burst needs it.
void JavaBridge::initialise_links(JNIEnv* jni) {
  if (const jclass links = find_boot_class(jni, kLinksClass); links != nullptr)
    jni->GetStaticMethodID(links, "isCopy", "(Ljava/lang/Object;)Z");
  if (const jfieldID twin = jni->GetFieldID(member_, kTwinField.name, kTwinField.descriptor); twin != nullptr)
    hide(twin);
  jni->ExceptionClear();
}

// The JIT keeps forks in its code though they are hardly ever taken. Without that they cost more, nothing else.
void JavaBridge::tell_jit_of_forks(JNIEnv* jni) {
  constexpr std::array<jint, 2> kSeldom = {1 << 20, 1 << 10};
  const jclass known_to_jit = find_boot_class(jni, "java/lang/invoke/MethodHandleImpl");
  // Looking for methods initialises it, too.
  if (known_to_jit != nullptr && jni->GetStaticMethodID(known_to_jit, "profileBoolean", "(Z[I)Z") != nullptr &&
      jni->GetStaticMethodID(known_to_jit, "isCompileConstant", "(Ljava/lang/Object;)Z") != nullptr) {
    const jfieldID field = jni->GetStaticFieldID(fork_, "profile", "[I");
    const jintArray profile = field != nullptr ? jni->NewIntArray(kSeldom.size()) : nullptr;
    if (profile != nullptr) {
      jni->SetIntArrayRegion(profile, 0, kSeldom.size(), kSeldom.data());
      jni->SetStaticObjectField(fork_, field, profile);
      jni->DeleteLocalRef(profile);
      // As many as BursarFork.KNOWN.
      if (const jobjectArray known = jni->NewObjectArray(256, object_, closed_); known != nullptr) {
        jni->SetStaticObjectField(fork_, jni->GetStaticFieldID(fork_, "known", "[Ljava/lang/Object;"), known);
        jni->DeleteLocalRef(known);
      }
    }
  }
  way_out_ = jni->GetStaticMethodID(fork_, "stays", "(I)Z");
  jni->ExceptionClear();
}

void JavaBridge::close(JNIEnv* jni, GateNumber gate) {
  set_cost(jni, gate, 0);
  jni->SetObjectArrayElement(closed_, static_cast<jsize>(gate), closed_);
}

void JavaBridge::set_cost(JNIEnv* jni, GateNumber gate, std::int32_t cost) {
  jni->SetIntArrayRegion(costs_, static_cast<jsize>(gate), 1, &cost);
}

bool JavaBridge::left_code() {
  // The native, what Object has of its caller, Math.addExact, and what called that.
  std::array<jvmtiFrameInfo, 4> frames;
  jint count = 0;
  const auto most = static_cast<jint>(frames.size());
  const bool left = jvmti_->GetStackTrace(nullptr, 0, most, frames.data(), &count) == JVMTI_ERROR_NONE &&
                    count == most && frames.back().method == way_out_;
  if (left) {
    times_left_.fetch_add(1, std::memory_order_relaxed);
    g_session->bursts().spent(kLeavingCodeNs);
  }
  return left;
}

JavaBridge::KnownFrame JavaBridge::known_frame(JNIEnv* jni, jmethodID id) {
  {
    const std::shared_lock guard(frames_lock_);
    if (const auto at = frames_.find(id); at != frames_.end()) return at->second;
  }
  KnownFrame known;
  jclass cls = nullptr;
  char *name = nullptr, *descriptor = nullptr;
  if (jvmti_->GetMethodDeclaringClass(id, &cls) == JVMTI_ERROR_NONE) {
    const std::string class_name = internal_name(cls);
    const bool ours = jni->IsSameObject(cls, probe_) != JNI_FALSE ||
                      std::find(added_methods_.begin(), added_methods_.end(), id) != added_methods_.end();
    if (!ours && jvmti_->GetMethodName(id, &name, &descriptor, nullptr) == JVMTI_ERROR_NONE) {
      const auto original = classfile::descriptor_of_original(descriptor);
      known.copy = original.has_value();
      known.method = g_session->method_named(class_name, name, original ? std::string_view(*original) : descriptor);
      jvmti_->Deallocate(reinterpret_cast<unsigned char*>(name));
      jvmti_->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
    }
    jni->DeleteLocalRef(cls);
  }
  const std::unique_lock guard(frames_lock_);
  frames_[id] = known;
  return known;
}

std::optional<WalkedStack::Place> JavaBridge::left_java(JNIEnv* jni) const {
  const Address thread = reinterpret_cast<Address>(jni) - static_cast<Address>(env_offset_);
  const auto top = reinterpret_cast<Address>(__builtin_frame_address(0));
  WalkedStack::Place place;
  if (!left_frame(code_->layout(), thread, top, place.left)) return std::nullopt;
  place.base = load<Address>(thread + code_->layout().thread_stack_base);
  return place;
}

Stack& JavaBridge::stack(JNIEnv* jni, const core::ContextTree& tree) {
  OwnStack& own = t_stack;
  const auto ask = [this](std::span<FrameInfo> frames) -> std::size_t {
    jint count = 0;
    const auto most = static_cast<jint>(frames.size());
    const jvmtiError error = jvmti_->GetStackTrace(nullptr, 0, most, frames.data(), &count);
    return error == JVMTI_ERROR_NONE ? static_cast<std::size_t>(count) : 0;
  };
  // Of a virtual thread some frames may not be on the stack.
  const bool may_have_seen = code_ && !tree.shared();
  const std::size_t seen =
      own.walked.walk(ask, may_have_seen ? &*code_ : nullptr, may_have_seen ? left_java(jni) : std::nullopt);
  own.known.resize(seen + 1);
  own.stack.cut(own.known.back());
  for (const FrameInfo& frame : own.walked.frames().subspan(seen)) {
    const KnownFrame known = known_frame(jni, frame.method);
    const auto bci = static_cast<std::uint32_t>(frame.location);
    if (known.copy) own.drop_linkage();
    if (known.method != core::kNoMethod)
      own.stack.frames.push_back({known.method, g_session->site_of_call(known.method, known.copy, bci), known.copy});
    own.known.push_back(own.stack.frames.size());
  }
  return own.stack;
}

core::NodeAddress JavaBridge::check(JNIEnv* jni, jthread thread, core::NodeAddress known, GateNumber gate,
                                    std::int32_t cost) {
  core::ContextTree* tree = tree_of(jni, thread);
  const bool is_first = tree == nullptr;
  if (is_first) {
    // This thread of the system may have been another one of Java's, whose trees are gone.
    t_stack.stack.tree = nullptr;
    tree = g_session->open_tree(is_virtual(jni, thread));
    jni->SetLongField(thread, tree_field_, reinterpret_cast<jlong>(tree));
  }
  BurstState state{.countdown = jni->GetIntField(thread, countdown_field_) + cost,
                   .left = jni->GetIntField(thread, left_field_),
                   .into = tree_at(jni->GetLongField(thread, into_field_)),
                   .pace = tree != nullptr ? tree->burst_pace.load(std::memory_order_relaxed) : schemes::Pace{0}};
  Bursts& bursts = g_session->bursts();
  CheckWindows& windows = g_session->check_windows();
  Stack* stack = nullptr;
  std::size_t depth = 0;
  const auto walk = [&] {
    stack = &this->stack(jni, *tree);
    depth = stack->frames.size();
    const core::MethodId method = g_session->gates().method_of(gate);
    while (depth > 0 && stack->frames[depth - 1].method != method) --depth;
  };
  if (windows.is_watching()) {
    walk();
    windows.note(gate, depth);
  }
  auto next = Bursts::Next::kPause;
  if (tree != nullptr && g_session->may_burst()) {
    next = bursts.check(state, is_first);
  } else {
    state = {.countdown = std::numeric_limits<jint>::max()};
  }
  if (next != Bursts::Next::kGoesOn) windows.end();
  const std::uint64_t came_ns = next == Bursts::Next::kBegins ? own_cpu_ns() : 0;
  if (next == Bursts::Next::kBegins) {
    if (stack == nullptr) walk();
    const auto group = bursts.admits(std::span(stack->frames).first(depth));
    core::ContextTree* const into = group ? g_session->tree_of_bursts(tree, state.pace, *group) : nullptr;
    into != nullptr ? bursts.begin(state, *into) : bursts.skip(state);
  }
  const bool begins = next == Bursts::Next::kBegins && state.into != nullptr;
  if (begins && !tree->shared() && windows.begin()) windows.note(gate, depth);
  state.pass(cost);
  core::NodeAddress frame = 0;
  if (state.into != nullptr) {
    const bool is_known = known != 0 && core::ContextTree::owner_of(known) == state.into;
    if (!is_known && stack == nullptr) walk();
    frame = is_known ? known : g_session->node_in(*state.into, *stack, depth);
  }
  if (next == Bursts::Next::kBegins) {
    const std::uint64_t now_ns = own_cpu_ns();
    bursts.spent(now_ns - came_ns);
    if (begins) state.into->burst_began_ns = now_ns;
  }
  if (tree != nullptr) tree->burst_pace.store(state.pace, std::memory_order_relaxed);
  if (windows.leave()) state.watch();
  jni->SetIntField(thread, countdown_field_, state.countdown);
  jni->SetIntField(thread, left_field_, state.left);
  jni->SetLongField(thread, into_field_, reinterpret_cast<jlong>(state.into));
  jni->SetLongField(thread, slot_field_, 0);
  return frame;
}

bool JavaBridge::is_added_field(JNIEnv* jni, jobject field) const {
  const jfieldID id = jni->FromReflectedField(field);
  return std::find(added_fields_.begin(), added_fields_.end(), id) != added_fields_.end() ||
         std::find(more_fields_.begin(), more_fields_.end(), id) != more_fields_.end();
}

// The VM is not asked for the method itself unless it belongs to Object: that would initialise its class.
bool JavaBridge::is_added_method(JNIEnv* jni, jobject method) const {
  const bool is_constructor = jni->IsInstanceOf(method, constructor_) != JNI_FALSE;
  const jobject types = jni->GetObjectField(method, is_constructor ? constructor_parameters_ : method_parameters_);
  const auto parameters = static_cast<jobjectArray>(types);
  const jsize count = parameters != nullptr ? jni->GetArrayLength(parameters) : 0;
  bool is_copy = false;
  if (count > 0) {
    const jobject last = jni->GetObjectArrayElement(parameters, count - 1);
    is_copy = jni->IsSameObject(last, copy_mark_) != JNI_FALSE;
    jni->DeleteLocalRef(last);
  }
  jni->DeleteLocalRef(parameters);
  if (is_copy || is_constructor) return is_copy;
  const jobject holder = jni->GetObjectField(method, method_class_);
  const bool is_of_object = jni->IsSameObject(holder, object_) != JNI_FALSE;
  jni->DeleteLocalRef(holder);
  if (!is_of_object) return false;
  const jmethodID id = jni->FromReflectedMethod(method);
  return std::find(added_methods_.begin(), added_methods_.end(), id) != added_methods_.end() ||
         std::find(more_methods_.begin(), more_methods_.end(), id) != more_methods_.end();
}

// What the call would do first, it does here: under its caller, and not under what it calls.
void JavaBridge::resolve_callee(JNIEnv* jni, const core::CallSite& site) const {
  if (site.class_name.starts_with('[') || site.class_name == kObjectClass) return;
  // On top of the stack: the native that asks, BursarProbe's method, Object's. Where the receiver may be null, one more
  // of each.
  std::array<jvmtiFrameInfo, 6> frames;
  jint count = 0;
  if (jvmti_->GetStackTrace(nullptr, 0, static_cast<jint>(frames.size()), frames.data(), &count) != JVMTI_ERROR_NONE) {
    return;
  }
  for (jint i = 0; i < count; ++i) {
    jclass caller = nullptr;
    if (jvmti_->GetMethodDeclaringClass(frames[static_cast<std::size_t>(i)].method, &caller) != JVMTI_ERROR_NONE)
      return;
    const bool ours = jni->IsSameObject(caller, probe_) != JNI_FALSE ||
                      std::find(added_methods_.begin(), added_methods_.end(),
                                frames[static_cast<std::size_t>(i)].method) != added_methods_.end();
    if (!ours) {
      jobject loader = nullptr;
      // The boot loader runs no Java code; and its classes are initialised where the VM wants it.
      if (jvmti_->GetClassLoader(caller, &loader) == JVMTI_ERROR_NONE && (loader != nullptr || site.initialises)) {
        resolve_class(jni, site.class_name.c_str(), site.initialises, loader, caller);
      }
      return;
    }
    jni->DeleteLocalRef(caller);
  }
}

core::ContextTree* JavaBridge::tree_of(JNIEnv* jni, jthread thread) const {
  return tree_at(jni->GetLongField(thread, tree_field_));
}

std::uint64_t JavaBridge::log_of(JNIEnv* jni, jthread thread) const {
  return static_cast<std::uint64_t>(jni->GetLongField(thread, log_field_));
}

void JavaBridge::detach_tree(JNIEnv* jni, jthread thread) const {
  const core::CommonNodes& common = core::CommonNodes::instance();
  jni->SetLongField(thread, slot_field_, static_cast<jlong>(common.mute - common.asleep));
  jni->SetLongField(thread, tree_field_, 0);
  jni->SetLongField(thread, log_field_, 0);
  jni->SetIntField(thread, countdown_field_, std::numeric_limits<jint>::max());
  jni->SetIntField(thread, left_field_, 0);
  jni->SetLongField(thread, into_field_, 0);
}

std::string JavaBridge::name_of(JNIEnv* jni, jthread thread) const {
  return name_of_thread(jvmti_, jni, thread);
}

bool JavaBridge::is_virtual(JNIEnv* jni, jthread thread) const {
  return virtual_thread_ != nullptr && jni->IsInstanceOf(thread, virtual_thread_) != JNI_FALSE;
}

std::string JavaBridge::internal_name(jclass cls) const {
  char* signature = nullptr;
  if (jvmti_->GetClassSignature(cls, &signature, nullptr) != JVMTI_ERROR_NONE) return "";
  std::string name = signature;  // Lname;
  if (name.size() > 2 && name.front() == 'L') name = name.substr(1, name.size() - 2);
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(signature));
  return name;
}

LinkTarget JavaBridge::link_target(JNIEnv* jni, jobject member) const {
  LinkTarget target;
  const auto cls = static_cast<jclass>(jni->GetObjectField(member, member_class_));
  const auto name = static_cast<jstring>(jni->GetObjectField(member, member_name_));
  if (cls != nullptr) target.class_name = internal_name(cls);
  if (name != nullptr) {
    if (const char* text = jni->GetStringUTFChars(name, nullptr); text != nullptr) {
      target.name = text;
      jni->ReleaseStringUTFChars(name, text);
    }
  }
  return target;
}

}  // namespace bursar::agent
