// tests/common/report_map_test.cpp · the heat map in the terminal
#include "common/report/map.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "common/text.hpp"
#include "tests/common/occurrences.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::occurrences;
using test::refuses;

constexpr Terminal plain{false, false};

Array values_of(const Shape& shape, const std::vector<float>& values) {
    Array array = Array::from_shape(shape);
    std::copy(values.begin(), values.end(), array.begin());
    return array;
}

std::string without_colour(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            i = text.find('m', i);
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string printed(const Array& values, const MapText& text, Terminal style = plain) {
    std::ostringstream out;
    print_map(out, values, text, style);
    std::istringstream lines(without_colour(out.str()));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), screen_columns) << line;
    return out.str();
}

MapText causal_pair() {
    MapText text{"weights", {"the", "cat"}, {"the", "cat"}, {}};
    text.allowed = xt::xarray<bool>{{true, false}, {true, true}};
    return text;
}

TEST(heat_map, says_what_is_not_allowed_in_given_words_and_the_sum_without_the_entropy) {
    MapText text = causal_pair();
    text.row_entropy = false;
    text.masked_means = "dropped";
    const std::string shown = printed(values_of({2, 2}, {1.25f, 0.0f, 0.5f, 0.5f}), text);
    EXPECT_EQ(occurrences(shown, "is dropped"), 1U) << shown;
    EXPECT_EQ(occurrences(shown, "masked"), 0U) << shown;
    EXPECT_EQ(occurrences(shown, "  sum"), 1U) << shown;
    EXPECT_EQ(occurrences(shown, "1.25"), 3U) << shown;  // the cell, its sum, and the range of the shades
    EXPECT_EQ(occurrences(shown, "entropy"), 0U) << shown;
}

TEST(heat_map, labels_axes_and_shows_two_decimals) {
    const std::string text = printed(values_of({2, 2}, {0.25f, 0.75f, 0.5f, 0.5f}),
                                     {"weights", {"the", "cat"}, {"the", "cat"}, {}});
    EXPECT_EQ(occurrences(text, "query (down) / key (right)"), 1U) << text;
    EXPECT_EQ(occurrences(text, "0.25"), 1U) << text;
    EXPECT_EQ(occurrences(text, "0.50"), 2U) << text;
}

TEST(heat_map, shows_sum_and_entropy_in_nats) {
    const std::string text = printed(values_of({2, 2}, {0.5f, 0.5f, 1.0f, 0.0f}), {"", {}, {}, {}});
    EXPECT_EQ(occurrences(text, "entropy (nats)"), 1U) << text;
    EXPECT_EQ(occurrences(text, "0.69"), 1U) << text;  // ln 2
    MapText quiet;
    quiet.row_statistics = false;
    EXPECT_EQ(occurrences(printed(values_of({2, 2}, {0.5f, 0.5f, 1.0f, 0.0f}), quiet), "entropy"), 0U);
}

TEST(heat_map, draws_masked_cells_as_masked_and_not_as_zero) {
    const Array values = values_of({2, 2}, {1.0f, 0.0f, 0.4f, 0.6f});
    for (const bool colour : {false, true}) {
        const std::string text = printed(values, causal_pair(), {colour, false});
        EXPECT_EQ(occurrences(text, "··"), 2U) << "one cell, and the legend: " << text;
        EXPECT_EQ(occurrences(text, "0.00"), 2U) << "one entropy, and the legend: " << text;
    }
}

TEST(heat_map, keeps_masked_values_out_of_sum_and_range) {
    const std::string text = printed(values_of({2, 2}, {1.0f, 99.0f, 0.4f, 0.6f}), causal_pair());
    EXPECT_EQ(occurrences(text, "99"), 0U) << text;
    EXPECT_EQ(occurrences(text, "shades from 0.00 to 1.00"), 1U) << text;
}

TEST(heat_map, uses_nothing_but_ascii_where_asked) {
    MapText text = causal_pair();
    text.title = "head 1 · 가중치";
    text.rows = {"고양이", "averyveryverylongtoken"};
    text.columns = text.rows;
    const std::string output = printed(values_of({2, 2}, {0.25f, 0.75f, -0.5f, 0.5f}), text, {false, true});
    EXPECT_TRUE(is_ascii(output)) << output;
    EXPECT_EQ(occurrences(output, "--"), 2U) << output;
}

TEST(heat_map, shows_no_text_that_a_terminal_would_obey) {
    const std::string text = printed(values_of({1, 1}, {0.5f}), {"\x1b[2J", {"\u202Ea"}, {"\x08z"}, {}});
    for (const char* bad : {"\x1b", "\u202E", "\x08"}) EXPECT_EQ(occurrences(text, bad), 0U) << text;
    for (const char* part : {R"(\x1b[2J)", R"(\xe2\x80\xaea)", R"(\x08z)"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in " << text;
}

TEST(heat_map, colours_only_where_asked) {
    const Array values = values_of({1, 2}, {0.25f, 0.75f});
    EXPECT_EQ(occurrences(printed(values, {}), "\x1b"), 0U);
    EXPECT_GT(occurrences(printed(values, {}, {true, false}), "\x1b[48;5;"), 0U);
}

TEST(heat_map, splits_wide_maps_into_groups) {
    const std::string text = printed(values_of({1, 40}, std::vector<float>(40, 0.025f)), {});
    EXPECT_EQ(occurrences(text, "of 40"), 4U) << text;
    EXPECT_EQ(occurrences(text, "0.03") + occurrences(text, "0.02"), 40U + 1U) << text;  // the legend too
}

TEST(heat_map, fits_long_korean_tokens) {
    const std::vector<std::string> tokens(12, "아주아주긴토큰이올시다");
    printed(values_of({12, 12}, std::vector<float>(144, 0.08f)), {"지도", tokens, tokens, {}});
}

TEST(heat_map, names_what_is_not_finite) {
    const std::string text = printed(values_of({1, 3}, {NAN, -INFINITY, 1.0f}), {});
    EXPECT_GE(occurrences(text, "NaN"), 1U) << text;
    EXPECT_GE(occurrences(text, "-inf"), 1U) << text;
}

TEST(heat_map, refuses_what_does_not_fit) {
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            printed(Array::from_shape({2, 2, 2}), {});
        },
        {"two axes", "(2, 2, 2)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            printed(Array::from_shape({2, 2}), {"", {"a"}, {}, {}});
        },
        {"1 row", "(2, 2)"}));
    EXPECT_TRUE(refuses<ShapeError>([] { printed(Array::from_shape({3, 2}), causal_pair()); }, {"(3, 2)"}));
    MapText text;
    text.allowed = xt::xarray<bool>::from_shape({1, 2});
    text.allowed->fill(true);
    EXPECT_TRUE(refuses<ShapeError>([&] { printed(Array::from_shape({2, 2}), text); }, {"mask", "(1, 2)"}));
}

}  // namespace
}  // namespace tfs
