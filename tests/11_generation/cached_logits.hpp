// tests/11_generation/cached_logits.hpp · logits with a cache, beside those of the whole text
#pragma once

#include <string>
#include <vector>

#include "tests/11_generation/checklist.hpp"

namespace tfs::test {

struct NamedWriter {
    std::string name;  // of its positions
    Transformer model;
};
std::vector<NamedWriter> named_writers();

// An encoder-decoder of the size of the writers.
Transformer made_translator();

// Columns begin … end - 1 of these rows, which go on behind what the cache keeps: (rows, end - begin, vocab). The memory behind the
// rows that the cache keeps then holds NaN.
Tensor cached_logits(const LanguageModel& model, const std::vector<TokenIds>& rows, std::size_t begin,
                     std::size_t end, KeyValueCache& cache);

// The logits of a decoder where each query sees the newest `window` keys in each layer, with the mask of chapter 02: (seq, vocab).
Tensor logits_in_window(const Transformer& decoder, const TokenIds& text, std::size_t window);

// Whether each logit is that expected, up to 1e-5 of the largest one at its position. The shapes may differ in axes of 1.
testing::AssertionResult logits_agree(const std::string& where, const Tensor& found, const Tensor& expected);

}  // namespace tfs::test
