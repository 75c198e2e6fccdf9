// Workloads: the programs of a folder such as bench/workloads. Its script `run` is the authority on how they start;
// workloads.txt says which there are, checksums.txt what they must compute.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace bursar::evaluation {

struct Workload {
  std::string name;
  bool real = true;      // a program of its own, not one made to show an effect
  std::string checksum;  // for the JDK that checksums.txt is for; empty if none is known
};

class Workloads {
 public:
  static base::Result<Workloads> open(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const std::vector<Workload>& all() const { return all_; }
  const Workload* find(const std::string& name) const;
  std::vector<std::string> names() const;
  std::vector<std::string> real() const;
  // Five that differ much, for a first look.
  std::vector<std::string> quick() const;
  // Major version of the JDK that checksums are for.
  const std::string& checksums_jdk() const { return checksums_jdk_; }

  std::string run_script() const { return folder_ + "/run"; }
  // How slowdowns are measured: beside the folder.
  std::string slowdown_command() const;
  // What a change of invalidates results: the script, the class paths and the harness.
  std::vector<std::string> files() const;

 private:
  std::string folder_;
  std::vector<Workload> all_;
  std::string checksums_jdk_;
};

// The folder in the source tree that the command was built in, or in the current folder; empty if there is none.
std::string find_workloads(const std::string& command_folder);

}  // namespace bursar::evaluation
