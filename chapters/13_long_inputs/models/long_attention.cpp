// chapters/13_long_inputs/models/long_attention.cpp
#include "chapters/13_long_inputs/models/long_attention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <utility>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/lane_sums.hpp"
#include "common/tensor/tape.hpp"

namespace tfs {

Visible sees_all(std::size_t queries, std::size_t keys) { return Visible(queries, {0, keys}); }

Visible sees_earlier(std::size_t size) { return sees_window(size, size); }

Visible sees_window(std::size_t size, std::size_t window) {
    Visible visible(size);
    for (std::size_t i = 0; i < size; ++i) visible[i] = {i + 1 - std::min(window, i + 1), i + 1};
    return visible;
}

Visible sees_prefix(std::size_t size, std::size_t prefix) {
    Visible visible(size);
    for (std::size_t i = 0; i < size; ++i) visible[i] = {0, std::max(std::min(prefix, size), i + 1)};
    return visible;
}

Visible sees_documents(const std::vector<std::size_t>& lengths) {
    Visible visible;
    for (const std::size_t length : lengths) {
        const std::size_t begin = visible.size();
        for (std::size_t i = 0; i < length; ++i) visible.push_back({begin, begin + i + 1});
    }
    return visible;
}

Head drawn_head(std::size_t size, std::size_t width, std::uint64_t seed) {
    Rng rng(seed);
    Head head{Matrix(size, width), Matrix(size, width), Matrix(size, width)};
    for (Matrix* const one : {&head.q, &head.k, &head.v}) {
        const Array drawn = rng.normal_array({size, width});
        std::copy(drawn.begin(), drawn.end(), one->numbers.begin());
    }
    return head;
}

namespace {

// body(i) for i in 0 … count - 1. A step may throw, but nothing may leave a parallel loop: the last error is thrown at the end.
void on_all_cores(std::size_t count, std::size_t work, const std::function<void(std::size_t)>& body) {
    std::exception_ptr trouble;
    std::mutex mutex;
    kernels::parallel_products(count, work, [&](std::size_t i) {
        try {
            body(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            trouble = std::current_exception();
        }
    });
    if (trouble) std::rethrow_exception(trouble);
}

// Calls take(i, what block i gives), in any order.
void attend_blocks(const Head& head, const Visible& visible, const std::vector<Range>& blocks,
                   const std::function<void(std::size_t, BlockOutput)>& take) {
    on_all_cores(blocks.size(), block_queries * head.k.rows * head.q.width, [&](std::size_t i) {
        // Under a causal mask the last block takes longest, so it comes first.
        const std::size_t block = blocks.size() - 1 - i;
        BlockOutput result = attention_in_tiles(head, blocks[block], visible);
        if (result.output.rows != blocks[block].size() || result.output.width != head.v.width)
            throw ShapeError(
                fmt::format("attention_in_tiles: of {} queries and values of width {} the output is ({}, {})",
                            blocks[block].size(), head.v.width, result.output.rows, result.output.width));
        take(block, std::move(result));
    });
}

}  // namespace

LongOutput attend_in_tiles(const Head& head, const Visible& visible) {
    const std::vector<Range> blocks = pieces_of(head.q.rows, block_queries);
    LongOutput result{Matrix(head.q.rows, head.v.width), 0};
    (void)tiles_computed();
    attend_blocks(head, visible, blocks, [&](std::size_t i, const BlockOutput& block) {
        std::copy(block.output.numbers.begin(), block.output.numbers.end(),
                  result.output.row(blocks[i].begin).begin());
    });
    result.tiles = tiles_computed();
    return result;
}

namespace {

// Of (batch, heads, rows, width).
Matrix matrix_of(const Tensor& x, std::size_t head) {
    Matrix matrix(x.size(-2), x.size(-1));
    const std::size_t size = matrix.numbers.size();
    std::copy_n(x.values().begin() + static_cast<std::ptrdiff_t>(head * size), size, matrix.numbers.begin());
    return matrix;
}

struct TapedHead {
    Head head;
    Visible visible;
    std::vector<Range> queries;
    std::vector<BlockOutput> blocks;
};

TapedHead attended(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask,
                   std::size_t i) {
    TapedHead one{
        {matrix_of(q, i), matrix_of(k, i), matrix_of(v, i)}, sees_all(q.size(-2), k.size(-2)), {}, {}};
    for (std::size_t row = 0; mask && row < one.visible.size(); ++row) {
        const auto [begin, end] = mask->span(i / q.size(1), i % q.size(1), row);
        one.visible[row] = {begin, std::min(end, k.size(-2))};  // a mask may hold for keys of any number
    }
    one.queries = pieces_of(q.size(-2), block_queries);
    one.blocks.resize(one.queries.size(), {Matrix(0, 0), {}});
    attend_blocks(one.head, one.visible, one.queries,
                  [&](std::size_t block, BlockOutput result) { one.blocks[block] = std::move(result); });
    return one;
}

HeadGradients gradients_of(const TapedHead& one, const float* d_output) {
    const auto& [head, visible, queries, blocks] = one;
    HeadGradients gradients{Matrix(head.q.rows, head.q.width), Matrix(head.k.rows, head.k.width),
                            Matrix(head.v.rows, head.v.width)};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        Matrix d_block(queries[i].size(), head.v.width);
        std::copy_n(d_output + queries[i].begin * head.v.width, d_block.numbers.size(),
                    d_block.numbers.begin());
        attention_gradient(head, queries[i], visible, blocks[i], d_block, gradients);
    }
    return gradients;
}

}  // namespace

Tensor attend_on_tape(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask) {
    if (mask && mask->kind() == MaskKind::scattered)
        throw ValueError("attention in tiles: the mask leaves a query more than one run of keys");
    Shape shape = q.shape();
    shape.back() = v.size(-1);
    Array output = Array::from_shape(shape);
    const std::size_t all_heads = q.size(0) * q.size(1), size = q.size(-2) * v.size(-1);
    std::vector<TapedHead> heads;
    for (std::size_t i = 0; i < all_heads; ++i) {
        heads.push_back(attended(q, k, v, mask, i));
        float* to = output.data() + i * size;
        for (const BlockOutput& block : heads.back().blocks)
            to = std::copy(block.output.numbers.begin(), block.output.numbers.end(), to);
        if (!is_recorded({q, k, v})) heads.clear();  // of a gradient nothing will be asked
    }
    return record(std::move(output), {q, k, v},
                  [q, k, v, heads = std::move(heads), size](const Array&, const Array& grad) {
                      Array dq = Array::from_shape(q.shape()), dk = Array::from_shape(k.shape()),
                            dv = Array::from_shape(v.shape());
                      on_all_cores(heads.size(), size * k.size(-2), [&](std::size_t i) {
                          const HeadGradients of_head = gradients_of(heads[i], grad.data() + i * size);
                          for (const auto& [from, to] :
                               {std::pair(&of_head.dq, &dq), {&of_head.dk, &dk}, {&of_head.dv, &dv}})
                              std::copy(from->numbers.begin(), from->numbers.end(),
                                        to->data() + i * from->numbers.size());
                      });
                      if (q.requires_grad()) add_to_grad(q, std::move(dq));
                      if (k.requires_grad()) add_to_grad(k, std::move(dk));
                      if (v.requires_grad()) add_to_grad(v, std::move(dv));
                  });
}

namespace {

float score_of(const Head& head, std::size_t query, std::size_t key) {
    const float *const q = head.q.row(query).data(), *const k = head.k.row(key).data();
    return kernels::lane_sum(head.q.width, [=](std::size_t c) { return q[c] * k[c]; }) /
           std::sqrt(static_cast<float>(head.q.width));
}

void put(const Partial& partial, std::span<float> row) {
    const std::vector<float> mean = result_of(partial);
    std::copy_n(mean.begin(), std::min(mean.size(), row.size()), row.begin());
}

}  // namespace

Matrix attend_key_by_key(const Head& head, const Visible& visible) {
    Matrix output(head.q.rows, head.v.width);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        Partial partial(head.v.width);
        for (std::size_t j = visible[i].begin; j < visible[i].end; ++j)
            add_key(partial, score_of(head, i, j), head.v.row(j));
        put(partial, output.row(i));
    }
    return output;
}

double Ring::waiting() const {
    std::size_t longest = 0, all = 0;
    for (const std::vector<std::size_t>& round : pairs) {
        longest += *std::max_element(round.begin(), round.end());
        for (const std::size_t machine : round) all += machine;
    }
    return static_cast<double>(longest * pairs.size()) / static_cast<double>(all);
}

Ring ring_attention(const Head& head, std::size_t machines, const MachineOf& where) {
    const std::size_t length = head.q.rows;
    std::vector<std::vector<std::size_t>> kept(machines);  // the positions of each machine
    for (std::size_t t = 0; t < length; ++t) {
        const std::size_t machine = where(t, length, machines);
        if (machine >= machines)
            throw ValueError(
                fmt::format("machine_of: position {} of {} is on machine {}, but there are {}: 0 to {}", t,
                            length, machine, machines, machines - 1));
        kept[machine].push_back(t);
    }
    Ring ring{Matrix(length, head.v.width), {}};
    const auto [fewest, most] = std::minmax_element(
        kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    ring.fewest_positions = fewest->size();
    ring.most_positions = most->size();
    std::vector<Partial> known(length, Partial(head.v.width));  // by each query, on its machine
    for (std::size_t round = 0; round < machines; ++round) {
        std::vector<std::size_t> pairs(machines);
        for (std::size_t m = 0; m < machines; ++m)
            for (const std::size_t query : kept[m]) {
                Partial visit(head.v.width);
                for (const std::size_t key : kept[(m + machines - round) % machines]) {
                    if (key > query) continue;
                    add_key(visit, score_of(head, query, key), head.v.row(key));
                    ++pairs[m];
                }
                known[query] = merged(known[query], visit);
            }
        ring.pairs.push_back(std::move(pairs));
    }
    for (std::size_t t = 0; t < length; ++t) put(known[t], ring.output.row(t));
    return ring;
}

}  // namespace tfs
