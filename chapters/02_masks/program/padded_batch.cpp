// chapters/02_masks/program/padded_batch.cpp · what the program works on: a sentence, and a padded batch that begins with it
#include "chapters/02_masks/program/padded_batch.hpp"

#include <fmt/ostream.h>

#include <algorithm>

namespace tfs {

namespace {

const std::string pad_token = "<pad>";

// Pads all sentences to the length of the longest.
void pad_all(std::vector<Tokens>& sentences) {
    std::size_t longest = 0;
    for (const Tokens& sentence : sentences) longest = std::max(longest, sentence.size());
    for (Tokens& sentence : sentences) sentence.resize(longest, pad_token);
}

}  // namespace

Example make_example(const Show& show, std::size_t window) {
    const Tokens& tokens = show.tokens;
    const std::size_t d_model = show.options.d_model;
    std::vector<Tokens> sentences{tokens, split_words("The dog slept"), split_words("It ran after the cat")};
    std::vector<std::size_t> lengths;
    for (const Tokens& sentence : sentences) lengths.push_back(sentence.size());
    pad_all(sentences);

    Tokens all{pad_token};  // the first of all tokens, so that its id is 0
    for (const Tokens& sentence : sentences) all.insert(all.end(), sentence.begin(), sentence.end());
    const Vocabulary vocabulary = build_vocabulary(all);
    Ids ids = Ids::from_shape({sentences.size(), sentences[0].size()});
    std::copy(vocabulary.ids.begin() + 1, vocabulary.ids.end(), ids.begin());

    Rng rng(show.options.seed);
    const Embedding embedding(vocabulary.words.size(), d_model, rng);
    const Tensor batch_x = embedding(ids);
    return {.tokens = tokens,
            .x = slice(slice(batch_x, 0, 0, 1), 1, 0, tokens.size()).detach(),
            .sentences = sentences,
            .lengths = lengths,
            .ids = ids,
            .batch_x = batch_x.detach(),
            .attention = MultiHeadAttention(d_model, show.options.heads, rng),
            .window = window};
}

void show_batch(Show& show, const Example& e) {
    for (std::size_t b = 0; b < e.sentences.size(); ++b) {
        std::string ids;
        const std::size_t seq = e.ids.shape()[1], shown = std::min<std::size_t>(seq, 18);
        for (std::size_t j = 0; j < shown; ++j) ids += fmt::format(" {:>2}", e.ids(b, j));
        if (shown < seq) ids += " ...";
        fmt::print(show.out, "  sentence {}: {:>2} tokens, {:>2} x <pad>   ids{}\n", b + 1, e.lengths[b],
                   e.sentences[b].size() - e.lengths[b], ids);
    }
}

xt::xarray<bool> map_of(const Mask& mask, std::size_t sequence, std::size_t queries, std::size_t keys) {
    const Shape shape = mask.shape();
    const std::size_t batch = std::max(shape.empty() ? 1 : shape[0], sequence + 1);  // one map may serve all
    const xt::xarray<bool> all = mask.expanded({batch, 1, queries, keys});
    xt::xarray<bool> map = xt::xarray<bool>::from_shape({queries, keys});
    std::copy_n(all.data() + sequence * map.size(), map.size(), map.data());
    return map;
}

std::size_t count_allowed(const xt::xarray<bool>& map) {
    return static_cast<std::size_t>(std::count(map.data(), map.data() + map.size(), true));
}

}  // namespace tfs
