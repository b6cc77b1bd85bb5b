// chapters/00_tensors/program/refusal.hpp · an operation that is refused, and the sentence that says why
#pragma once

#include <functional>

#include "common/show/trace.hpp"

namespace tfs {

// Prints the error of what `call` refuses to do.
void show_refusal(Trace& trace, const std::function<void()>& call);

}  // namespace tfs
