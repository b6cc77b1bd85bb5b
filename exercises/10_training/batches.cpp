// Step 10.2 · batches · ●○○ · 15 min
// exercises/10_training/batches.cpp · check yours with ./tutorial check 10.2
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
    // TODO 10.2: The input is all but the last id, the target all but the first.
    throw NotImplemented("10.2 batches");
}

Batch make_batch(const std::vector<Example>& examples, std::int64_t pad_id) {
    require_examples(examples);
    // TODO 10.2: A row for each example, as long as the longest. What is left of a row is `pad_id` in the inputs and `ignored`
    // in the targets. (`Ids::from_shape({rows, columns})` makes an array of ids; its entry is `ids(i, j)`.)
    throw NotImplemented("10.2 batches");
}

std::vector<std::vector<std::size_t>> shuffled_batches(std::size_t count, std::size_t batch_size, Rng& rng) {
    require_batches(count, batch_size);
    // TODO 10.2: Shuffle the numbers 0 … count-1 as the contract says, then cut them into batches.
    throw NotImplemented("10.2 batches");
}

}  // namespace tfs
