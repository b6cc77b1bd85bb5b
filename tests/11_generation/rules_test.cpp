// tests/11_generation/rules_test.cpp · what is allowed as a rule for logits, and models of chapter 09 as models that write
#include <cmath>

#include "chapters/11_generation/given/prompts.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// --- only_where ----------------------------------------------------------------------------------------------------

const Tokenizer letters(Cut::characters, {"a", "b", "é", "<end>"}, {.end = 3});

// No letter twice in a row; and no text of an odd length ends.
bool no_letter_twice(std::string_view written, std::string_view next) {
    if (next.empty()) return written.size() % 2 == 0;
    return !written.ends_with(next);
}

std::vector<float> left_by(const LogitsRule& rule, const TokenIds& text) {
    std::vector<float> logits{1, 2, 3, 4};
    rule(text, logits);
    return logits;
}

TEST(only_where, forbids_what_may_not_follow) {
    const LogitsRule rule = only_where(letters, no_letter_twice, 3, 0);
    EXPECT_EQ(left_by(rule, {}), (std::vector<float>{1, 2, 3, 4})) << "logits that may stay are not changed";
    EXPECT_EQ(left_by(rule, {0}), (std::vector<float>{-infinity, 2, 3, -infinity}));
    EXPECT_EQ(left_by(rule, {0, 1}), (std::vector<float>{1, -infinity, 3, 4}));
    EXPECT_EQ(left_by(rule, {1, 2}), (std::vector<float>{1, 2, -infinity, -infinity})) << "é has two bytes";
}

TEST(only_where, leaves_out_the_prompt) {
    const LogitsRule rule = only_where(letters, no_letter_twice, 3, 2);
    EXPECT_EQ(left_by(rule, {0, 0}), (std::vector<float>{1, 2, 3, 4})) << "nothing is written yet";
    EXPECT_EQ(left_by(rule, {0, 0, 1}), (std::vector<float>{1, -infinity, 3, -infinity}));
}

// Without end_id every token is asked as it is called.
TEST(only_where, takes_no_token_for_the_end_where_there_is_none) {
    std::vector<std::string> asked;
    const MayFollow note = [&](std::string_view, std::string_view next) {
        asked.emplace_back(next);
        return true;
    };
    (void)left_by(only_where(letters, note, std::nullopt, 0), {0});
    EXPECT_EQ(asked, (std::vector<std::string>{"a", "b", "é", "<end>"}));
    asked.clear();
    (void)left_by(only_where(letters, note, 3, 0), {0});
    EXPECT_EQ(asked, (std::vector<std::string>{"a", "b", "é", ""}));
}

TEST(only_where, keeps_what_others_have_forbidden) {
    std::vector<float> logits{-infinity, 2, 3, 4};
    only_where(
        letters, [](auto, auto) { return true; }, 3, 0)(TokenIds{0}, logits);
    EXPECT_EQ(logits, (std::vector<float>{-infinity, 2, 3, 4}));
}

TEST(only_where, refuses_a_model_of_another_vocabulary_and_a_text_without_the_prompt) {
    const LogitsRule rule = only_where(letters, no_letter_twice, 3, 2);
    EXPECT_TRUE(refuses<ValueError>([&] { (void)left_by(rule, {0}); }, {"1", "2"}));
    std::vector<float> five(5, 1.0f);
    EXPECT_TRUE(refuses<ValueError>([&] { rule(TokenIds{0, 1}, five); }, {"5", "4"}));
}

// --- language_model ------------------------------------------------------------------------------------------------

TEST(language_model, is_the_decoder) {
    for (const Transformer& m : writers()) {
        const NoGrad no_grad;
        const LanguageModel model = language_model(m);
        EXPECT_EQ(model.vocab_size, 11u);
        EXPECT_EQ(model.max_len, 24u);
        const Ids ids{{3, 1, 4, 1}, {5, 9, 2, 6}};
        EXPECT_TRUE(close(model.logits(ids, {}), m(ids).logits));
    }
}

TEST(language_model, gives_each_row_of_an_encoder_decoder_the_source) {
    const NoGrad no_grad;
    const Transformer m = translator();
    const Ids source{{4, 2, 9}}, target{{1, 5, 3, 7}};
    const LanguageModel model = language_model(m, source);
    EXPECT_EQ(model.vocab_size, 11u);
    const Tensor right = m(source, target).logits;
    EXPECT_TRUE(close(model.logits(target, {}), right));
    for (const std::size_t rows : {3U, 1U, 2U, 3U}) {
        Ids many = Ids::from_shape({rows, 4});
        for (std::size_t i = 0; i < many.size(); ++i) many.data()[i] = target.data()[i % 4];
        const Tensor found = model.logits(many, {});
        ASSERT_EQ(found.size(0), rows);
        for (std::size_t row = 0; row < rows; ++row)
            EXPECT_TRUE(close(slice(found, 0, row, row + 1), right, {1e-4, 1e-5})) << "row " << row;
    }
}

TEST(language_model, an_encoder_decoder_goes_on_with_a_cache) {
    const NoGrad no_grad;
    const Transformer m = translator();
    const LanguageModel model = language_model(m, Ids{{4, 2, 9}});
    const Ids target{{1, 5, 3, 7}};
    KeyValueCache cache(4);
    const Tensor right = model.logits(target, {});
    for (std::size_t t = 0; t < 4; ++t) {
        const Tensor found =
            model.logits(one_each({target(0, t)}), {.offset = cache.next_position(), .earlier = &cache});
        EXPECT_TRUE(close(found, slice(right, 1, t, t + 1), {1e-4, 1e-5})) << "token " << t;
    }
}

TEST(language_model, refuses_models_of_another_kind) {
    const Transformer decoder = writers()[0], two = translator();
    TransformerConfig config = writer_config(Sinusoids{});
    config.architecture = Architecture::encoder_only;
    Rng rng(1);
    const Transformer encoder(config, rng);
    const Ids source{{4, 2, 9}};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)language_model(two); }, {"language_model"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)language_model(encoder); }, {"an encoder"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)language_model(decoder, source); }, {"language_model"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)language_model(encoder, source); }, {"language_model"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)language_model(two, Ids{{1, 2}, {3, 4}}); }, {"(2, 2)"}));
}

}  // namespace
}  // namespace tfs::test
