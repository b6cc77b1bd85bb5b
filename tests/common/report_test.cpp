// tests/common/report_test.cpp · reports as values, and what each sink makes of them
#include "common/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include <nlohmann/json.hpp>

#include "common/report/sinks.hpp"
#include "common/terminal/display.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Json = nlohmann::ordered_json;

std::string printed(const Report& report) {
    std::ostringstream out;
    print(out, report, {.ascii = true});
    return out.str();
}

Table times() {
    Table table{.title = "a <measurement>",
                .columns = {{"kind"},
                            {"T", whole()},
                            {"time", significant(3), "ms", "attention"},
                            {"weights", bytes(), "", "attention"}}};
    table.add({"short", 64, 0.25, 1536});
    table.add({"long", 2048, 256.0, {}});
    table.add({"all", 2112, {12.5, fixed(2, " %")}, {}});
    table.totals = 1;
    return table;
}

TEST(number_format, writes_each_notation) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(format(0.5, fixed(2)), "0.50");
    EXPECT_EQ(format(-0.001, fixed(2)), "0.00") << "a rounding to zero has no sign";
    EXPECT_EQ(format(12.4, whole(" %")), "12 %");
    EXPECT_EQ(format(1.24e-7, scientific(1)), "1.2e-07");
    EXPECT_EQ(format(0.0012344, significant(4)), "0.001234");
    EXPECT_EQ(format(109482240, thousands()), "109,482,240");
    EXPECT_EQ(format(1.23e9, flops()), "1.23 G");
    EXPECT_EQ(format(1536, bytes()), "1.50 KiB");
    EXPECT_EQ(format(3e-6, magnitude()), "below 1e-5");
    EXPECT_EQ(format(9e-6, magnitude()), "below 1e-5");
    EXPECT_EQ(format(0.0126, magnitude()), "0.013");
    EXPECT_EQ(format(3.456, magnitude(5, 2)), "3.46");
    EXPECT_EQ(format(9e-5, magnitude(4)), "below 1e-4");
    EXPECT_EQ(format(9e-4, magnitude(4, 4)), "0.0009");
    EXPECT_EQ(format(0.25, magnitude(5, 2)), "0.25");
    EXPECT_EQ(format(-infinity, fixed(2)), "-inf");
    EXPECT_EQ(format(std::nan(""), thousands()), "NaN");
}

TEST(report_table, is_aligned_with_groups_and_totals_apart) {
    Report report;
    report.add(times());
    EXPECT_EQ(printed(report),
              "  a <measurement>\n"
              "              |          attention\n"
              "  kind      T | time, ms   weights\n"
              "  short    64 |     0.25  1.50 KiB\n"
              "  long   2048 |      256\n"
              "  --------------------------------\n"
              "  all    2112 |  12.50 %\n");
}

TEST(report_table, breaks_words_that_do_not_fit_below_each_other) {
    Table table{.columns = {{"name"}, {"n", whole()}, {"what it does"}}};
    std::string words;
    for (int i = 0; i < 40; ++i) words += (i > 0 ? " " : "") + std::string("word") + std::to_string(i);
    table.add({"층", 7, words});
    Report report;
    report.add(table);
    std::istringstream lines(printed(report));
    std::string all;
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_LE(display_width(line), screen_columns) << line;
        all += line;
    }
    EXPECT_GT(count, 3U);
    EXPECT_NE(all.find("word39"), std::string::npos) << "nothing is cut";
}

TEST(report_table, gives_the_curve_of_two_columns) {
    const Series curve = series(times(), "T", "time");
    EXPECT_EQ(curve.name, "time");
    EXPECT_EQ(curve.x, (std::vector<double>{64, 2048, 2112}));
    EXPECT_EQ(curve.y, (std::vector<double>{0.25, 256, 12.5}));
    EXPECT_EQ(series(times(), "T", "weights").x.size(), 1U) << "rows without a number are left out";
    EXPECT_TRUE(refuses<ValueError>([] { (void)series(times(), "T", "size"); }, {"no column \"size\""}));
}

TEST(report_table, refuses_a_row_of_another_length) {
    EXPECT_TRUE(refuses<ValueError>([] { times().add({"short"}); },
                                    {"the table of kind, T, time, weights", "1 cells", "4 columns"}));
}

TEST(report, prints_its_items_in_their_order_and_no_figure) {
    Report report;
    report.note("a line\nand another");
    report.step("x", Tensor::from({1, 2}, {1, 3}), {"batch", "d_model"}, "a row");
    EXPECT_TRUE(report.check_rows_sum_to_one("weights", Tensor::from({1, 2}, {0.5, 0.5})));
    report.add(Map{Array{{0.25, 0.75}}, {.rows = {"a"}, .columns = {"b", "c"}}});
    report.add(LineFigure{.name = "curve", .title = "not on a terminal", .panels = {}});
    report.quote("  a text,\nas it is");
    const std::string text = printed(report);
    EXPECT_EQ(text.find("  a line\n  and another\n"), 0U) << text;
    for (const char* part :
         {"(batch 1, d_model 2)", "1.000    2.000    3.000  a row", "check  weights: rows sum to 1", "0.25",
          "0.75", "\n      a text,\n    as it is\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    EXPECT_EQ(text.find("terminal"), std::string::npos);
}

TEST(report, shows_nothing_that_a_terminal_or_a_page_would_obey) {
    Report report;
    report.note("<b>\x1b[2J");
    Table table{.columns = {{"<th>\x1b"}}};
    table.add({"<td>\u202E"});
    report.add(table);
    EXPECT_EQ(printed(report).find_first_of("\x1b\xe2"), std::string::npos) << printed(report);
    EXPECT_EQ(html(report).find_first_of("\x1b"), std::string::npos) << html(report);
    for (const char* tag : {"<b>", "<th><th>", "<td><td>"})
        EXPECT_EQ(html(report).find(tag), std::string::npos) << html(report);
}

TEST(report, is_a_table_with_headings_and_numbers_on_a_page) {
    Report report;
    report.add(times());
    const std::string page = html(report);
    for (const char* part : {"<caption>a &lt;measurement&gt;</caption>", "<th colspan=\"2\">attention</th>",
                             "<th class=\"n\">time, ms</th>", "<td>short</td>",
                             "<td class=\"n\">1.50 KiB</td>", "<td class=\"n\">12.50 %</td>"})
        EXPECT_NE(page.find(part), std::string::npos) << part << " is not in " << page;
}

TEST(report, shows_a_text_token_by_token) {
    Report report;
    report.add(TokenText{
        "a<b",
        {{"\n", 0.9, {{"\n", 0.9}, {" ", 0.1}}, {{"<", 0.7, 1}}, 0.001, 0.01}, {"\x1b[2J&", 0.01, {}, {}}}});
    EXPECT_EQ(printed(report), "    a<b\n    \\x1b[2J&\n");
    const std::string page = html(report);
    EXPECT_NE(page.find("a&lt;b<span class=\"s0\""), std::string::npos) << page;
    EXPECT_NE(page.find("&quot;¶&quot;: drawn with probability 0.900"), std::string::npos) << page;
    EXPECT_NE(page.find("&quot;¶&quot; 0.900, &quot;␣&quot; 0.100"), std::string::npos) << page;
    EXPECT_NE(page.find("it looked at: &quot;&lt;&quot; 0.700"), std::string::npos) << page;
    EXPECT_NE(page.find("<span class=\"s4\""), std::string::npos)
        << "an unlikely token has the strongest colour";
    EXPECT_EQ(page.find('\x1b'), std::string::npos);
    const Json item = Json::parse(json(report))[0];
    EXPECT_EQ(item["kind"], "tokens");
    EXPECT_EQ(item["prompt"], "a<b");
    EXPECT_EQ(item["tokens"][0]["alternatives"][1], Json({{"text", " "}, {"share", 0.1}}));
    EXPECT_EQ(item["tokens"][0]["looked_at"][0], Json({{"text", "<"}, {"share", 0.7}, {"back", 1}}));
    EXPECT_EQ(item["tokens"][0]["seconds"], Json({{"with_cache", 0.001}, {"without_cache", 0.01}}));
    EXPECT_EQ(item["tokens"][1]["probability"], 0.01);
    EXPECT_FALSE(item["tokens"][1].contains("seconds"));
}

TEST(report, is_complete_as_json) {
    Report report;
    report.note("a \"line\"");
    report.add(times());
    report.step("x", Tensor::from({1, 2}, {1, std::nanf("")}), {"batch", "d_model"}, "a row");
    report.add(Map{Array{{0.25, 0.75}}, {.title = "map", .allowed = xt::xarray<bool>{{true, false}}}});
    const Json items = Json::parse(json(report));
    EXPECT_EQ(items[0], (Json{{"kind", "paragraph"}, {"text", "a \"line\""}, {"quoted", false}}));
    EXPECT_EQ(items[1]["columns"][2]["unit"], "ms");
    EXPECT_EQ(items[1]["columns"][2]["format"], (Json{{"notation", "significant"}, {"digits", 3}}));
    EXPECT_EQ(items[1]["rows"][0], Json::parse(R"(["short", 64, 0.25, 1536])"));
    EXPECT_EQ(items[1]["rows"][1][3], nullptr);
    EXPECT_EQ(items[1]["rows"][2][2]["format"]["suffix"], " %");
    EXPECT_EQ(items[1]["totals"], 1);
    EXPECT_EQ(items[2]["lines"][0]["shape"], Json::parse("[1, 2]"));
    EXPECT_EQ(items[2]["lines"][0]["max"], 1);
    EXPECT_EQ(items[2]["lines"][0]["nan"], 1);
    EXPECT_EQ(items[3]["values"], Json::parse("[[0.25, 0.75]]"));
    EXPECT_EQ(items[3]["allowed"], Json::parse("[[true, false]]"));
}

}  // namespace
}  // namespace tfs::test
