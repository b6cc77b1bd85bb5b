// chapters/10_training/given/batches.cpp · examples, padded batches and random orders, given
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "chapters/10_training/given/checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

Example next_token_example(const std::vector<std::int64_t>& ids) {
    if (ids.size() < 2)
        throw ValueError("next_token_example: a sequence needs two ids, the second to be guessed");
    return {{ids.begin(), ids.end() - 1}, {ids.begin() + 1, ids.end()}};
}

Batch make_batch(const std::vector<Example>& examples, std::int64_t pad_id) {
    require_examples(examples);
    std::size_t longest = 0;
    for (const Example& example : examples) longest = std::max(longest, example.input.size());
    Batch batch{Ids::from_shape({examples.size(), longest}), Ids::from_shape({examples.size(), longest})};
    batch.inputs.fill(pad_id);
    batch.targets.fill(ignored);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        for (std::size_t j = 0; j < examples[i].input.size(); ++j) {
            batch.inputs(i, j) = examples[i].input[j];
            batch.targets(i, j) = examples[i].target[j];
        }
    }
    return batch;
}

std::vector<std::vector<std::size_t>> shuffled_batches(std::size_t count, std::size_t batch_size, Rng& rng) {
    require_batches(count, batch_size);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    std::vector<std::vector<std::size_t>> batches;
    for (std::size_t begin = 0; begin < count; begin += batch_size) {
        const std::size_t end = std::min(begin + batch_size, count);
        batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                             order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return batches;
}

}  // namespace tfs
