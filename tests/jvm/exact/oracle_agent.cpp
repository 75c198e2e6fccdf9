// A JVMTI agent that builds the calling-context tree the slow way: from the JVM's own MethodEntry and MethodExit
// events.
//
// It is the truth that mode `exact` is held against, so it shares nothing with the profiler: no rewriting, no source
// file. It follows every thread from VMInit to VMDeath with a stack of its own, and writes names as the JVM gives them
// (class signatures, not normalised); truth_tree.py reads that.
//
//   -agentpath:liboracle.so=FILE
//
// FILE has one record a line, fields separated by tabs; \t, \n and \\ are escaped in names:
//   thread  id  platform|virtual  name
//   method  id  java|native  class signature  name  descriptor
//   node    id  parent's id or -  thread id  method id  calls          a parent comes before its children
//   note    what  how often                                            where events did not pair up
// A node whose number of calls is 0 was entered before VMInit.
//
// One lock guards everything. Slow is fine: the JVM interprets all code while these events are on.
#include <jvmti.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using MethodNumber = std::uint32_t;
using NodeNumber = std::uint32_t;
constexpr NodeNumber kNoNode = 0xffffffff;

struct Method {
  std::string signature, name, descriptor;
  bool native = false;
};

struct Node {
  NodeNumber parent;
  MethodNumber method;
  std::uint64_t calls;
};

// The tree of one thread and its stack as the events tell it.
struct ThreadTree {
  std::string name;
  bool is_virtual = false;
  std::vector<Node> nodes;
  std::unordered_map<std::uint64_t, NodeNumber> children;  // by parent and method
  std::vector<NodeNumber> stack;
  bool unwinding = false;  // the last event was an exit by exception

  NodeNumber top() const { return stack.empty() ? kNoNode : stack.back(); }

  void push(MethodNumber method, std::uint64_t calls) {
    const std::uint64_t key = std::uint64_t{top()} << 32 | method;
    const auto [found, is_new] = children.try_emplace(key, static_cast<NodeNumber>(nodes.size()));
    if (is_new) nodes.push_back({top(), method, 0});
    nodes[found->second].calls += calls;
    stack.push_back(found->second);
  }
};

class Oracle {
 public:
  Oracle(JavaVM* vm, jvmtiEnv* jvmti, std::string path) : vm_(vm), jvmti_(jvmti), path_(std::move(path)) {}

  void entered(jthread thread, jmethodID id) {
    const std::lock_guard guard(lock_);
    if (finished_) return;
    ThreadTree* tree = tree_of(thread);
    if (tree == nullptr) return;
    tree->push(number_of(id), 1);
    tree->unwinding = false;
  }

  void left(jthread thread, jmethodID id, bool by_exception) {
    const std::lock_guard guard(lock_);
    if (finished_) return;
    ThreadTree* tree = tree_of(thread);
    if (tree == nullptr) return;
    // A StackOverflowError may strike in a frame that was never announced: its exit is not the exit of the frame below.
    // Counting frames takes as long as there are frames: in a deep stack only where the unwinding begins.
    constexpr std::size_t kDeep = 200;
    const bool look = by_exception && (!tree->unwinding || tree->stack.size() < kDeep);
    tree->unwinding = by_exception;
    if (look && depth() == static_cast<jint>(tree->stack.size()) + 1) {
      ++notes_["left by exception, never entered"];
      return;
    }
    const MethodNumber method = number_of(id);
    std::size_t at = tree->stack.size();
    while (at > 0 && tree->nodes[tree->stack[at - 1]].method != method) --at;
    if (at == 0) {
      ++notes_["left, never entered: " + text_of(method)];
      return;
    }
    if (at != tree->stack.size()) ++notes_["left late: " + text_of(tree->nodes[tree->top()].method)];
    tree->stack.resize(at - 1);
  }

  void ended(jthread thread) {
    const std::lock_guard guard(lock_);
    if (finished_) return;
    void* stored = nullptr;
    if (jvmti_->GetThreadLocalStorage(nullptr, &stored) != JVMTI_ERROR_NONE || stored == nullptr) return;
    static_cast<ThreadTree*>(stored)->name = name_of(thread);
    jvmti_->SetThreadLocalStorage(nullptr, nullptr);
  }

  void write() {
    const std::lock_guard guard(lock_);
    if (finished_) return;
    finished_ = true;
    name_living_threads();
    std::FILE* out = std::fopen(path_.c_str(), "we");
    if (out == nullptr) {
      std::fprintf(stderr, "oracle: cannot write %s\n", path_.c_str());
      return;
    }
    for (std::size_t i = 0; i < methods_.size(); ++i) {
      const Method& method = methods_[i];
      std::fprintf(out, "method\t%zu\t%s\t%s\t%s\t%s\n", i, method.native ? "native" : "java",
                   escaped(method.signature).c_str(), escaped(method.name).c_str(), method.descriptor.c_str());
    }
    std::size_t first = 0;
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      const ThreadTree& tree = *trees_[i];
      std::fprintf(out, "thread\t%zu\t%s\t%s\n", i, tree.is_virtual ? "virtual" : "platform",
                   escaped(tree.name).c_str());
      for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        const Node& node = tree.nodes[n];
        const std::string parent = node.parent == kNoNode ? "-" : std::to_string(first + node.parent);
        std::fprintf(out, "node\t%zu\t%s\t%zu\t%u\t%llu\n", first + n, parent.c_str(), i, node.method,
                     static_cast<unsigned long long>(node.calls));
      }
      first += tree.nodes.size();
    }
    for (const auto& [what, times] : notes_) {
      std::fprintf(out, "note\t%s\t%llu\n", escaped(what).c_str(), static_cast<unsigned long long>(times));
    }
    if (std::fclose(out) != 0) std::fprintf(stderr, "oracle: cannot write %s\n", path_.c_str());
  }

  static Oracle* of(jvmtiEnv* jvmti) {
    void* stored = nullptr;
    return jvmti->GetEnvironmentLocalStorage(&stored) == JVMTI_ERROR_NONE ? static_cast<Oracle*>(stored) : nullptr;
  }

 private:
  ThreadTree* tree_of(jthread thread) {
    void* stored = nullptr;
    if (jvmti_->GetThreadLocalStorage(nullptr, &stored) != JVMTI_ERROR_NONE) return nullptr;
    if (stored != nullptr) return static_cast<ThreadTree*>(stored);
    auto tree = std::make_unique<ThreadTree>();
    tree->name = name_of(thread);
    tree->is_virtual = is_virtual(thread);
    add_frames_before(*tree);
    if (jvmti_->SetThreadLocalStorage(nullptr, tree.get()) != JVMTI_ERROR_NONE) return nullptr;
    trees_.push_back(std::move(tree));
    return trees_.back().get();
  }

  // The thread's first event: whatever is below the frame it is about was entered before.
  void add_frames_before(ThreadTree& tree) {
    const jint frames = depth();
    if (frames <= 1) return;
    std::vector<jvmtiFrameInfo> stack(static_cast<std::size_t>(frames));
    jint got = 0;
    if (jvmti_->GetStackTrace(nullptr, 1, frames - 1, stack.data(), &got) != JVMTI_ERROR_NONE) return;
    for (jint i = got - 1; i >= 0; --i) tree.push(number_of(stack[static_cast<std::size_t>(i)].method), 0);
  }

  jint depth() {
    jint frames = 0;
    return jvmti_->GetFrameCount(nullptr, &frames) == JVMTI_ERROR_NONE ? frames : -1;
  }

  // Names are asked for at the first sight of a method: its class may be unloaded later.
  MethodNumber number_of(jmethodID id) {
    const auto [found, is_new] = numbers_.try_emplace(id, static_cast<MethodNumber>(methods_.size()));
    if (!is_new) return found->second;
    Method method;
    char *name = nullptr, *descriptor = nullptr, *signature = nullptr;
    if (jvmti_->GetMethodName(id, &name, &descriptor, nullptr) == JVMTI_ERROR_NONE) {
      method.name = taken(name);
      method.descriptor = taken(descriptor);
    }
    jclass holder = nullptr;
    if (jvmti_->GetMethodDeclaringClass(id, &holder) == JVMTI_ERROR_NONE) {
      if (jvmti_->GetClassSignature(holder, &signature, nullptr) == JVMTI_ERROR_NONE)
        method.signature = taken(signature);
      if (JNIEnv* env = jni()) env->DeleteLocalRef(holder);
    }
    jboolean native = JNI_FALSE;
    if (jvmti_->IsMethodNative(id, &native) == JVMTI_ERROR_NONE) method.native = native == JNI_TRUE;
    methods_.push_back(std::move(method));
    return found->second;
  }

  std::string name_of(jthread thread) {
    jvmtiThreadInfo info{};
    if (jvmti_->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return "";
    if (JNIEnv* env = jni()) {
      env->DeleteLocalRef(info.thread_group);
      env->DeleteLocalRef(info.context_class_loader);
    }
    return info.name == nullptr ? "" : taken(info.name);
  }

  // By name: looking the class up would run Java code that the program did not ask for.
  bool is_virtual(jthread thread) {
    JNIEnv* env = jni();
    if (env == nullptr) return false;
    const jclass type = env->GetObjectClass(thread);
    char* signature = nullptr;
    const bool known = jvmti_->GetClassSignature(type, &signature, nullptr) == JVMTI_ERROR_NONE;
    env->DeleteLocalRef(type);
    return known && taken(signature).ends_with("VirtualThread;");
  }

  // A thread may have been renamed since its first event, and an attaching one has its first before it has a name.
  void name_living_threads() {
    jint count = 0;
    jthread* threads = nullptr;
    if (jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
    for (jint i = 0; i < count; ++i) rename(threads[i]);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
    rename(nullptr);
  }

  void rename(jthread thread) {
    void* stored = nullptr;
    if (jvmti_->GetThreadLocalStorage(thread, &stored) != JVMTI_ERROR_NONE || stored == nullptr) return;
    if (std::string name = name_of(thread); !name.empty()) static_cast<ThreadTree*>(stored)->name = std::move(name);
  }

  std::string taken(char* text) {
    std::string copy = text;
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(text));
    return copy;
  }

  std::string text_of(MethodNumber number) const {
    const Method& method = methods_[number];
    return method.signature + method.name + method.descriptor;
  }

  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '\t') {
        out += "\\t";
      } else if (c == '\n') {
        out += "\\n";
      } else if (c == '\\') {
        out += "\\\\";
      } else {
        out += c;
      }
    }
    return out;
  }

  JNIEnv* jni() {
    void* env = nullptr;
    return vm_->GetEnv(&env, JNI_VERSION_1_8) == JNI_OK ? static_cast<JNIEnv*>(env) : nullptr;
  }

  JavaVM* vm_;
  jvmtiEnv* jvmti_;
  std::string path_;
  std::mutex lock_;
  bool finished_ = false;
  std::unordered_map<jmethodID, MethodNumber> numbers_;
  std::vector<Method> methods_;
  std::vector<std::unique_ptr<ThreadTree>> trees_;
  std::map<std::string, std::uint64_t> notes_;
};

void JNICALL on_entry(jvmtiEnv* jvmti, JNIEnv*, jthread thread, jmethodID method) {
  if (Oracle* oracle = Oracle::of(jvmti)) oracle->entered(thread, method);
}

void JNICALL on_exit(jvmtiEnv* jvmti, JNIEnv*, jthread thread, jmethodID method, jboolean by_exception, jvalue) {
  if (Oracle* oracle = Oracle::of(jvmti)) oracle->left(thread, method, by_exception == JNI_TRUE);
}

void JNICALL on_thread_end(jvmtiEnv* jvmti, JNIEnv*, jthread thread) {
  if (Oracle* oracle = Oracle::of(jvmti)) oracle->ended(thread);
}

void JNICALL on_vm_init(jvmtiEnv* jvmti, JNIEnv*, jthread) {
  for (const jvmtiEvent event : {JVMTI_EVENT_THREAD_END, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_METHOD_ENTRY}) {
    if (jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      std::fprintf(stderr, "oracle: no event %d\n", static_cast<int>(event));
    }
  }
}

void JNICALL on_vm_death(jvmtiEnv* jvmti, JNIEnv*) {
  if (Oracle* oracle = Oracle::of(jvmti)) oracle->write();
}

// JDK 21's jvmti.h has it as a field, JDK 17's does not: the bit behind can_generate_sampled_object_alloc_events.
void ask_for_virtual_threads(jvmtiEnv* jvmti, jvmtiCapabilities& wanted) {
  constexpr std::size_t kByte = 44 / 8;
  constexpr unsigned char kBit = 1U << (44 % 8);
  jvmtiCapabilities potential{};
  if (jvmti->GetPotentialCapabilities(&potential) != JVMTI_ERROR_NONE) return;
  unsigned char bytes[sizeof(jvmtiCapabilities)];
  std::memcpy(bytes, &potential, sizeof bytes);
  if ((bytes[kByte] & kBit) == 0) return;
  std::memcpy(bytes, &wanted, sizeof bytes);
  bytes[kByte] |= kBit;
  std::memcpy(&wanted, bytes, sizeof bytes);
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  if (options == nullptr || *options == '\0') {
    std::fprintf(stderr, "oracle: the option is the file to write\n");
    return JNI_ERR;
  }
  void* environment = nullptr;
  if (vm->GetEnv(&environment, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  auto* jvmti = static_cast<jvmtiEnv*>(environment);
  jvmtiCapabilities wanted{};
  wanted.can_generate_method_entry_events = 1;
  wanted.can_generate_method_exit_events = 1;
  ask_for_virtual_threads(jvmti, wanted);
  if (jvmti->AddCapabilities(&wanted) != JVMTI_ERROR_NONE) return JNI_ERR;
  // Lives as long as the JVM.
  auto* oracle = new Oracle(vm, jvmti, options);
  jvmti->SetEnvironmentLocalStorage(oracle);
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = on_vm_init;
  callbacks.VMDeath = on_vm_death;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.MethodEntry = on_entry;
  callbacks.MethodExit = on_exit;
  jvmti->SetEventCallbacks(&callbacks, static_cast<jint>(sizeof callbacks));
  for (const jvmtiEvent event : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH}) {
    jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr);
  }
  return JNI_OK;
}
