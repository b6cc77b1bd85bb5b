// Step 10.2 · text_batches · ●●○ · 15 min
// exercises/10_training/text_batches.cpp · check yours with ./tutorial check 10.2
#include <vector>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

Example text_window(std::span<const std::int64_t> ids, std::size_t begin, std::size_t length) {
    require_windows("text_window", ids.size(), begin, length);
    // TODO 10.2: This function and the next one run, and each has a fault. Look at a window, and at the loss of a model that learns
    // from yours: ./tutorial run 10 --mine -- --section text-batches
    Example window;
    for (std::size_t t = 1; t <= length; ++t) {
        window.input.push_back(ids[begin + t]);
        window.target.push_back(ids[begin + t]);
    }
    return window;
}

Batch text_batch(std::span<const std::int64_t> ids, std::size_t length, std::size_t batch_size, Rng& rng) {
    require_windows("text_batch", ids.size(), 0, length, batch_size);
    // TODO 10.2: This function has a fault, too: compare it with the contract for a text of three ids and windows of two.
    std::vector<Example> windows;
    for (std::size_t row = 0; row < batch_size; ++row)
        windows.push_back(text_window(ids, rng.below(ids.size() - length - 1), length));
    return make_batch(windows, 0);
}

}  // namespace tfs
