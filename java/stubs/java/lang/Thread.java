package java.lang;

/** Stands in for the Thread that the agent has added fields to, so that javac can compile against it. */
public class Thread {
  long bursarSlot;
  int bursarCountdown;
  int bursarLeft;
  long bursarInto;
  long bursarTree;
  Object bursarMember;
  long bursarLog;
  long bursarPaths;

  public static native Thread currentThread();
}
