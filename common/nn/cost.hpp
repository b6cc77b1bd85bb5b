// common/nn/cost.hpp · what one part of a model costs: a line of a model's summary
#pragma once

#include <string>
#include <vector>

#include "common/base/array.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

// Counted from the sizes alone: no weight is allocated to know its number.
struct PartCost {
    std::string part;                    // "blocks.attention.weights"
    Shape output = {};                   // the shape of what it computes …
    std::vector<std::string> axes = {};  // … and the names of its axes
    std::size_t parameters = 0;
    std::size_t flops = 0;     // of one forward pass: the products, an addition and a multiplication are two
    std::size_t bytes = 0;     // of the results that the backward pass needs, as float32
    std::size_t repeated = 1;  // how often the model has this part; the numbers above are those of one
    std::string note = {};     // "tied: the table of the tokens"
};

// A part with a result of this shape, of which `kept` tensors are needed for the backward pass.
// ShapeError if the bytes are too many to be counted.
inline PartCost part_with_result(std::string part, Shape output, std::vector<std::string> axes,
                                 std::size_t kept = 1) {
    require_addressable(output, sizeof(float) * kept);
    const std::size_t bytes = sizeof(float) * kept * element_count(output);
    return {.part = std::move(part), .output = std::move(output), .axes = std::move(axes), .bytes = bytes};
}

// The sums over all parts, each counted as often as it is repeated. ValueError if they are too large to be counted.
struct TotalCost {
    std::size_t parameters = 0, flops = 0, bytes = 0;
};
inline TotalCost total(const std::vector<PartCost>& parts) {
    TotalCost sum;
    for (const PartCost& part : parts) {
        const auto add = [&](std::size_t& so_far, std::size_t more) {
            so_far = checked_sum({so_far, checked_product({part.repeated, more})});
        };
        add(sum.parameters, part.parameters);
        add(sum.flops, part.flops);
        add(sum.bytes, part.bytes);
    }
    return sum;
}

// Adds the parts of one piece of a model behind those of another.
inline void append(std::vector<PartCost>& all, const std::vector<PartCost>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace tfs
