// chapters/01_attention/models/size_finder.cpp · two heads, and a word that must find two words
#include "chapters/01_attention/models/size_finder.hpp"

#include <algorithm>

#include "chapters/01_attention/models/without_head.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

// From the smallest to the largest.
const std::vector<std::string> animals = {"flea",  "ant",   "bee",      "mouse", "pigeon", "hen",
                                          "cat",   "fox",   "wolf",     "deer",  "lion",   "bear",
                                          "horse", "rhino", "elephant", "whale"};

// Whether `word` is one of the two largest logits.
bool is_named(const Tensor& logits, std::int64_t word) {
    const float its = logits.values()[static_cast<std::size_t>(word)];
    return std::count_if(logits.values().begin(), logits.values().end(),
                         [&](float other) { return other > its; }) < 2;
}

}  // namespace

SizeSentences size_sentences() {
    std::vector<std::string> vocabulary = {"the", "and", "differ", "in", "size"};
    vocabulary.insert(vocabulary.end(), animals.begin(), animals.end());
    SizeSentences all{{Cut::words, vocabulary}, {}, {}};
    const std::size_t n = animals.size();
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a + 1; b < n; ++b)
            for (std::size_t c = b + 1; c < n; ++c)
                for (std::size_t d = c + 1; d < n; ++d)
                    for (const std::size_t asked : {5u, 3u}) {
                        // Held out are sets of no special kind.
                        auto& part = (a + 3 * b + 5 * c + 7 * d) % 5 == 0 ? all.held_out : all.training;
                        part.push_back({{"the", animals[b], "the", animals[d], "the", animals[a], "and",
                                         "the", animals[c], "differ", "in", "size"},
                                        5,
                                        3,
                                        asked});
                    }
    return all;
}

NounFinder trained_size_finder() {
    return load_network<NounFinder>(weights_file("sizes"), noun_finder_kind());
}

SizeScore score_without_head(const NounFinder& model, std::size_t head,
                             const std::vector<SizeSentence>& sentences) {
    const WithoutHead without(model.attention.w_o, model.attention.num_heads, head);
    return score_of(model, sentences);
}

SizeScore score_of(const NounFinder& model, const std::vector<SizeSentence>& sentences) {
    const NoGrad no_grad;
    const double each = 1.0 / static_cast<double>(sentences.size());
    SizeScore score{.weights = std::vector<std::array<double, 2>>(model.attention.num_heads)};
    for (const SizeSentence& sentence : sentences) {
        const Ids ids = model.tokenizer.encode(sentence.words);
        const std::size_t last = sentence.words.size() - 1;
        const auto [output, weights] = model.attend(ids);
        const Tensor logits = model.output(slice(output, 1, last, last + 1));
        const std::array<std::size_t, 2> animal{sentence.smallest, sentence.largest};
        for (const std::size_t i : {0u, 1u}) {
            if (is_named(logits, ids(0, animal[i]))) score.named[i] += each;
            for (std::size_t head = 0; head < score.weights.size(); ++head)
                score.weights[head][i] += each * weights.at({0, head, last, animal[i]});
        }
    }
    return score;
}

}  // namespace tfs
