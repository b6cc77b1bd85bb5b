// chapters/01_attention/models/feature_words.cpp · words that come with named features, for the puzzle
#include "chapters/01_attention/models/feature_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/tensor/named_axes.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

// Words that share their features, in the order of feature_names(), each 1 or 0.
struct WordGroup {
    std::vector<float> features;
    std::vector<std::string> words;
};

const std::vector<WordGroup> groups = {
    {{1, 1, 0, 0, 0, 0}, {"cat", "dog", "child", "mouse"}},
    {{1, 0, 1, 0, 0, 0}, {"mat", "box", "chair", "table"}},
    {{0, 1, 0, 1, 0, 0}, {"tired", "hungry", "sleepy"}},
    {{0, 0, 1, 1, 0, 0}, {"soft", "wooden", "broken"}},
    {{0, 1, 0, 0, 1, 0}, {"sat", "slept", "waited"}},
    {{0, 0, 1, 0, 1, 0}, {"lay", "stood"}},
    {{0, 0, 0, 0, 0, 1}, {"the", "on", "near", "and", "because", "it", "was"}},
};

const std::vector<float>& features_of_word(const std::string& word) {
    for (const WordGroup& group : groups)
        if (std::find(group.words.begin(), group.words.end(), word) != group.words.end())
            return group.features;
    throw ValueError(fmt::format("the word \"{}\" has no features", harmless(word)));
}

Linear without_bias(const Tensor& weight) {
    Rng none = Rng::zeros();
    Linear layer(weight.size(1), weight.size(0), none);
    layer.weight = weight;
    return layer;
}

}  // namespace

const std::vector<std::string>& feature_names() {
    static const std::vector<std::string> names = {"noun", "animate", "thing", "adjective", "verb", "other"};
    return names;
}

bool has_feature(const std::string& word, const std::string& feature) {
    const std::vector<std::string>& names = feature_names();
    const auto at = std::find(names.begin(), names.end(), feature);
    if (at == names.end()) throw ValueError(fmt::format("there is no feature \"{}\"", harmless(feature)));
    return features_of_word(word)[static_cast<std::size_t>(at - names.begin())] > 0.5f;
}

Tensor features_of(const std::vector<std::string>& sentence) {
    std::vector<float> rows;
    for (const std::string& word : sentence) {
        const std::vector<float>& features = features_of_word(word);
        rows.insert(rows.end(), features.begin(), features.end());
    }
    return Tensor::from({1, sentence.size(), feature_names().size()}, rows);
}

std::size_t noun_spoken_of(const std::vector<std::string>& sentence) {
    if (sentence.empty()) throw ValueError("a sentence without words has no noun");
    const std::string kind = has_feature(sentence.back(), "animate") ? "animate" : "thing";
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < sentence.size(); ++i)
        if (has_feature(sentence[i], "noun") && has_feature(sentence[i], kind)) fitting.push_back(i);
    if (fitting.size() != 1)
        throw ValueError(fmt::format("{} nouns fit \"{}\", not one", fitting.size(), sentence.back()));
    return fitting[0];
}

SelfAttention as_attention(const HandMadeHead& head) {
    const std::size_t features = feature_names().size();
    require_shapes("head_by_hand",
                   {{"w_q", head.w_q, "d_k+ features"},
                    {"w_k", head.w_k, "d_k features"},
                    {"w_v", head.w_v, "d_v+ features"}},
                   {{"features", features, "a word"}});
    Rng none = Rng::zeros();
    SelfAttention attention(features, head.w_q.size(0), head.w_v.size(0), none);
    attention.w_q = without_bias(head.w_q * head.factor);
    attention.w_k = without_bias(head.w_k);
    attention.w_v = without_bias(head.w_v);
    return attention;
}

}  // namespace tfs
