// tests/08_encoder_decoder/date_translator_test.cpp · what the lesson says of the maps of the trained model that reads dates
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"

#include <algorithm>

#include "common/io/weights.hpp"
#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

DateTranslator translator_of(const std::string& name) {
    return load_network<DateTranslator>(weights_file(name), date_kind());
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

TEST(date_translator, looks_at_the_field_that_a_digit_is_made_from) {
    const CrossStackOutput maps = date_maps(translator_of("dates"), "8 Apr 1998", "1998-04-08");
    EXPECT_GT(least_weight(maps, 0, 4, 6, 10), 0.9f) << "year";
    EXPECT_GT(least_weight(maps, 5, 7, 2, 5), 0.9f) << "month";
    EXPECT_GT(least_weight(maps, 8, 10, 0, 1), 0.9f) << "day";
}

// Each position gives the next character of the answer the largest score, so it writes just this answer.
TEST(date_translator, writes_the_dates_whose_maps_are_shown) {
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

TEST(date_translator, refuses_the_weights_of_other_models) {
    EXPECT_TRUE(refuses<FileError>([] { (void)translator_of("it"); }, {"missing"}));
    EXPECT_TRUE(refuses<FileError>([] { (void)translator_of("nouns"); }, {"layers"}));
}

}  // namespace
}  // namespace tfs::test
