// chapters/10_training/models/it_explanations.cpp · four ways to ask which words an answer came from, and how often each names the right noun
#include "chapters/10_training/models/it_explanations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tfs {

namespace {

Shares summing_to_one(Shares values) {
    const float sum = std::accumulate(values.begin(), values.end(), 0.0f);
    if (sum > 0.0f)
        for (float& value : values) value /= sum;
    return values;
}

// The map of a layer, the mean over its heads: (query, key).
Tensor mean_map(const Tensor& weights) {
    return reshape(mean(weights, 1), {weights.size(2), weights.size(3)});  // of (1, heads, query, key)
}

Shares it_row_of(const Tensor& map, std::size_t row) {
    const Tensor values = slice(map, 0, row, row + 1);
    return {values.values().begin(), values.values().end()};
}

std::vector<Tensor> maps_of(const ItReader& model, const ItSentence& sentence) {
    const NoGrad no_grad;
    std::vector<Tensor> maps;
    const Tensor embedded = model.embed(model.encode(sentence.words));
    for (const Tensor& weights : model.read(embedded, std::nullopt, with_weights).weights)
        maps.push_back(mean_map(weights));
    return maps;
}

// The probability of a word at "it" in each sequence of the batch.
std::vector<double> probabilities(const Tensor& logits, std::size_t it, std::size_t word) {
    const std::size_t seq = logits.size(1), vocab = logits.size(2);
    std::vector<double> all;
    for (std::size_t i = 0; i < logits.size(0); ++i) {
        const float* scores = logits.values().data() + (i * seq + it) * vocab;
        double sum = 0.0;
        for (std::size_t j = 0; j < vocab; ++j)
            sum += std::exp(static_cast<double>(scores[j]) - scores[word]);
        all.push_back(1.0 / sum);
    }
    return all;
}

std::size_t best_word(const Tensor& logits, std::size_t it) {
    const float* scores = logits.values().data() + it * logits.size(2);
    return static_cast<std::size_t>(std::max_element(scores, scores + logits.size(2)) - scores);
}

void add(ItShares& sums, const ItSentence& sentence, const Shares& shares) {
    const double right = shares[sentence.noun()], other = shares[sentence.other()];
    sums.right_is_larger += right > other ? 1.0 : 0.0;
    sums.right += right;
    sums.other += other;
    sums.action += share_of_action(sentence, shares);
    sums.last += shares.back();
}

}  // namespace

ItAnswer answer_of(const ItReader& model, const ItSentence& sentence) {
    const NoGrad no_grad;
    const Tensor logits = model.read(model.embed(model.encode(sentence.words))).logits;
    const std::size_t word = best_word(logits, sentence.it);
    return {model.tokenizer.tokens()[word], probabilities(logits, sentence.it, word)[0]};
}

Shares attention_shares(const ItReader& model, const ItSentence& sentence, std::size_t layer) {
    return it_row_of(maps_of(model, sentence).at(layer), sentence.it);
}

Shares rollout_shares(const ItReader& model, const ItSentence& sentence) {
    const NoGrad no_grad;
    std::vector<float> start(sentence.words.size(), 0.0f);
    start[sentence.it] = 1.0f;
    Tensor row = Tensor::from({1, start.size()}, start);
    const std::vector<Tensor> maps = maps_of(model, sentence);
    for (auto map = maps.rbegin(); map != maps.rend(); ++map)  // from the last layer back to the first
        row = (row + matmul(row, *map)) / 2.0f;                // row A', (1, key)
    return it_row_of(row, 0);
}

Shares gradient_shares(const ItReader& model, const ItSentence& sentence) {
    const Tensor x(model.embed(model.encode(sentence.words)).array(), true);  // (1, seq, d_model)
    const Tensor logits = model.read(x).logits;
    const std::size_t word = best_word(logits, sentence.it);
    const Tensor at_it = slice(logits, 1, sentence.it, sentence.it + 1);
    sum(slice(at_it, 2, word, word + 1)).backward();
    const std::size_t width = x.size(2);
    Shares shares;
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
        const auto offset = static_cast<std::ptrdiff_t>(i * width);
        const auto begin = x.array().begin() + offset;
        const auto end = begin + static_cast<std::ptrdiff_t>(width);
        shares.push_back(std::abs(std::inner_product(begin, end, x.grad().begin() + offset, 0.0f)));
    }
    return summing_to_one(shares);
}

Shares leaving_out_shares(const ItReader& model, const ItSentence& sentence) {
    const NoGrad no_grad;
    const Tensor x = model.embed(model.encode(sentence.words));
    const std::size_t seq = sentence.words.size(), word = best_word(model.read(x).logits, sentence.it);
    xt::xarray<bool> visible = xt::ones<bool>({seq + 1, std::size_t{1}, std::size_t{1}, seq});
    for (std::size_t i = 0; i < seq; ++i) visible(i, 0, 0, i) = false;  // nothing is hidden in the last one
    const Tensor all = model.read(concat(std::vector<Tensor>(seq + 1, x), 0), Mask(visible)).logits;
    const std::vector<double> left = probabilities(all, sentence.it, word);
    Shares shares;
    for (std::size_t i = 0; i < seq; ++i)
        shares.push_back(static_cast<float>(std::max(0.0, left[seq] - left[i])));
    return summing_to_one(shares);
}

std::vector<NamedShares> all_shares(const ItReader& model, const ItSentence& sentence) {
    std::vector<NamedShares> all;
    for (std::size_t layer = 0; layer < model.blocks.size(); ++layer)
        all.push_back(
            {fmt::format("attention, layer {}", layer + 1), attention_shares(model, sentence, layer)});
    all.push_back({"rollout", rollout_shares(model, sentence)});
    all.push_back({"gradient x input", gradient_shares(model, sentence)});
    all.push_back({"leaving it out", leaving_out_shares(model, sentence)});
    return all;
}

double share_of_action(const ItSentence& sentence, const Shares& shares) {
    const auto end = std::find(sentence.words.begin() + static_cast<std::ptrdiff_t>(sentence.first),
                               sentence.words.end(), "the");
    return std::accumulate(shares.begin() + static_cast<std::ptrdiff_t>(sentence.first + 1),
                           shares.begin() + (end - sentence.words.begin()), 0.0);
}

ItScore score_of(const ItReader& model, const std::vector<ItSentence>& sentences) {
    ItScore score;
    for (const ItSentence& sentence : sentences) {
        score.accuracy += answer_of(model, sentence).noun == sentence.words[sentence.noun()] ? 1.0 : 0.0;
        const std::vector<NamedShares> ways = all_shares(model, sentence);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (i == score.ways.size()) score.ways.push_back({.name = ways[i].name});
            add(score.ways[i], sentence, ways[i].shares);
        }
    }
    const auto count = static_cast<double>(sentences.size());
    score.accuracy /= count;
    for (ItShares& way : score.ways)
        for (double* sum : {&way.right_is_larger, &way.right, &way.other, &way.action, &way.last})
            *sum /= count;
    return score;
}

}  // namespace tfs
