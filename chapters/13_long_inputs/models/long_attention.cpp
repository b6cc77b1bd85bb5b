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
#include "common/tensor/score_rows.hpp"
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
        if (result.output.rows != blocks[block].size() || result.output.width != head.v.width ||
            result.log_sums.size() != blocks[block].size())
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

Head head_of(const Tensor& q, const Tensor& k, const Tensor& v, std::size_t i) {
    return {matrix_of(q, i), matrix_of(k, i), matrix_of(v, i)};
}

// What the gradients of a head need beside q, k, v and the output.
struct TapedHead {
    Visible visible;
    std::vector<float> log_sums;
};

HeadGradients gradients_of(const Head& head, const TapedHead& taped, const float* output,
                           const float* d_output) {
    HeadGradients gradients{Matrix(head.q.rows, head.q.width), Matrix(head.k.rows, head.k.width),
                            Matrix(head.v.rows, head.v.width)};
    for (const Range queries : pieces_of(head.q.rows, block_queries)) {
        Matrix d_block(queries.size(), head.v.width);
        BlockOutput block{d_block,
                          {&taped.log_sums[queries.begin], &taped.log_sums[queries.begin] + queries.size()}};
        const std::size_t first = queries.begin * head.v.width;
        std::copy_n(output + first, block.output.numbers.size(), block.output.numbers.begin());
        std::copy_n(d_output + first, d_block.numbers.size(), d_block.numbers.begin());
        attention_gradient(head, queries, taped.visible, block, d_block, gradients);
    }
    return gradients;
}

}  // namespace

Tensor attend_on_tape(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Mask>& mask) {
    Shape shape = q.shape(), scores = q.shape();
    shape.back() = v.size(-1);
    scores.back() = k.size(-2);
    if (mask) (void)MaskRows(*mask, scores);  // it refuses one that does not broadcast
    if (mask && mask->kind() == MaskKind::scattered)
        throw ValueError("attention in tiles: the mask leaves a query more than one run of keys");
    Array output = Array::from_shape(shape);
    const std::size_t queries = q.size(-2), size = queries * v.size(-1);
    const std::vector<Range> blocks = pieces_of(queries, block_queries);
    std::vector<TapedHead> heads(q.size(0) * q.size(1),
                                 {sees_all(queries, k.size(-2)), std::vector<float>(queries)});
    for (std::size_t i = 0; i < heads.size(); ++i) {
        auto& [visible, log_sums] = heads[i];
        for (std::size_t row = 0; mask && row < queries; ++row) {
            const auto [begin, end] = mask->span(i / q.size(1), i % q.size(1), row);
            visible[row] = {begin, std::min(end, k.size(-2))};  // a mask may hold for keys of any number
        }
        attend_blocks(head_of(q, k, v, i), visible, blocks, [&](std::size_t b, const BlockOutput& block) {
            std::copy(block.output.numbers.begin(), block.output.numbers.end(),
                      output.data() + i * size + blocks[b].begin * v.size(-1));
            std::copy(block.log_sums.begin(), block.log_sums.end(), &heads[i].log_sums[blocks[b].begin]);
        });
    }
    return record(std::move(output), {q, k, v},
                  [q, k, v, heads = std::move(heads), size](const Array& result, const Array& grad) {
                      Array dq = Array::from_shape(q.shape()), dk = Array::from_shape(k.shape()),
                            dv = Array::from_shape(v.shape());
                      on_all_cores(heads.size(), size * k.size(-2), [&](std::size_t i) {
                          const HeadGradients of_head =
                              gradients_of(head_of(q, k, v, i), heads[i], result.data() + i * size,
                                           grad.data() + i * size);
                          for (const auto& [from, to] :
                               {std::pair(&of_head.dq, &dq), {&of_head.dk, &dk}, {&of_head.dv, &dv}})
                              std::copy(from->numbers.begin(), from->numbers.end(),
                                        to->data() + i * from->numbers.size());
                      });
                      add_to_grad(q, std::move(dq));
                      add_to_grad(k, std::move(dk));
                      add_to_grad(v, std::move(dv));
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
