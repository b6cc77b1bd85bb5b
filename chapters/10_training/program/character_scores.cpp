// chapters/10_training/program/character_scores.cpp · how well the held-out text is predicted, beside simpler models
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/program/character_sections.hpp"

namespace tfs {

void print_bits(Show& show, const Corpus& corpus, const TextTransformer& model) {
    static const std::vector<std::string> names = {"unigram", "bigram", "trigram", "4-gram", "5-gram"};
    const std::size_t begin = corpus.held_out_from, vocab = corpus.tokenizer.size(),
                      end = std::min(corpus.ids.size(), begin + most_asked);
    const std::span<const std::int64_t> ids(corpus.ids);
    const auto print = [&](const std::string& name, double bits) {
        fmt::print(show.out, "  {:<24} {:>6.3f}\n", name, bits);
    };
    print("uniform", std::log2(static_cast<double>(vocab)));
    for (std::size_t length = 1; length <= names.size(); ++length)
        print(names[length - 1],
              bits_per_character(CharacterNgrams(ids.first(begin), vocab, length), ids, begin, end));
    print("this model", bits_per_character(model, corpus, most_asked));
    fmt::print(
        show.out,
        "  Each of {} held-out characters is guessed once; this model sees {} to {} characters before "
        "it.\n  The n-grams (interpolated Kneser-Ney) are counted on the text that the model learns from.\n",
        end - begin, model.config.max_len - model.config.max_len / 4 + 1, model.config.max_len);
}

}  // namespace tfs
