// tests/10_training/characters_test.cpp · the character model: its first values, a small training, its heads, its file, its recording
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/character_task.hpp"
#include "common/io/weights.hpp"
#include "common/measure.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// For windows of 256 characters. Read once: it takes nearly a second.
const Corpus& shakespeare() {
    static const Corpus corpus = read_corpus(shipped_corpus(), 256);
    return corpus;
}

TextTransformer shipped_writer() {
    return load_network<TextTransformer>(weights_file("characters"), character_kind());
}

constexpr ModelConfig small{
    .layers = 2, .d_model = 32, .heads = 2, .max_len = 16, .positions = PositionKind::learned};

TextTransformer small_model(const Tokenizer& characters) { return new_writer(characters, small, 3); }

// Two sentences by chance, easy to learn: only the first character of each can't be known.
Corpus verses() {
    Rng rng(6);
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += rng.below(2) == 0 ? "the cat sat on the mat. " : "a dog ran to the lake. ";
    return corpus_of(text, "verses", small.max_len);
}

TEST(initial_values, are_those_of_gpt2) {
    Rng rng(1);
    const TextTransformer model(
        {Cut::characters, {"a", "b", "c"}},
        {.layers = 8, .d_model = 64, .heads = 2, .max_len = 32, .positions = PositionKind::learned}, rng);
    draw_initial_values(model.parameters(), 8, rng);
    std::size_t joining = 0;
    for (const auto& [name, tensor] : model.parameters()) {
        const bool joins =
            name.ends_with("attention.w_o.weight") || name.ends_with("feed_forward.down.weight");
        joining += joins ? 1U : 0U;
        const double size = root_mean_square(tensor.values()),
                     few = 4.0 / std::sqrt(static_cast<double>(tensor.size()));
        if (name.ends_with("gamma"))
            EXPECT_EQ(*std::min_element(tensor.values().begin(), tensor.values().end()), 1.0f) << name;
        else if (tensor.rank() == 1)
            EXPECT_EQ(size, 0.0) << name;
        else
            EXPECT_NEAR(size, joins ? 0.02 / 4 : 0.02, (joins ? 0.02 / 4 : 0.02) * few) << name;
    }
    EXPECT_EQ(joining, 16U);
}

TEST(initial_values, begin_with_the_loss_of_a_guess) {
    const Corpus corpus = verses();
    const double bits = bits_per_character(small_model(corpus.tokenizer), corpus, 200);
    EXPECT_NEAR(bits, std::log2(static_cast<double>(corpus.tokenizer.size())), 0.15);
}

TEST(initial_values, refuse_what_they_dont_know) {
    Rng rng(1);
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            draw_initial_values({{"slope", Tensor::zeros({2})}}, 1, rng);
        },
        {"slope"}));
    EXPECT_TRUE(refuses<ValueError>([&] { draw_initial_values({}, 0, rng); }, {"at least one layer"}));
}

TEST(language_model, learns_a_small_text) {
    const Corpus corpus = verses();
    const TextTransformer model = small_model(corpus.tokenizer);
    train(model, corpus, {.config = small, .steps = 150, .batch_size = 8, .rate = 1e-2},
          [](std::size_t, double) { return true; });
    const double bits = bits_per_character(model, corpus, 9999);
    EXPECT_LT(bits, 0.8) << "a uniform guess costs " << std::log2(corpus.tokenizer.size());
    EXPECT_GT(bits, 1.0 / 23) << "less than the text has";
}

// The rounding of other processors adds up: later losses drift apart.
TEST(language_model, its_first_steps_are_those_that_were_recorded) {
    const ShortTraining plan;
    const std::vector<std::pair<std::size_t, double>> recorded = {{1, 4.190}, {5, 3.843}, {10, 3.559}};
    std::vector<double> losses;
    train(new_writer(shakespeare().tokenizer, plan.config, 1), shakespeare(), plan,
          [&](std::size_t step, double loss) {
              losses.push_back(loss);
              return step < recorded.back().first;
          });
    for (const auto& [step, loss] : recorded)
        EXPECT_NEAR(losses.at(step - 1), loss, 0.002) << "step " << step;
}

TEST(language_model, writes_the_likeliest_characters_or_draws_them) {
    const TextTransformer writer = shipped_writer(), little = small_model({Cut::characters, {"a", "b", "c"}});
    const std::string begin = "First Citizen:\n";
    EXPECT_EQ(written(writer, begin, 20),
              writer.tokenizer.decode(generate_greedy(writer.model, writer.tokenizer.encode(begin), 20)));
    Rng first(1), again(1);
    const std::string drawn = written(little, "ab", 200, &first);
    EXPECT_EQ(drawn.size(), 202U) << "more than the context of 16";
    EXPECT_EQ(drawn, written(little, "ab", 200, &again));
    for (const char letter : {'a', 'b', 'c'})
        EXPECT_GT(std::count(drawn.begin(), drawn.end(), letter), 40) << letter;
}

// Weights of one head of 6 queries and keys; query i gives all to key of[i].
Tensor weights_to(const std::vector<std::size_t>& of) {
    std::vector<float> values(36, 0.0f);
    for (std::size_t i = 0; i < 6; ++i) values[i * 6 + of[i]] = 1.0f;
    return Tensor::from({1, 1, 6, 6}, values);
}

TEST(head_scores, are_1_for_a_head_that_does_it_and_0_for_another) {
    const Tensor previous = weights_to({0, 0, 1, 2, 3, 4}), induction = weights_to({0, 0, 0, 1, 2, 3}),
                 same = weights_to({0, 1, 2, 0, 1, 2});
    EXPECT_EQ(back_score(previous, 0, 1), 1.0);
    EXPECT_EQ(induction_score(induction, 0), 1.0);
    EXPECT_EQ(back_score(same, 0, 1), 0.0);
    EXPECT_EQ(back_score(previous, 0, 2), 0.0);
    EXPECT_EQ(back_score(induction, 0, 2), 1.0);
    EXPECT_EQ(induction_score(same, 0), 0.0) << "the same token, and not the one after it";
    EXPECT_EQ(induction_score(previous, 0), 0.0);
}

// 20 windows are read as 16 and 4.
TEST(head_scores, are_means_over_all_windows_however_many_are_read_at_once) {
    const TextTransformer model = small_model({Cut::characters, {"a", "b", "c", "d"}});
    Rng rng(2);
    Ids windows = Ids::from_shape({20, 8});
    for (std::int64_t& id : windows) id = static_cast<std::int64_t>(rng.below(4));
    const CharacterHeads scores = score_heads(model, windows, 20, rng);
    const NoGrad no_grad;
    const std::vector<Tensor> weights = model.model(windows, with_weights).self_weights;
    for (const HeadScores& head : scores.heads)
        EXPECT_NEAR(head.back[0], back_score(weights[head.layer], head.head, 1), 1e-6);
}

Tensor projection(const TextTransformer& model, std::size_t layer) {
    return std::get<Stack>(model.model.stack).blocks[layer].attention.attention.w_o.weight;
}

TEST(insides, a_head_that_hands_on_nothing_costs_nothing_and_the_others_cost_something) {
    const TextTransformer model = shipped_writer();
    const std::size_t width = model.config.d_model / model.config.heads;
    Tensor projection_of_2 = projection(model, 2);
    Array& columns = projection_of_2.mutable_array();
    for (std::size_t row = 0; row < columns.shape()[0]; ++row)
        std::fill(&columns(row, width), &columns(row, width) + width, 0.0f);
    const Array before = columns, other = projection(model, 0).array();
    const auto costs = cost_of_each_head(model, shakespeare(), 200);
    ASSERT_EQ(costs.size(), 4U);
    ASSERT_EQ(costs[2].size(), 4U);
    EXPECT_EQ(costs[2][1], 0.0);
    EXPECT_GT(costs[0][0], 0.1) << "the head that looks one back";
    EXPECT_TRUE(close(projection(model, 2).array(), before, {0.0, 0.0})) << "the weights are as before";
    EXPECT_TRUE(close(projection(model, 0).array(), other, {0.0, 0.0}));
}

const std::filesystem::path& shipped() {
    static const std::filesystem::path file = weights_file("characters_recording");
    return file;
}

TEST(recording, is_what_the_shipped_model_gives) {
    const CharacterRecording now = recorded(shipped_writer(), shakespeare()),
                             file = load_recording(shipped());
    EXPECT_EQ(now.characters, file.characters);
    EXPECT_EQ(now.units, file.units);
    EXPECT_EQ(now.contexts, file.contexts);
    EXPECT_EQ(now.texts, file.texts);
    EXPECT_EQ(now.parts, file.parts);
    // The file keeps 11 significant bits. So does the file of the weights: values and table are the same.
    for (const auto& part :
         {&CharacterRecording::values, &CharacterRecording::table, &CharacterRecording::candidates,
          &CharacterRecording::gamma, &CharacterRecording::beta})
        EXPECT_TRUE(close(file.*part, now.*part, {0.0, 0.0}));
    for (const auto& part :
         {&CharacterRecording::strengths, &CharacterRecording::stream, &CharacterRecording::deviations})
        EXPECT_TRUE(close(file.*part, now.*part, {2e-3, 1e-3}));
    EXPECT_LE(std::filesystem::file_size(shipped()), 420'000U);
}

TEST(recording, a_file_of_something_else_is_refused) {
    EXPECT_TRUE(refuses<FileError>([] { (void)load_recording(weights_file("nouns")); },
                                   {"nouns.safetensors", "no recording", "\"characters\" is missing"}));
    const ScratchFolder folder;
    CharacterRecording short_one = load_recording(shipped());
    short_one.contexts.pop_back();
    save_recording(folder / "short.safetensors", short_one);
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_recording(folder / "short.safetensors"); },
                                   {"units.strengths", "1999"}));
    short_one.contexts.back() = "short";
    save_recording(folder / "short.safetensors", short_one);
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_recording(folder / "short.safetensors"); },
                                   {"\"contexts\" is cut"}));
}

}  // namespace
}  // namespace tfs::test
