// How much memory the test program has asked for since it started, so that a read that asks for too much is noticed.
#pragma once

#include <cstddef>

std::size_t allocated_bytes();
