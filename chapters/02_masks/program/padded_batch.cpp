// chapters/02_masks/program/padded_batch.cpp · the batch that the program works on, and each of its sentences alone
#include <algorithm>

#include "chapters/02_masks/program/options.hpp"

namespace tfs {

namespace {

const std::string pad_token = "<pad>";

Report show_padded_or_alone(const Request& request) {
    const PaddedBatch batch = padded_batch(request);
    const auto [text, x, attention] = untrained_attention(batch, request);
    const Tensor masked = attention(x, x, x, padding_mask(batch.ids, pad_id)).output;
    const Tensor unmasked = attention(x, x, x).output;
    Table table{.columns = {{"sentence", whole()},
                            {"tokens", whole()},
                            {"padding", whole()},
                            {"difference, masked", magnitude(5, 2)},
                            {"difference, unmasked", fixed(3)}}};
    for (std::size_t b = 0; b < batch.sentences.size(); ++b) {
        const std::size_t length = batch.lengths[b];
        const auto sentence = [&](const Tensor& t) { return slice(slice(t, 0, b, b + 1), 1, 0, length); };
        const Tensor own = sentence(x);
        const Array alone = attention(own, own, own).output.array();
        table.add({b + 1, length, batch.sentences[b].size() - length,
                   largest_difference(sentence(masked).array(), alone),
                   largest_difference(sentence(unmasked).array(), alone)});
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Tokens PaddedBatch::text() const {
    return {sentences[0].begin(), sentences[0].begin() + static_cast<std::ptrdiff_t>(lengths[0])};
}

PaddedBatch padded_batch(const Request& request) { return padded_batch(request.words(options::text)); }

PaddedBatch padded_batch(const Tokens& text) {
    PaddedBatch batch{.sentences = {text, split_words("The dog slept"), split_words("It ran after the cat")}};
    std::size_t longest = 0;
    for (const Tokens& sentence : batch.sentences) {
        batch.lengths.push_back(sentence.size());
        longest = std::max(longest, sentence.size());
    }
    Tokens all{pad_token};  // the first of all tokens, so that its id is 0
    for (Tokens& sentence : batch.sentences) {
        sentence.resize(longest, pad_token);
        all.insert(all.end(), sentence.begin(), sentence.end());
    }
    const Vocabulary vocabulary = build_vocabulary(all);
    batch.ids = Ids::from_shape({batch.sentences.size(), longest});
    std::copy(vocabulary.ids.begin() + 1, vocabulary.ids.end(), batch.ids.begin());
    batch.words = vocabulary.words.size();
    return batch;
}

UntrainedAttention untrained_attention(const PaddedBatch& batch, const Request& request) {
    Rng rng(request[options::seed]);
    const Tensor batch_x = Embedding(batch.words, request[options::d_model], rng)(batch.ids);
    return {slice(slice(batch_x, 0, 0, 1), 1, 0, batch.lengths[0]).detach(), batch_x.detach(),
            MultiHeadAttention(request[options::d_model], request[options::heads], rng)};
}

Sections padded_batch_sections() {
    return {{"padded-or-alone",
             "A padded batch gives what each sentence gives alone",
             show_padded_or_alone,
             {options::text, options::heads, options::d_model, options::seed},
             Level::deeper}};
}

}  // namespace tfs
