// tests/10_training/date_training_test.cpp · step date_training: a new reader of dates, what it says of a batch, and whether it learns
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/10_training/models/date_task.hpp"
#include "common/base/address_sanitizer.hpp"
#include "common/measure.hpp"
#include "tests/support/close.hpp"
#include "tests/support/gradient.hpp"

namespace tfs::test {
namespace {

TextTransformer new_reader(std::uint64_t seed, const ModelConfig& config) {
    Rng rng(seed);
    return new_date_reader(config, rng);
}

// Smaller than the one that is trained, and with dropout.
ModelConfig small_config() {
    ModelConfig config = date_reader_config();
    config.layers = 1;
    config.d_model = 24;
    config.d_ff = 40;
    config.dropout = 0.3;
    return config;
}

Tensor right_logits(const TextTransformer& reader, const Batch& batch, Rng* rng = nullptr) {
    return reader.model(batch.source.value(), batch.inputs, {.rng = rng}).logits;
}

double size_of(const NamedTensor& parameter) { return root_mean_square(parameter.tensor.values()); }

// Random logits cost a little more than a guess: with a deviation of 1 half a nat.
TEST(date_training, a_new_reader_has_the_loss_of_a_guess) {
    const TextTransformer reader = new_reader(1, date_reader_config());
    const Batch batch = batch_of_dates(1);
    const double guess = std::log(static_cast<double>(reader.tokenizer.size())),
                 loss = cross_entropy(right_logits(reader, batch), batch.targets).item();
    EXPECT_LT(loss, guess + 1.5) << fmt::format(
        "the logits of a new reader have the loss {:.2f}; a guess among {} characters costs {:.2f}", loss,
        reader.tokenizer.size(), guess);
}

TEST(date_training, new_readers_have_random_weights) {
    const TextTransformer reader = new_reader(1, date_reader_config());
    const Tensor table = reader.model.embedding.weight,
                 other = new_reader(2, date_reader_config()).model.embedding.weight;
    EXPECT_GT(root_mean_square((table - other).values()), 0.1 * root_mean_square(table.values()))
        << "two seeds draw (nearly) the same table";
    for (const NamedTensor& p : reader.parameters()) {
        if (p.tensor.rank() != 2) continue;
        EXPECT_GT(size_of(p), 1e-3) << p.name << " is (nearly) 0";
    }
}

TEST(date_training, new_readers_have_the_sizes_of_their_config) {
    const auto sizes = [](const TextTransformer& reader) {
        std::string text = fmt::format("dropout {}", reader.config.dropout);
        for (const NamedTensor& p : reader.parameters())
            text += fmt::format("\n{} {}", p.name, to_string(p.tensor.shape()));
        return text;
    };
    Rng rng(1);
    EXPECT_EQ(sizes(new_reader(1, small_config())),
              sizes(TextTransformer(date_kind().tokenizer, small_config(), rng)));
}

TEST(date_training, date_logits_are_those_of_the_model) {
    const TextTransformer reader = new_reader(1, small_config());
    const Batch batch = batch_of_dates(1);
    EXPECT_TRUE(close_named("the logits of 16 dates", date_logits(reader, batch, nullptr),
                            right_logits(reader, batch), {1e-4, 1e-4}));
    Rng rng(5), same(5);
    EXPECT_TRUE(close_named("the logits in a training with dropout 0.3", date_logits(reader, batch, &rng),
                            right_logits(reader, batch, &same), {1e-4, 1e-4}));
    EXPECT_EQ(rng.state(), same.state()) << "the state of the Rng afterwards, which must have moved on";
}

TEST(date_training, every_parameter_gets_a_gradient) {
    const TextTransformer reader = new_reader(1, small_config());
    const Batch batch = batch_of_dates(1);
    const Tensor logits = date_logits(reader, batch, nullptr);
    ASSERT_TRUE(send_back(logits, Tensor::ones(logits.shape()) + logits.detach()));
    EXPECT_TRUE(gradients_reach(reader.parameters()));
}

TEST(date_training, one_batch_is_learned_by_heart_in_the_long_run) {
    if (has_address_sanitizer) GTEST_SKIP() << "80 steps of training take minutes under the sanitizers";
    const std::vector<StepReport> steps = first_tests(1).steps;
    const auto by_loss = [](const StepReport& a, const StepReport& b) { return a.loss < b.loss; };
    const double last = std::min_element(steps.end() - 10, steps.end(), by_loss)->loss,
                 highest = std::max_element(steps.begin(), steps.end(), by_loss)->loss;
    // A smaller table than the constructor draws learns more slowly: 0.12.
    EXPECT_LT(last, 0.3) << fmt::format(
        "the same {} dates for {} steps: the loss was {:.2f} at first, {:.2f} at most, and {:.2f} at the end",
        rows_of_first_tests, steps_of_first_tests, steps.front().loss, highest, last);
}

}  // namespace
}  // namespace tfs::test
