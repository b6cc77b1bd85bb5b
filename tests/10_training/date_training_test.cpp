// tests/10_training/date_training_test.cpp · step date_training: a new reader of dates, what it says of a batch, and whether it learns
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "chapters/10_training/models/first_tests.hpp"
#include "common/base/address_sanitizer.hpp"
#include "common/measure.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t seeds = 3;

TextTransformer new_reader(std::uint64_t seed, const ModelConfig& config = date_reader_config()) {
    Rng rng(seed);
    return new_date_reader(config, rng);
}

Tensor right_logits(const TextTransformer& reader, const Batch& batch, Rng* rng = nullptr) {
    return reader.model(batch.source.value(), batch.inputs, {.rng = rng}).logits;
}

// The loss of new readers, as a mean over seeds.
double first_loss(const std::function<void(TextTransformer&)>& change = [](TextTransformer&) {}) {
    double sum = 0.0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        TextTransformer reader = new_reader(seed);
        change(reader);
        const Batch batch = batch_of_dates(seed);
        sum += cross_entropy(right_logits(reader, batch), batch.targets).item();
    }
    return sum / seeds;
}

// A guess costs ln(vocab). Random logits cost a little more: with a deviation of 1 half a nat.
double most_at_first(std::size_t vocab) { return std::log(static_cast<double>(vocab)) + 1.5; }

// The parameter without whose size the first loss would be right; empty where no single one makes the difference.
std::string too_large(std::size_t vocab) {
    const TextTransformer reader = new_reader(1);
    const Parameters all = reader.parameters();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double size = root_mean_square(all[i].tensor.values()),
                     usual = 1.0 / std::sqrt(static_cast<double>(all[i].tensor.size(-1)));
        if (all[i].tensor.shape().size() != 2 || size < 2.0 * usual) continue;
        const double changed = first_loss([&](TextTransformer& changed_reader) {
            Parameters parameters = changed_reader.parameters();
            parameters[i].tensor.mutable_array() *= static_cast<float>(usual / size);
        });
        if (changed > most_at_first(vocab)) continue;
        return fmt::format(
            "{} is too large: its entries are about {:.2f} in size, which makes scores of about the size of "
            "its rows, {:.1f}; with entries of {:.2f} the loss would be {:.2f}",
            all[i].name, size, size * std::sqrt(static_cast<double>(all[i].tensor.size(-1))), usual, changed);
    }
    return "";
}

// Whether date_logits gives rows of probabilities, which sum to 1.
bool gives_probabilities() {
    const Tensor sums = sum(date_logits(new_reader(1), batch_of_dates(1), nullptr), -1);
    return close(sums, Tensor::ones(sums.shape()), {0.0, 1e-3});
}

TEST(date_training, a_new_reader_has_the_loss_of_a_guess) {
    const std::size_t vocab = new_reader(1).tokenizer.size();
    const double loss = first_loss();
    std::string likely = loss > most_at_first(vocab) ? too_large(vocab) : "";
    if (loss > most_at_first(vocab) && likely.empty()) likely = "several weights are too large";
    EXPECT_LT(loss, most_at_first(vocab))
        << fmt::format(
               "the logits of a new reader have the loss {:.2f} (the mean over {} seeds); a guess among {} "
               "characters "
               "costs ln {} = {:.2f}",
               loss, seeds, vocab, vocab, std::log(vocab))
        << likely_if(!likely.empty(), likely);
}

TEST(date_training, new_readers_have_random_weights) {
    const Tensor first = new_reader(1).model.embedding.weight, second = new_reader(2).model.embedding.weight;
    EXPECT_GT(root_mean_square((first - second).values()), 0.1 * root_mean_square(first.values()))
        << "two seeds draw (nearly) the same table";
    for (const NamedTensor& parameter : new_reader(1).parameters()) {
        if (parameter.tensor.shape().size() != 2) continue;
        EXPECT_GT(root_mean_square(parameter.tensor.values()), 1e-3) << parameter.name << " is (nearly) 0";
    }
}

TEST(date_training, date_logits_are_those_of_the_model) {
    ModelConfig config = date_reader_config();
    config.dropout = 0.3;
    const TextTransformer reader = new_reader(1, config);
    const Batch batch = batch_of_dates(1);
    const Tensor right = right_logits(reader, batch);
    const std::vector<Suspect> suspects{
        {"these are probabilities, not logits: cross_entropy takes the softmax itself",
         [&] { return softmax(right); }},
        {"these are logarithms of probabilities; the logits are what the model gives",
         [&] { return log(softmax(right)); }},
        {"softmax runs along the wrong axis, and it isn't needed: cross_entropy takes it itself",
         [&] { return softmax(right, 1); }},
        {"the decoder reads the targets, not the inputs: at each position it sees the answer",
         [&] { return reader.model(batch.source.value(), batch.targets).logits; }}};
    const Tensor logits = date_logits(reader, batch, nullptr);
    ASSERT_TRUE(close_named("the logits of 16 dates", logits, right, {1e-4, 1e-4}, suspects));
    Rng rng(5), same(5);
    EXPECT_TRUE(close_named(
        "the logits in a training with dropout 0.3", date_logits(reader, batch, &rng),
        right_logits(reader, batch, &same), {1e-4, 1e-4},
        {{"the Rng does not reach the model: nothing is dropped in training", [&] { return right; }}}));
}

TEST(date_training, every_parameter_gets_a_gradient) {
    const TextTransformer reader = new_reader(1);
    const Batch batch = batch_of_dates(1);
    cross_entropy(date_logits(reader, batch, nullptr), batch.targets).backward();
    std::vector<std::string> without;
    for (const NamedTensor& parameter : reader.parameters())
        if (!parameter.tensor.has_grad()) without.push_back(parameter.name);
    EXPECT_TRUE(without.empty()) << fmt::format(
        "no gradient reaches {} of {} parameters; the first of them is {}", without.size(),
        reader.parameters().size(), without.empty() ? "" : without.front());
}

TEST(date_training, one_batch_is_learned_by_heart) {
    if (has_address_sanitizer) GTEST_SKIP() << "80 steps of training take minutes under the sanitizers";
    const FirstTests tests = first_tests(1);
    double last = tests.steps.back().loss;
    for (std::size_t back = 2; back <= 10; ++back)
        last = std::min(last, tests.steps[tests.steps.size() - back].loss);
    constexpr double learned = 0.3;  // a smaller table than the constructor draws learns more slowly: 0.12
    if (last < learned) return;
    const bool probabilities = gives_probabilities(),
               large = !probabilities && first_loss() > most_at_first(tests.vocab);
    FAIL() << fmt::format("the same {} dates for {} steps, and the loss is {:.2f}; it should be below {}",
                          rows_of_first_tests, steps_of_first_tests, last, learned)
           << likely_if(probabilities,
                        "date_logits gives probabilities: cross_entropy takes the softmax "
                        "once more, and the loss can't come near 0")
           << likely_if(large, "the first weights are too large");
}

}  // namespace
}  // namespace tfs::test
