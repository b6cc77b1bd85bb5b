// tests/02_masks/trained_head_test.cpp · what the lesson says of a trained head under masks
#include "chapters/01_attention/models/noun_finder.hpp"
#include "common/io/weights.hpp"
#include "common/text/tokenizer.hpp"
#include "tests/02_masks/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

NounFinder trained_head() { return trained_noun_finder(); }

const std::vector<std::string> sentence = split_words("the cat sat on the mat because it was tired");

TEST(trained_head, a_trained_head_finds_its_noun_under_every_mask_that_shows_it) {
    const NounFinder model = trained_head();
    const std::optional<Mask> shows[] = {std::nullopt, causal_mask(10), prefix_mask(10, 4),
                                         sliding_window_mask(10, 9)};
    for (const std::optional<Mask>& mask : shows) {
        const NounGuess found = guess_noun(model, sentence, mask);
        EXPECT_EQ(sentence[found.most], "cat");
        EXPECT_GT(found.weights[found.most], 0.9f);
        EXPECT_EQ(found.noun, "cat");
    }
}

TEST(trained_head, a_trained_head_answers_something_else_where_a_mask_hides_its_noun) {
    const NounGuess hidden = guess_noun(trained_head(), sentence, sliding_window_mask(10, 3));
    EXPECT_EQ(hidden.weights[1], 0.0f);
    EXPECT_EQ(sentence[hidden.most], "was");
    EXPECT_GT(hidden.weights[hidden.most], 0.9f) << "the whole weight goes to what is left";
    EXPECT_NE(hidden.noun, "cat");
}

TEST(trained_head, a_trained_head_finds_its_noun_in_a_padded_source) {
    const NounFinder model = trained_head();
    const auto padding = static_cast<std::int64_t>(model.tokenizer.size());
    Ids ids = padded_ids(model, {split_words("bird near box <pad> <pad> <pad>")}, padding);
    const Mask mask = padding_mask(ids, padding);
    for (std::int64_t& id : ids) id = id == padding ? 0 : id;
    const Tensor source = model.embedding(ids);
    const Tensor weights =
        model.attention(model.embedding(model.tokenizer.encode("tired wooden")), source, source, mask)
            .weights;
    EXPECT_GT(weights.at({0, 0, 0, 0}), 0.9f);
    EXPECT_GT(weights.at({0, 0, 1, 2}), 0.9f);
    for (const std::size_t key : {3U, 4U, 5U}) EXPECT_EQ(weights.at({0, 0, 0, key}), 0.0f);
    EXPECT_TRUE(refuses<ValueError>([&] { (void)padded_ids(model, {{"zebra"}}, padding); }, {"\"zebra\""}));
}

}  // namespace
}  // namespace tfs::test
