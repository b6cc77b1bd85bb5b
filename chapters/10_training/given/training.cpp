// chapters/10_training/given/training.cpp · batches of examples, and the state of AdamW
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

Example next_token_example(const std::vector<std::int64_t>& ids) {
    if (ids.size() < 2)
        throw ValueError("next_token_example: a sequence needs two ids, the second to be guessed");
    return {{ids.begin(), ids.end() - 1}, {ids.begin() + 1, ids.end()}};
}

namespace {

// The rows that `row_of` an example gives, filled up at their end to the longest one.
template <class RowOf>
Ids padded(const std::vector<Example>& examples, std::int64_t filler, const RowOf& row_of) {
    std::size_t longest = 0;
    for (const Example& example : examples) longest = std::max(longest, row_of(example).size());
    Ids rows = Ids::from_shape({examples.size(), longest});
    rows.fill(filler);
    for (std::size_t i = 0; i < examples.size(); ++i)
        std::copy(row_of(examples[i]).begin(), row_of(examples[i]).end(), rows.data() + i * longest);
    return rows;
}

}  // namespace

Batch make_batch(const std::vector<Example>& examples, std::int64_t pad_id) {
    require_examples(examples);
    const auto input = [](const Example& example) -> const auto& { return example.input; };
    const auto target = [](const Example& example) -> const auto& { return example.target; };
    const auto source = [](const Example& example) -> const auto& { return example.source; };
    Batch batch{padded(examples, pad_id, input), padded(examples, ignored, target)};
    if (!examples.front().source.empty()) batch.source = padded(examples, pad_id, source);
    return batch;
}

std::size_t Batch::target_count() const {
    return targets.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
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

AdamW::AdamW(Parameters all, const AdamWOptions& chosen) : parameters(std::move(all)), options(chosen) {
    require_options(options);
    for (NamedTensor& parameter : parameters) {
        parameter.tensor.set_requires_grad(true);
        m.push_back(Tensor::zeros(parameter.tensor.shape()).array());
        v.push_back(m.back());
    }
}

}  // namespace tfs
