// chapters/10_training/models/it_insides.cpp · measured at "it", half by half and head by head
#include "chapters/10_training/models/it_explanations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "chapters/01_attention/models/without_head.hpp"
#include "common/measure.hpp"

namespace tfs {

namespace {

// All sentences in one batch, padded; and the words that may be looked at.
struct Padded {
    Ids ids;
    Mask visible;
};
Padded padded(const ItReader& model, const std::vector<ItSentence>& sentences) {
    std::size_t longest = 0;
    for (const ItSentence& sentence : sentences) longest = std::max(longest, sentence.words.size());
    Ids ids = Ids::from_shape({sentences.size(), longest});
    ids.fill(it_padding);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const Ids own = model.encode(sentences[i].words);
        std::copy(own.begin(), own.end(), &ids(i, 0));
    }
    return {ids, padding_mask(ids, it_padding)};
}

// The row of a word in x (batch, seq, d).
std::span<const float> row_of(const Tensor& x, std::size_t sentence, std::size_t word) {
    return x.values().subspan((sentence * x.size(1) + word) * x.size(2), x.size(2));
}

// How often the model would be right, if the final norm and the output read this stream (batch, seq, d_model).
double right_from(const ItReader& model, const Tensor& stream, const std::vector<ItSentence>& sentences) {
    const Tensor logits = model.output(model.final_norm(stream));
    double right = 0.0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const auto scores = row_of(logits, i, sentences[i].it);
        const auto word = std::max_element(scores.begin(), scores.end()) - scores.begin();
        right += model.tokenizer.token(word) == sentences[i].words[sentences[i].noun()] ? 1.0 : 0.0;
    }
    return right / static_cast<double>(sentences.size());
}

// Behind the embedding and behind each half: (batch, seq, d_model) each.
std::vector<Tensor> streams_of(const ItReader& model, const Padded& batch) {
    std::vector<Tensor> streams{model.embed(batch.ids)};
    for (const TransformerBlock& block : model.blocks) {
        streams.push_back(block.attention(streams.back(), batch.visible).output);
        streams.push_back(block.feed_forward(streams.back()));
    }
    return streams;
}

// The mean over the sentences of the root mean square at "it".
double size_at_it(const Tensor& x, const std::vector<ItSentence>& sentences) {
    double sum = 0.0;
    for (std::size_t i = 0; i < sentences.size(); ++i) sum += root_mean_square(row_of(x, i, sentences[i].it));
    return sum / static_cast<double>(sentences.size());
}

// What a head looks at, in the mean over the sentences. weights (batch, heads, query, key)
ItHead looks_of(std::size_t head, const Tensor& weights, const std::vector<ItSentence>& sentences) {
    const auto count = static_cast<double>(sentences.size());
    ItHead one{.head = head};
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const ItSentence& sentence = sentences[i];
        const auto row = [&](std::size_t query) {
            const std::size_t at = (i * weights.size(1) + head) * weights.size(2) + query;
            const auto values = weights.values().subspan(at * weights.size(3), sentence.words.size());
            return Shares(values.begin(), values.end());
        };
        const Shares it = row(sentence.it);
        one.nouns_to_last += (row(sentence.first).back() + row(sentence.second).back()) / (2.0 * count);
        one.it_to_right += it[sentence.noun()] / count;
        one.it_to_other += it[sentence.other()] / count;
        one.it_to_action += share_of_action(sentence, it) / count;
    }
    return one;
}

}  // namespace

double accuracy_of(const ItReader& model, const std::vector<ItSentence>& sentences) {
    const NoGrad no_grad;
    return right_from(model, streams_of(model, padded(model, sentences)).back(), sentences);
}

std::vector<ItHalf> halves_of(const ItReader& model, const std::vector<ItSentence>& sentences) {
    const NoGrad no_grad;
    const std::vector<Tensor> streams = streams_of(model, padded(model, sentences));
    std::vector<ItHalf> halves;
    for (std::size_t i = 0; i < streams.size(); ++i)
        halves.push_back(
            {.name = i == 0 ? "embedding"
                            : fmt::format("block {}, {}", (i + 1) / 2, i % 2 == 1 ? "attention" : "network"),
             .added = size_at_it(i == 0 ? streams[0] : streams[i] - streams[i - 1], sentences),
             .stream = size_at_it(streams[i], sentences),
             .right = right_from(model, streams[i], sentences)});
    return halves;
}

std::vector<ItHead> heads_of(const ItReader& model, const std::vector<ItSentence>& sentences) {
    const NoGrad no_grad;
    const Padded batch = padded(model, sentences);
    const std::vector<Tensor> maps = model.read(model.embed(batch.ids), batch.visible, with_weights).weights;
    std::vector<ItHead> all;
    for (std::size_t block = 0; block < model.blocks.size(); ++block)
        for (std::size_t head = 0; head < model.config.heads; ++head) {
            const Projections& projections = model.blocks[block].attention.attention;
            const WithoutHead without(projections.w_o, projections.num_heads, head);
            ItHead& one = all.emplace_back(looks_of(head, maps[block], sentences));
            one.block = block;
            one.right_without = accuracy_of(model, sentences);
        }
    return all;
}

}  // namespace tfs
