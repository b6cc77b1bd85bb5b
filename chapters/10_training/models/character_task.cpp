// chapters/10_training/models/character_task.cpp · the decoder of characters: its first values, what its heads look at, what each part gives
#include "chapters/10_training/models/character_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "chapters/01_attention/attention.hpp"
#include "chapters/01_attention/models/without_head.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/trainer.hpp"
#include "common/base/errors.hpp"

namespace tfs {

namespace {

constexpr std::size_t windows_of_text = 128, repetitions = 128, windows_at_once = 32;
constexpr std::uint64_t seed_of_repetitions = 11;

// The weights are kept for so many sequences at once: of 256 characters, in 4 layers of 4 heads, they take 67 MB.
constexpr std::size_t rows_at_once = 16;

// The rows of ids (rows, seq), so many at once.
std::vector<Ids> in_batches(const Ids& ids) {
    std::vector<Ids> batches;
    const std::size_t rows = ids.shape(0), seq = ids.shape(1);
    for (std::size_t begin = 0; begin < rows; begin += rows_at_once) {
        Ids batch = Ids::from_shape({std::min(rows_at_once, rows - begin), seq});
        std::copy_n(ids.data() + begin * seq, batch.size(), batch.begin());
        batches.push_back(std::move(batch));
    }
    return batches;
}

// The share that the mean of a batch has in the mean of all rows.
double share_of(const Ids& batch, const Ids& all) {
    return static_cast<double>(batch.shape(0)) / static_cast<double>(all.shape(0));
}

// The mean weight of positions first … end - 1, each to the position `shift` before it.
double mean_weight(const Tensor& weights, std::size_t head, std::size_t first, std::size_t end,
                   std::size_t shift) {
    double sum = 0.0;
    for (std::size_t row = 0; row < weights.size(0); ++row)
        for (std::size_t i = first; i < end; ++i) sum += weights.at({row, head, i, i - shift});
    return sum / static_cast<double>(weights.size(0) * (end - first));
}

// What a causal head gives that spreads its weight evenly: position i has i + 1 keys.
double even_weight(std::size_t first, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = first; i < end; ++i) sum += 1.0 / static_cast<double>(i + 1);
    return sum / static_cast<double>(end - first);
}

// `count` sequences of `half` different ids, each written twice: (count, 2 half).
Ids repeated_sequences(std::size_t vocab, std::size_t half, std::size_t count, Rng& rng) {
    Ids ids = Ids::from_shape({count, 2 * half});
    for (std::size_t row = 0; row < count; ++row) {
        const std::vector<std::size_t> order = shuffled_batches(vocab, vocab, rng).front();
        for (std::size_t i = 0; i < 2 * half; ++i) ids(row, i) = static_cast<std::int64_t>(order[i % half]);
    }
    return ids;
}

// The mean of -log2 p over the targets of positions first … end - 1, each the next id.
double bits_between(const Tensor& logits, const Ids& ids, std::size_t first, std::size_t end) {
    Ids targets = Ids::from_shape({ids.shape()[0], end - first});
    for (std::size_t row = 0; row < ids.shape()[0]; ++row)
        for (std::size_t i = first; i < end; ++i) targets(row, i - first) = ids(row, i + 1);
    return cross_entropy(slice(logits, 1, first, end), targets).item() / std::numbers::ln2;
}

// Of each head, the scores on windows of a text.
void add_back_scores(CharacterHeads& scores, const TextTransformer& model, const Ids& windows) {
    for (const Ids& batch : in_batches(windows)) {
        const TransformerOutput read = model.model(batch, with_weights);
        for (HeadScores& one : scores.heads)
            for (std::size_t back = 1; back <= one.back.size(); ++back)
                one.back[back - 1] +=
                    share_of(batch, windows) * back_score(read.self_weights[one.layer], one.head, back);
    }
}

// Of each head, the score on sequences of `half` ids, each written twice; and the bits of the characters.
void add_induction_scores(CharacterHeads& scores, const TextTransformer& model, const Ids& repeated,
                          std::size_t half) {
    for (const Ids& batch : in_batches(repeated)) {
        const double share = share_of(batch, repeated);
        const TransformerOutput read = model.model(batch, with_weights);
        for (HeadScores& one : scores.heads)
            one.induction += share * induction_score(read.self_weights[one.layer], one.head);
        // The first character of the second copy can't be known; the rest of it could.
        scores.bits_of_first += share * bits_between(read.logits, batch, 0, half - 1);
        scores.bits_of_second += share * bits_between(read.logits, batch, half, 2 * half - 1);
    }
}

// Each with its probability.
std::int64_t drawn_token(const Tensor& logits, Rng& rng) {
    const Array p = softmax(logits).array();
    double rest = rng.uniform();
    std::size_t id = 0;
    while (id + 1 < p.size() && (rest -= p.data()[id]) >= 0.0) ++id;
    return static_cast<std::int64_t>(id);
}

}  // namespace

ModelConfig character_config() {
    return {.layers = 4, .d_model = 128, .heads = 4, .max_len = 256, .positions = PositionKind::rotary};
}

void draw_initial_values(Parameters parameters, std::size_t layers, Rng& rng) {
    if (layers == 0) throw ValueError("draw_initial_values: a stack needs at least one layer");
    for (NamedTensor& parameter : parameters) {
        const std::string& name = parameter.name;
        Array& values = parameter.tensor.mutable_array();
        const Shape shape = parameter.tensor.shape();
        if (name.ends_with("gamma")) {
            values = Tensor::ones(shape).array();
        } else if (name.ends_with("beta") || name.ends_with("bias")) {
            values = Tensor::zeros(shape).array();
        } else if (name.ends_with("weight")) {
            const bool joins_the_stream = name.ends_with("w_o.weight") || name.ends_with("down.weight");
            const double additions = joins_the_stream ? 2.0 * static_cast<double>(layers) : 1.0;
            values = rng.normal_array(shape, 0.0, 0.02 / std::sqrt(additions));
        } else {
            throw ValueError(fmt::format("draw_initial_values: {} is no weight, bias, gamma or beta", name));
        }
    }
}

TextTransformer new_writer(const Tokenizer& characters, const ModelConfig& sizes, std::uint64_t seed) {
    Rng rng(seed);
    TextTransformer model(characters, sizes, rng);
    draw_initial_values(model.parameters(), sizes.layers, rng);
    return model;
}

void train(const TextTransformer& writer, const Corpus& corpus, const ShortTraining& plan,
           const std::function<bool(std::size_t step, double loss)>& told) {
    const std::span<const std::int64_t> text(corpus.ids.data(), corpus.held_out_from);
    const WarmupCosine schedule{.peak = plan.rate,
                                .final = plan.rate / 20,
                                .warmup = std::min<std::size_t>(100, plan.steps / 2),
                                .total = plan.steps};
    const Model model = writer_logits(writer);
    AdamW optimizer(writer.parameters(), {.beta2 = 0.99, .weight_decay = 0.1});
    Rng rng(1);
    for (std::size_t step = 1; step <= plan.steps; ++step) {
        const Batch batch = text_batch(text, plan.config.max_len, plan.batch_size, rng);
        const double rate = learning_rate(schedule, step);
        if (!told(step, training_step(model, batch, optimizer, rate, rng).loss)) return;
    }
}

std::string written(const TextTransformer& writer, const std::string& begin, std::size_t count, Rng* chance) {
    const NoGrad no_grad;
    const Ids start = writer.tokenizer.encode(begin);
    std::vector<std::int64_t> ids(start.begin(), start.end());
    for (std::size_t i = 0; i < count; ++i) {
        Ids seen = Ids::from_shape({1, std::min(ids.size(), writer.config.max_len)});
        std::copy(ids.end() - static_cast<std::ptrdiff_t>(seen.size()), ids.end(), seen.begin());
        const Tensor logits = slice(writer.model(seen).logits, 1, seen.size() - 1, seen.size());
        ids.push_back(chance ? drawn_token(logits, *chance) : greedy_token(logits));
    }
    return writer.tokenizer.decode(ids);
}

const HeadScores& CharacterHeads::most_previous() const {
    return *std::max_element(heads.begin(), heads.end(),
                             [](const HeadScores& a, const HeadScores& b) { return a.back[0] < b.back[0]; });
}

const HeadScores& CharacterHeads::most_induction() const {
    return *std::max_element(heads.begin(), heads.end(), [](const HeadScores& a, const HeadScores& b) {
        return a.induction < b.induction;
    });
}

double back_score(const Tensor& weights, std::size_t head, std::size_t back) {
    return mean_weight(weights, head, back, weights.size(2), back);
}

double induction_score(const Tensor& weights, std::size_t head) {
    const std::size_t half = weights.size(2) / 2;
    return mean_weight(weights, head, half, 2 * half, half - 1);
}

CharacterHeads score_heads(const TextTransformer& model, const Ids& windows, std::size_t count, Rng& rng) {
    const NoGrad no_grad;
    const std::size_t half = std::min(model.config.max_len / 2, model.tokenizer.size()),
                      length = windows.shape()[1];
    if (half < 2 || length < 4)
        throw ValueError("score_heads: at least 2 characters are needed, and windows of 4");
    const Ids repeated = repeated_sequences(model.tokenizer.size(), half, count, rng);
    CharacterHeads scores;
    for (std::size_t layer = 0; layer < model.config.layers; ++layer)
        for (std::size_t head = 0; head < model.config.heads; ++head)
            scores.heads.push_back({.layer = layer, .head = head});
    add_back_scores(scores, model, windows);
    add_induction_scores(scores, model, repeated, half);
    for (std::size_t back = 1; back <= scores.back_by_chance.size(); ++back)
        scores.back_by_chance[back - 1] = even_weight(back, length);
    scores.induction_by_chance = even_weight(half, 2 * half);
    return scores;
}

CharacterHeads heads_of(const TextTransformer& model, const Corpus& corpus) {
    const Batch windows = make_batch(some_held_out_windows(corpus, model.config.max_len, windows_of_text), 0);
    Rng rng(seed_of_repetitions);
    return score_heads(model, windows.inputs, repetitions, rng);
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
    for (const TransformerBlock& block : std::get<Stack>(model.model.stack).blocks) {
        const Projections& projections = block.attention.attention;
        costs.emplace_back();
        for (std::size_t head = 0; head < projections.num_heads; ++head) {
            const WithoutHead without(projections.w_o, projections.num_heads, head);
            costs.back().push_back(bits_per_character(model, corpus, count) - whole);
        }
    }
    return costs;
}

}  // namespace tfs
