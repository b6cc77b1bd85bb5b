// chapters/13_long_inputs/models/long_attention.cpp
#include "chapters/13_long_inputs/models/long_attention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>

#include "chapters/13_long_inputs/given/tiles.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/lane_sums.hpp"

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

LongOutput attend_in_tiles(const Head& head, const Visible& visible) {
    const std::vector<Range> blocks = pieces_of(head.q.rows, block_queries);
    LongOutput result{Matrix(head.q.rows, head.v.width), 0};
    std::exception_ptr trouble;  // of a step that throws: none may leave a parallel loop
    std::mutex mutex;
    (void)tiles_computed();
    kernels::parallel_products(blocks.size(), block_queries * head.k.rows * head.q.width, [&](std::size_t i) {
        try {
            // Under a causal mask the last block takes longest, so it comes first.
            const Range block = blocks[blocks.size() - 1 - i];
            const Matrix output = attention_in_tiles(head, block, visible).output;
            std::copy_n(output.numbers.begin(), std::min(output.numbers.size(), block.size() * head.v.width),
                        result.output.row(block.begin).begin());
        } catch (...) {
            const std::lock_guard lock(mutex);
            trouble = std::current_exception();
        }
    });
    if (trouble) std::rethrow_exception(trouble);
    result.tiles = tiles_computed();
    return result;
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
