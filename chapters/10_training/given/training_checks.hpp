// chapters/10_training/given/training_checks.hpp · the checks of chapter 10, given: errors in one sentence
#pragma once

#include <string_view>

#include "chapters/10_training/training.hpp"

namespace tfs {

// logits (..., vocab) and a target for each row, none outside of the vocabulary, not all ignored; a smoothing in 0 … 1.
// ShapeError, ValueError. Returns how many targets are not ignored.
std::size_t require_targets(const Tensor& logits, const Ids& targets, double label_smoothing = 0.0);

// At least one example, none of them empty, each with a target for each id. ValueError.
void require_examples(const std::vector<Example>& examples);

// Neither count nor size of a batch is 0. ValueError.
void require_batches(std::size_t count, std::size_t batch_size);

// Neither the length of a window nor the batch is 0, and the text of so many ids has length + 1 of them from `begin` on. ValueError.
void require_windows(const char* what, std::size_t ids, std::size_t begin, std::size_t length,
                     std::size_t batch_size = 1);

// betas, epsilon and decay as AdamW says. ValueError.
void require_options(const AdamWOptions& options);

// The rate is finite; else a ValueError that begins with `what` it is.
void require_finite_rate(std::string_view what, double rate);
// What AdamW::step needs: this, and for each parameter an m and a v of its shape. ValueError.
void require_step(const AdamW& optimizer, double rate);

// The limit is above 0, and the norm finite; else a ValueError, which names the first parameter whose gradient is not.
void require_norm(const Parameters& parameters, double largest, double norm);

// The steps and the rates of a schedule as learning_rate says. ValueError.
void require_schedule(const WarmupCosine& schedule, std::size_t step);

}  // namespace tfs
