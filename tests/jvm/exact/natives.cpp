// The native methods of programs/Natives.java and LateNatives.java.
#include <jni.h>

#define NATIVE(type, name) extern "C" JNIEXPORT type JNICALL Java_Natives_##name

NATIVE(jint, nothing)(JNIEnv*, jclass, jint n) {
  return n;
}

NATIVE(jint, callsBack)(JNIEnv* env, jclass self, jint n) {
  const jmethodID back = env->GetStaticMethodID(self, "back", "(I)I");
  jint total = 0;
  for (jint i = 0; i < n; ++i) total += env->CallStaticIntMethod(self, back, i);
  return total;
}

NATIVE(jint, clearsBack)(JNIEnv* env, jclass self, jint n) {
  const jmethodID back = env->GetStaticMethodID(self, "backFails", "(I)I");
  jint cleared = 0;
  for (jint i = 0; i < n; ++i) {
    env->CallStaticIntMethod(self, back, i);
    if (env->ExceptionCheck()) {
      env->ExceptionClear();
      ++cleared;
    }
  }
  return cleared;
}

NATIVE(jint, passesBack)(JNIEnv* env, jclass self, jint n) {
  const jmethodID back = env->GetStaticMethodID(self, "backFails", "(I)I");
  return env->CallStaticIntMethod(self, back, n);
}

NATIVE(jint, fails)(JNIEnv* env, jclass, jstring why) {
  const char* text = env->GetStringUTFChars(why, nullptr);
  env->ThrowNew(env->FindClass("java/lang/IllegalStateException"), text);
  env->ReleaseStringUTFChars(why, text);
  return 0;
}

NATIVE(jint, nested)(JNIEnv* env, jclass self, jint n) {
  if (n == 0) return 0;
  const jmethodID back = env->GetStaticMethodID(self, "nestedBack", "(I)I");
  return env->CallStaticIntMethod(self, back, n - 1);
}

NATIVE(jobject, makes)(JNIEnv* env, jclass self, jint n) {
  const jmethodID constructor = env->GetMethodID(self, "<init>", "(I)V");
  jobject last = nullptr;
  for (jint i = 0; i < n; ++i) {
    if (last != nullptr) env->DeleteLocalRef(last);
    last = env->NewObject(self, constructor, i);
  }
  return last;
}

NATIVE(void, initialises)(JNIEnv* env, jclass, jstring name) {
  const char* text = env->GetStringUTFChars(name, nullptr);
  const jclass found = env->FindClass(text);
  env->ReleaseStringUTFChars(name, text);
  if (found == nullptr) return;
  const jmethodID touch = env->GetStaticMethodID(found, "touch", "()V");
  env->CallStaticVoidMethod(found, touch);
}

namespace {
jint call_back(JNIEnv* env, jobject self, jint n) {
  const jclass type = env->GetObjectClass(self);
  return env->CallIntMethod(self, env->GetMethodID(type, "backVirtual", "(I)I"), n);
}
}  // namespace

NATIVE(jint, virtual)(JNIEnv* env, jobject self, jint n) {
  return call_back(env, self, n);
}
NATIVE(jint, locked)(JNIEnv* env, jobject self, jint n) {
  return call_back(env, self, n);
}
NATIVE(jint, notVirtual)(JNIEnv*, jobject, jint n) {
  return n;
}

extern "C" JNIEXPORT jint JNICALL Java_Natives_00024Doubled_virtual(JNIEnv*, jobject, jint n) {
  return 2 * n;
}

extern "C" JNIEXPORT jint JNICALL Java_Natives_00024Tripled_virtual(JNIEnv*, jobject, jint n) {
  return 3 * n;
}

extern "C" JNIEXPORT jint JNICALL Java_Natives_00024LateWeighed_weigh(JNIEnv*, jobject, jint n) {
  return 3 * n;
}

extern "C" JNIEXPORT jint JNICALL Java_Natives_00024ByInterface_virtual(JNIEnv*, jobject, jint n) {
  return 5 * n;
}

#define LATE(type, name) extern "C" JNIEXPORT type JNICALL Java_LateNatives_00024##name

LATE(jint, InC_next)(JNIEnv*, jobject, jint n) {
  return n + 5;
}

LATE(jint, OpenInC_shift)(JNIEnv*, jobject, jint n) {
  return n + 6;
}

LATE(jint, Tools_twice)(JNIEnv*, jclass, jint n) {
  return n + n;
}

LATE(jint, Early_inherited)(JNIEnv*, jclass, jint n) {
  return n + 3;
}

LATE(jint, Inner_hidden)(JNIEnv*, jclass, jint n) {
  return n + 7;
}

LATE(jint, Inner_own)(JNIEnv*, jobject, jint n) {
  return n + 8;
}
