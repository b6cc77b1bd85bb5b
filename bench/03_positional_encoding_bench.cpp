// bench/03_positional_encoding_bench.cpp · rotary positions: fast and readable, in both layouts, beside a copy of the same bytes
#include "bench/copy.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/measure.hpp"

namespace tfs {

// The readable solution, compiled once more under this name (bench/CMakeLists.txt).
Tensor readable_apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout,
                             std::size_t offset);

}  // namespace tfs

namespace tfs::bench {

namespace {

using Rotate = Tensor (*)(const Tensor&, const RotaryEmbedding&, RotaryLayout, std::size_t);

// Forward and gradient: a sum stands for the loss.
void forward_and_back(Rotate rotate, Tensor x, const RotaryEmbedding& rotary, RotaryLayout layout) {
    x.clear_grad();
    sum(rotate(x, rotary, layout, 0)).backward();
    keep(x.grad().data());
}

}  // namespace

void add_positional_lines(Table& table) {
    Rng rng(3);
    const Tensor x(rng.normal_array({4, 8, 256, 64})), leaf(x.array(), true);
    const RotaryEmbedding rotary(64, 256);
    const double bytes = bytes_read_and_written(x);
    const std::string copy = add_copy_line(table, x);
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const Tensor fast = apply_rotary(x, rotary, layout, 0),
                     readable = readable_apply_rotary(x, rotary, layout, 0);
        if (!(largest_difference(fast.array(), readable.array()) < 1e-5))
            throw ValueError("apply_rotary: the fast one and the readable one give different results");
        const std::string name =
            layout == RotaryLayout::interleaved ? "rotary interleaved" : "rotary half split";
        table.add({name + ", readable", bytes, Work::bytes},
                  [=] { keep(readable_apply_rotary(x, rotary, layout, 0).values().data()); });
        table.add({name + ", fast", bytes, Work::bytes, name + ", readable", 0.0, {{copy}}},
                  [=] { keep(apply_rotary(x, rotary, layout, 0).values().data()); });
        table.add({name + " with gradient, readable", 2.0 * bytes, Work::bytes},
                  [=] { forward_and_back(readable_apply_rotary, leaf, rotary, layout); });
        table.add(
            {name + " with gradient, fast", 2.0 * bytes, Work::bytes, name + " with gradient, readable"},
            [=] { forward_and_back(apply_rotary, leaf, rotary, layout); });
    }
}

}  // namespace tfs::bench
