// The profiles behind Figures 1 and 2 of paper 004. The figures are lost; the totals its text gives are kept, the
// remaining numbers are ours.
#pragma once

#include "hand_profile.h"

namespace bursar::analysis {

// Figure 1: four samples, A B C twice, B C D, B C. So B calls C four times in total, ABC runs twice, BCD once, ACD
// never.
inline profile::Profile figure_1() {
  return HandProfile().calls("A(B(C))A(B(C))B(C(D))B(C)").frozen();
}

// Figure 2a: BCD runs 8 times in total, under the roots A, E and B.
inline profile::Profile figure_2a() {
  return HandProfile()
      .context("A", 4)
      .context("A;B", 4)
      .context("A;B;C", 4)
      .context("A;B;C;D", 3)
      .context("A;B;C;F", 1)
      .context("E", 4)
      .context("E;B", 4)
      .context("E;B;C", 4)
      .context("E;B;C;D", 3)
      .context("E;B;C;F", 1)
      .context("B", 3)
      .context("B;C", 3)
      .context("B;C;D", 2)
      .context("B;C;F", 1)
      .frozen();
}

// Figure 2b: BCD still runs 8 times, but never from E, where EBCF is the hot path. Every call has the same total as in
// figure 2a: A→B 4, E→B 4, B→C 11, C→D 8, C→F 3.
inline profile::Profile figure_2b() {
  return HandProfile()
      .context("A", 4)
      .context("A;B", 4)
      .context("A;B;C", 6)
      .context("A;B;C;D", 6)
      .context("E", 4)
      .context("E;B", 4)
      .context("E;B;C", 3)
      .context("E;B;C;F", 3)
      .context("B", 3)
      .context("B;C", 2)
      .context("B;C;D", 2)
      .frozen();
}

}  // namespace bursar::analysis
