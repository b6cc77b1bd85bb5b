// common/nn/no_weights.cpp · a guard: nobody will read the weights of attention
#include "common/nn/no_weights.hpp"

namespace tfs {

namespace {

thread_local bool kept = true;

}  // namespace

NoWeights::NoWeights() : ScopedFlag(kept, false) {}

bool weights_are_kept() { return kept; }

Tensor weights_not_kept() {
    return Tensor::not_kept(
        "the weights of this attention were not kept: a NoWeights guard was alive when it ran; end the "
        "guard's scope "
        "before, or read the output alone");
}

}  // namespace tfs
