// chapters/10_training/given/optimizer.cpp · the empty state of AdamW, given
#include "chapters/10_training/given/training_checks.hpp"

namespace tfs {

AdamW::AdamW(Parameters all, const AdamWOptions& chosen) : parameters(std::move(all)), options(chosen) {
    require_options(options);
    for (NamedTensor& parameter : parameters) {
        parameter.tensor.set_requires_grad(true);
        m.push_back(Tensor::zeros(parameter.tensor.shape()).array());
        v.push_back(m.back());
    }
}

}  // namespace tfs
