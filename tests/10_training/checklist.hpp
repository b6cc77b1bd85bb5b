// tests/10_training/checklist.hpp · what the checks of several steps of chapter 10 share
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

// The golden values of tests/golden/area_optimizer.py: those of torch.optim.AdamW, clip_grad_norm_ and the schedules.
inline const Golden& optimizer_golden() {
    static const Golden file("10_optimizer.safetensors");
    return file;
}

// Forgets the gradient of a parameter, and gives it this one if there is one.
inline void set_gradient(Tensor& parameter, const std::optional<Array>& gradient) {
    parameter.clear_grad();
    if (gradient) add_to_grad(parameter, *gradient);
}

// One behind the other, as one long vector.
inline Tensor joined(const std::vector<Tensor>& all) {
    std::vector<Tensor> flat;
    for (const Tensor& one : all) flat.push_back(reshape(one, {one.size()}));
    return concat(flat, 0);
}

inline Tensor values_of(const Parameters& parameters) {
    std::vector<Tensor> all;
    for (const NamedTensor& p : parameters) all.emplace_back(p.tensor.array());
    return joined(all);
}

// Row t of a golden tensor: what belongs to step t + 1.
inline Tensor golden_row(const std::string& name, std::size_t t) {
    const Tensor row = slice(optimizer_golden()[name], 0, t, t + 1);
    const Shape shape = row.shape();
    return reshape(row, Shape(shape.begin() + 1, shape.end()));
}

}  // namespace tfs::test
