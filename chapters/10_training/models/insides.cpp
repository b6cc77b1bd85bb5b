// chapters/10_training/models/insides.cpp · measured on the text, part by part
#include "chapters/10_training/models/insides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "chapters/10_training/models/trainer.hpp"
#include "chapters/10_training/models/zero_columns.hpp"

namespace tfs {

namespace {

constexpr std::size_t windows_at_once = 32;

const Stack& stack_of(const Transformer& model) { return std::get<Stack>(model.stack); }

std::vector<double> last_row(const Tensor& x) {
    const auto row = x.values().subspan(x.values().size() - x.size(-1));
    return {row.begin(), row.end()};
}

std::vector<double> difference(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}

}  // namespace

Tensor strengths_of_units(const TransformerBlock& block, const Tensor& half) {
    return block.feed_forward.network.hidden(block.feed_forward.norm(half));
}

std::string text_before(const Tokenizer& tokenizer, const Ids& windows, std::size_t place,
                        std::size_t length) {
    const std::size_t seq = windows.shape()[1], in_row = place % seq,
                      first = in_row + 1 - std::min(length, in_row + 1);
    std::string text;
    for (std::size_t i = first; i <= in_row; ++i) text += tokenizer.token(windows.data()[place - in_row + i]);
    return text;
}

std::vector<double> bits_after_each_block(const TextTransformer& model, const Corpus& corpus,
                                          std::size_t count) {
    const NoGrad no_grad;
    std::vector<double> nats(model.config.layers + 1, 0.0);
    double targets = 0.0;
    for (const Batch& batch :
         batches_of(scoring_windows(corpus, model.config.max_len, count), windows_at_once, 0)) {
        const auto asked = static_cast<double>(batch.target_count());
        const Reading reading = read_through(model.model, batch.inputs, Weights::none);
        for (std::size_t i = 0; i < nats.size(); ++i)
            nats[i] +=
                asked * static_cast<double>(
                            cross_entropy(lens(model.model, reading.streams[i]), batch.targets).item());
        targets += asked;
    }
    for (double& one : nats) one /= targets * std::numbers::ln2;
    return nats;
}

std::vector<std::vector<double>> cost_of_each_head(const TextTransformer& model, const Corpus& corpus,
                                                   std::size_t count) {
    const double whole = bits_per_character(model, corpus, count);
    std::vector<std::vector<double>> costs;
    for (const TransformerBlock& block : stack_of(model.model).blocks) {
        const Projections& projections = block.attention.attention;
        costs.emplace_back();
        for (std::size_t head = 0; head < projections.num_heads; ++head) {
            const WithoutHead without(projections, head);
            costs.back().push_back(bits_per_character(model, corpus, count) - whole);
        }
    }
    return costs;
}

std::vector<StreamPart> parts_of_stream(const Reading& reading) {
    std::vector<StreamPart> parts{{"embedding", last_row(reading.streams.front())}};
    for (std::size_t i = 0; i < reading.halves.size(); ++i) {
        const std::vector<double> before = last_row(reading.streams[i]), half = last_row(reading.halves[i]),
                                  after = last_row(reading.streams[i + 1]);
        parts.push_back({fmt::format("block {}, attention", i + 1), difference(half, before)});
        parts.push_back({fmt::format("block {}, feed-forward", i + 1), difference(after, half)});
    }
    return parts;
}

}  // namespace tfs
