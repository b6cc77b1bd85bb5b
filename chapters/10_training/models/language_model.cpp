// chapters/10_training/models/language_model.cpp · a language model that is trained within minutes, by the steps of this chapter alone
#include "chapters/10_training/models/language_model.hpp"

#include <algorithm>

#include "chapters/01_attention/attention.hpp"
#include "chapters/10_training/models/character_task.hpp"

namespace tfs {

namespace {

constexpr std::uint64_t seed = 1;

// Each with its probability.
std::int64_t drawn_token(const Tensor& logits, Rng& rng) {
    const Array p = softmax(logits).array();
    double rest = rng.uniform();
    std::size_t id = 0;
    while (id + 1 < p.size() && (rest -= p.data()[id]) >= 0.0) ++id;
    return static_cast<std::int64_t>(id);
}

}  // namespace

TextTransformer new_language_model(const Corpus& corpus, const LanguageModelPlan& plan) {
    return new_writer(corpus.tokenizer, plan.config, seed);
}

std::vector<double> train_language_model(const TextTransformer& writer, const Corpus& corpus,
                                         const LanguageModelPlan& plan,
                                         const std::function<bool(std::size_t step, double loss)>& told) {
    const std::span<const std::int64_t> text(corpus.ids.data(), corpus.held_out_from);
    const WarmupCosine schedule{.peak = plan.rate,
                                .final = plan.rate / 20,
                                .warmup = std::min<std::size_t>(100, plan.steps / 2),
                                .total = plan.steps};
    const Model model = writer_logits(writer);
    AdamW optimizer(writer.parameters(), {.beta2 = 0.99, .weight_decay = 0.1});
    Rng rng(seed);
    std::vector<double> losses;
    for (std::size_t step = 1; step <= plan.steps; ++step) {
        const Batch batch = text_batch(text, plan.config.max_len, plan.batch_size, rng);
        const double rate = learning_rate(schedule, step);
        losses.push_back(training_step(model, batch, optimizer, rate, rng).loss);
        if (told && !told(step, losses.back())) break;
    }
    return losses;
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

}  // namespace tfs
