// chapters/01_attention/models/noun_finder.cpp · the smallest model that learns something
#include "chapters/01_attention/models/noun_finder.hpp"

#include <algorithm>

#include "common/io/weights.hpp"

namespace tfs {

const ModelKind& noun_finder_kind() {
    static const ModelKind kind{.name = "a noun finder", .entries = {"d_model", "heads", "words"}};
    return kind;
}

const NounWords& noun_words() {
    static const NounWords words{
        .beings = {"cat", "dog", "bird", "child", "horse", "woman", "rabbit", "fox", "girl", "farmer",
                   "mouse", "boy"},
        .things = {"mat", "box", "chair", "rug", "bed", "table", "sofa", "bench", "basket", "blanket",
                   "cushion", "shelf"},
        .of_beings = {"tired", "hungry", "sleepy", "happy", "angry", "afraid", "curious", "lonely"},
        .of_things = {"soft", "clean", "wooden", "broken", "dirty", "flat", "new", "empty"},
        .verbs_of_beings = {"sat", "slept", "rested", "waited", "stayed", "jumped"},
        .verbs_of_things = {"lay", "stood", "was", "remained"},
        .places = {"on", "near", "beside", "under", "behind"}};
    return words;
}

NounFinder::NounFinder(const Tokenizer& words, const ModelConfig& sizes, Rng& rng)
    : config(sizes),
      tokenizer(words),
      embedding(words.size(), sizes.d_model, rng),
      attention(sizes.d_model, sizes.heads, rng),
      output(sizes.d_model, words.size(), rng) {}

AttentionOutput NounFinder::attend(const Ids& ids, const std::optional<Mask>& mask) const {
    const Tensor x = embedding(ids);
    return attention(x, x, x, mask);
}

Tensor NounFinder::logits(const Ids& ids) const { return output(attend(ids).output); }

Tensor NounFinder::weights(const Ids& ids) const { return attend(ids).weights; }

Parameters NounFinder::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    append(all, "attention", attention.parameters());
    append(all, "output", output.parameters());
    return all;
}

NounFinder trained_noun_finder(const std::vector<std::string>& sentence) {
    auto model = load_network<NounFinder>(weights_file("nouns"), noun_finder_kind());
    if (!sentence.empty()) (void)model.tokenizer.encode(sentence);
    return model;
}

NounGuess guess_noun(const NounFinder& model, const std::vector<std::string>& sentence,
                     const std::optional<Mask>& mask) {
    const NoGrad no_grad;
    const auto [output, weights] = model.attend(model.tokenizer.encode(sentence), mask);
    const std::size_t last = sentence.size() - 1, heads = model.attention.num_heads;
    const Tensor scores = model.output(slice(output, 1, last, last + 1));
    const auto values = scores.values();
    const auto best = std::max_element(values.begin(), values.end());
    NounGuess guess;
    guess.noun = model.tokenizer.token(best - values.begin());
    for (std::size_t key = 0; key <= last; ++key) {
        float sum = 0.0f;
        for (std::size_t head = 0; head < heads; ++head) sum += weights.at({0, head, last, key});
        guess.weights.push_back(sum / static_cast<float>(heads));
        if (guess.weights.back() > guess.weights[guess.most]) guess.most = key;
    }
    return guess;
}

}  // namespace tfs
