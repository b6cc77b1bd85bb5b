// chapters/10_training/models/corpus.hpp · a text to learn from, character by character, cut into windows
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

// The first nine tenths are learned from, the rest is held out.
struct Corpus {
    Tokenizer tokenizer;                 // all characters that occur, in the order of their code points
    std::vector<std::int64_t> ids = {};  // the text
    std::size_t held_out_from = 0;       // ids[held_out_from] is the first one that is held out

    [[nodiscard]] std::size_t held_out_size() const { return ids.size() - held_out_from; }
};

// ValueError, which begins with `name`, where the text is empty or not valid UTF-8, is too short for windows of `context`
// characters, or has fewer than 2 or more than 1,000 different characters.
[[nodiscard]] Corpus corpus_of(const std::string& text, const std::string& name, std::size_t context);
// The same of a file. FileError if it can't be read, or has more than 50 MB.
[[nodiscard]] Corpus read_corpus(const std::filesystem::path& file, std::size_t context);

// Windows of `context` characters from the part to learn from, each with the next character as target at each position. They
// begin every 16 characters, or in a long text further apart: there are never more than about 100,000.
[[nodiscard]] std::vector<Example> training_windows(const Corpus& corpus, std::size_t context);
// `count` windows, or fewer where the text is short, evenly spaced over the held-out part.
[[nodiscard]] std::vector<Example> some_held_out_windows(const Corpus& corpus, std::size_t context,
                                                         std::size_t count);
// Windows that ask for the first `count` characters of the held-out part, each of them once: for the last quarter of a
// window, the other targets are ignored. So each character has at least three quarters of a window before it; for the first
// ones it begins in the part to learn from.
[[nodiscard]] std::vector<Example> scoring_windows(const Corpus& corpus, std::size_t context,
                                                   std::size_t count);

// What is trained, and asked: the logits of a decoder for a batch of windows. The decoder is kept as a handle.
[[nodiscard]] Model writer_logits(const TextTransformer& decoder);

// The mean of -log2 p(character) over the first `count` held-out characters, each guessed once, as scoring_windows asks.
[[nodiscard]] double bits_per_character(const TextTransformer& model, const Corpus& corpus,
                                        std::size_t count);

}  // namespace tfs
