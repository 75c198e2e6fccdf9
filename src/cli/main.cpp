#include "cli/command.h"

int main(int argc, char** argv) {
  return bursar::cli::run(argc, argv);
}
