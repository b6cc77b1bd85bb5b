// tests/08_encoder_decoder/trained_maps_test.cpp · what the lesson says of the maps of trained models
#include <algorithm>

#include "chapters/08_encoder_decoder/models/trained_maps.hpp"
#include "common/io/weights.hpp"
#include "common/text/tokenizer.hpp"
#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

ItReader trained_reader() { return load_network<ItReader>(weights_file("it"), it_reader_kind()); }
CharacterDecoder writer_of(const std::string& name) {
    return load_network<CharacterDecoder>(weights_file(name), character_kind());
}
DateTranslator translator_of(const std::string& name) {
    return load_network<DateTranslator>(weights_file(name), date_kind());
}

std::vector<std::string> because_it_was(const std::string& last) {
    return split_words("the dog chased the cat because it was " + last);
}

// The weight of characters begin … end-1 of the answer on the characters first … last-1 of the text, at least.
float least_weight(const CrossStackOutput& maps, std::size_t begin, std::size_t end, std::size_t first,
                   std::size_t last) {
    float least = 1.0f;
    for (std::size_t i = begin; i < end; ++i) {
        float on = 0.0f;
        for (std::size_t key = first; key < last; ++key) on += maps.cross_weights[0].at({0, 0, i, key});
        least = std::min(least, on);
    }
    return least;
}

TEST(trained_maps, the_trained_encoder_looks_at_the_noun_that_it_stands_for) {
    const ItReader reader = trained_reader();
    for (const auto& [last, noun] : {std::pair{"hungry", 1U}, {"weak", 4U}}) {
        const std::vector<Tensor> maps = encoder_maps(reader, because_it_was(last));
        ASSERT_EQ(maps.size(), 2U);
        EXPECT_GT(maps[1].at({0, 0, 6, noun}), 0.99f) << last;
    }
    EXPECT_GT(encoder_maps(reader, because_it_was("hungry"))[0].at({0, 0, 0, 2}), 0.7f) << "the first word";
}

TEST(trained_maps, a_stack_with_the_readers_blocks_gives_what_the_reader_gives) {
    const ItReader reader = trained_reader();
    const Tensor x = reader.embed(reader.encode(because_it_was("hungry")));
    EXPECT_TRUE(close(reader.output(encoder_of(reader)(x).output), reader.read(x).logits));
}

TEST(trained_maps, a_digit_of_a_date_looks_at_the_field_that_it_is_made_from) {
    const DateTranslator dates = translator_of("dates");
    const CrossStackOutput maps = date_maps(dates, "8 Apr 1998", "1998-04-08");
    EXPECT_GT(least_weight(maps, 0, 4, 6, 10), 0.9f) << "year";
    EXPECT_GT(least_weight(maps, 5, 7, 2, 5), 0.9f) << "month";
    EXPECT_GT(least_weight(maps, 8, 10, 0, 1), 0.9f) << "day";
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t later = i + 1; later < 10; ++later)
            EXPECT_EQ(maps.self_weights[0].at({0, 0, i, later}), 0.0f);
}

// Each position gives the next character of the answer the largest score, so it writes just this answer.
TEST(trained_maps, the_dates_whose_maps_are_shown_are_written_so_by_the_model) {
    const DateTranslator dates = translator_of("dates");
    for (const auto& [text, answer] :
         {std::pair{"8 Apr 1998", "1998-04-08"}, {"Wednesday, 22 September 2021", "2021-09-22"}}) {
        const Tensor scores = linear(date_maps(dates, text, answer).output, dates.embedding.weight);
        const Ids written = dates.tokenizer.encode(answer);
        for (std::size_t i = 0; i < date_answer_length; ++i)
            for (std::size_t id = 0; id < scores.size(2); ++id)
                EXPECT_LE(scores.at({0, i, id}), scores.at({0, i, static_cast<std::size_t>(written(0, i))}))
                    << text << ", character " << i;
    }
}

TEST(trained_maps, two_heads_of_the_trained_decoder_look_at_the_character_before_and_at_the_last_space) {
    const std::string text = "half of my";
    const std::vector<Tensor> maps = writer_maps(writer_of("characters"), text);
    ASSERT_EQ(maps.size(), 4U);
    const auto most_at = [&](std::size_t layer, std::size_t head, std::size_t query) {
        std::size_t most = 0;
        for (std::size_t key = 1; key < text.size(); ++key)
            if (maps[layer].at({0, head, query, key}) > maps[layer].at({0, head, query, most})) most = key;
        return most;
    };
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool is_space = text[i] == ' ';
        const std::size_t before = is_space ? i : i - 1, space = text.rfind(' ', i);
        EXPECT_EQ(most_at(0, 0, i), before);
        EXPECT_GT(maps[0].at({0, 0, i, before}), is_space ? 0.88f : 0.41f) << "the character before " << i;
        if (space != std::string::npos) {
            EXPECT_EQ(most_at(1, 3, i), space);
            EXPECT_GT(maps[1].at({0, 3, i, space}), 0.39f) << "the last space that " << i << " sees";
        }
        for (std::size_t later = i + 1; later < text.size(); ++later)
            for (const auto& [layer, head] : {std::pair{0U, 0U}, {1U, 3U}})
                EXPECT_EQ(maps[layer].at({0, head, i, later}), 0.0f);
    }
}

TEST(trained_maps, the_trained_models_refuse_what_they_dont_know) {
    const ItReader reader = trained_reader();
    const CharacterDecoder writer = writer_of("characters");
    for (const auto& [words, named] :
         {std::pair(std::vector<std::string>{"the", "cat", "sat", "it"}, "\"sat\""),
          std::pair(std::vector<std::string>{"the", "dog"}, "\"it\"")})
        EXPECT_TRUE(refuses<ValueError>([&, &words = words] { (void)encoder_maps(reader, words); }, {named}));
    for (const auto& [text, named] : {std::pair("1 lord", "\"1\""), std::pair("", "at least one")})
        EXPECT_TRUE(refuses<ValueError>([&, &text = text] { (void)writer_maps(writer, text); }, {named}));
    EXPECT_TRUE(refuses<FileError>([] { (void)translator_of("it"); }, {"missing"}));
    EXPECT_TRUE(refuses<FileError>([] { (void)writer_of("it"); }, {"context"}));
    EXPECT_TRUE(refuses<FileError>([] { (void)translator_of("nouns"); }, {"layers"}));
}

}  // namespace
}  // namespace tfs::test
