// tests/11_generation/cached_logits.hpp · models of chapter 09 that write, and their logits in a window
#pragma once

#include <string>
#include <vector>

#include "tests/11_generation/checklist.hpp"

namespace tfs::test {

struct NamedWriter {
    std::string name;  // of its positions; or "encoder-decoder"
    Transformer model;

    [[nodiscard]] bool is_translator() const {
        return model.config.architecture == Architecture::encoder_decoder;
    }
    [[nodiscard]] LanguageModel reads() const;  // which lives as long as this
};
// The writers of checklist.hpp, and a translator that has read a source.
std::vector<NamedWriter> named_writers();

// The logits of a decoder where each query sees the newest `window` keys in each layer, with the mask of chapter 02: (seq, vocab).
Tensor logits_in_window(const Transformer& decoder, const TokenIds& text, std::size_t window);

}  // namespace tfs::test
