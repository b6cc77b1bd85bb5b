// tests/common/report_cost_table_test.cpp · the table of a whole model
#include "common/report/cost_table.hpp"

#include <sstream>

#include "common/report/sinks.hpp"
#include "common/tensor/named_axes.hpp"
#include "common/terminal/display.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

using test::refuses;

std::string table_of(const std::vector<PartCost>& parts) {
    std::ostringstream out;
    print(out, cost_table(parts));
    print(out, Paragraph{size_of_weights(parts)});
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), screen_columns) << line;
    return out.str();
}

std::vector<PartCost> small_model() {
    return {{.part = "embedding.token",
             .output = {1, 10, 64},
             .axes = {"batch", "seq", "d_model"},
             .parameters = 1'953'408,
             .bytes = 2560},
            {.part = "blocks.attention.query",
             .output = {1, 10, 64},
             .axes = {"batch", "seq", "d_model"},
             .parameters = 4160,
             .flops = 81920,
             .bytes = 2560,
             .repeated = 12},
            {.part = "blocks.attention.scores",
             .output = {1, 4, 10, 10},
             .axes = {"batch", "heads", "query", "key"},
             .flops = 12800,
             .bytes = 1600,
             .repeated = 12},
            {.part = "head",
             .output = {1, 10, 30522},
             .axes = {"batch", "seq", "vocabulary"},
             .flops = 39'068'160,
             .bytes = 1'220'880,
             .note = "tied to embedding.token"}};
}

TEST(cost_table, is_a_tree_of_parts_with_a_total_of_all_repeats) {
    EXPECT_EQ(table_of(small_model()),
              "  part               output                                parameters    FLOPs     bytes\n"
              "  embedding\n"
              "    token            (batch 1, seq 10, d_model 64)          1,953,408        -  2.50 KiB\n"
              "  blocks\n"
              "    attention\n"
              "      query    x 12  (batch 1, seq 10, d_model 64)              4,160  81.92 k  2.50 KiB\n"
              "      scores   x 12  (batch 1, heads 4, query 10, key 10)           -  12.80 k  1.56 KiB\n"
              "  head               (batch 1, seq 10, vocabulary 30522)            -  39.07 M  1.16 MiB\n"
              "                     tied to embedding.token\n"
              "  --------------------------------------------------------------------------------------\n"
              "  total                                                     2,003,328  40.20 M  1.21 MiB\n"
              "  the weights as float32: 7.64 MiB\n");
}

TEST(cost_table, counts_billions_exactly) {
    const std::string text = table_of({{.part = "a", .parameters = 202'383'360, .repeated = 32},
                                       {.part = "b", .parameters = 6'738'415'616 - 32 * 202'383'360UL}});
    EXPECT_NE(text.find("6,738,415,616"), std::string::npos) << text;
    EXPECT_NE(text.find("25.10 GiB"), std::string::npos) << text;
}

TEST(cost_table, stays_within110_columns_for_long_names_shapes_and_notes) {
    const std::string name(60, 'n');
    const std::string text = table_of({{.part = "decoder." + name + "." + name,
                                        .output = {16, 12, 1024, 1024},
                                        .axes = {"batch", "heads", "a long name of an axis", "another one"},
                                        .parameters = 6'738'415'616,
                                        .flops = 999'999'999'999,
                                        .bytes = 1'000'000'000,
                                        .repeated = 1024,
                                        .note = "note " + name + " " + name + " " + name},
                                       {.part = "각 층의 피드포워드", .output = {1, 2}, .axes = {"b", "c"}}});
    EXPECT_NE(text.find(" 1024)"), std::string::npos) << "a long shape is wrapped, not cut: " << text;
    EXPECT_NE(text.find("nnn…"), std::string::npos) << text;
}

TEST(cost_table, shows_no_text_that_a_terminal_would_obey) {
    const std::string text = table_of({{.part = "a\x1b[2J.b\u202E", .note = "\u009b2J"}});
    EXPECT_EQ(text.find_first_of("\x1b\xc2\xe2"), std::string::npos) << text;
    for (const char* part : {R"(a\x1b[2J)", R"(b\xe2\x80\xae)", R"(\xc2\x9b2J)"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in " << text;
}

TEST(cost_table, aligns_columns_by_display_width) {
    std::istringstream lines(table_of({{.part = "층"}, {.part = "layer"}}));
    std::string head, korean, english;
    std::getline(lines, head);
    std::getline(lines, korean);
    std::getline(lines, english);
    EXPECT_EQ(display_width(korean), display_width(head));
    EXPECT_EQ(display_width(english), display_width(head));
}

TEST(cost_table, refuses_no_parts_and_unnamed_axes) {
    EXPECT_TRUE(refuses<ValueError>([] { table_of({}); }, {"costs", "no part"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            table_of({{.part = "head", .output = {2, 3}, .axes = {"batch"}}});
        },
        {"head", "1 name", "(2, 3)"}));
}

TEST(numbers, are_shown_in_units_that_read_well) {
    EXPECT_EQ(with_separators(0), "0");
    EXPECT_EQ(with_separators(999), "999");
    EXPECT_EQ(with_separators(1000), "1,000");
    EXPECT_EQ(with_separators(109'482'240), "109,482,240");
    EXPECT_EQ(in_flops(0), "0");
    EXPECT_EQ(in_flops(999), "999");
    EXPECT_EQ(in_flops(1234), "1.23 k");
    EXPECT_EQ(in_flops(999'999), "1.00 M") << "not 1000.00 k";
    EXPECT_EQ(in_flops(1.23e9), "1.23 G");
    EXPECT_EQ(in_bytes(512), "512 B");
    EXPECT_EQ(in_bytes(1536), "1.50 KiB");
    EXPECT_EQ(in_bytes(4.56 * 1024 * 1024), "4.56 MiB");
    EXPECT_EQ(in_bytes(1024.0 * 1024 * 1024 - 1), "1.00 GiB");
}

TEST(named_shape, names_every_axis) {
    EXPECT_EQ(named_shape({2, 3}, {"batch", "seq"}), "(batch 2, seq 3)");
    EXPECT_EQ(named_shape({}, {}), "()");
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            static_cast<void>(named_shape({2, 3}, {"batch"}));
        },
        {"1 name", "(2, 3)"}));
}

}  // namespace
}  // namespace tfs
