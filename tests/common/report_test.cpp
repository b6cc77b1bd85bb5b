// tests/common/report_test.cpp · reports of any text and any number on a terminal, on a page, as JSON; what they refuse
//
// How reports look, the lessons' quotes are compared with (tests/lessons).
#include <cmath>
#include <limits>
#include <sstream>

#include <nlohmann/json.hpp>

#include "common/report.hpp"
#include "common/terminal/display.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// On a terminal, of which no line may be too wide.
std::string printed(const Report& report, Terminal style = {}) {
    std::ostringstream out;
    print(out, report, style);
    if (style.colour) return out.str();
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), screen_columns) << line;
    return out.str();
}

std::string printed(const Table& table) {
    Report report;
    report.add(table);
    return printed(report);
}

std::string printed(const Array& values, const MapText& text, Terminal style = {}) {
    Report report;
    report.add(Map{values, text});
    return printed(report, style);
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

// Texts that a terminal or a page would obey; everything that shows a text gets them.
TEST(report, shows_nothing_that_a_terminal_or_a_page_would_obey) {
    const std::string bad = "<b>\x1b[2J\u202E\u009b";
    Report report;
    report.note(bad);
    report.quote(bad);
    Table table{.title = bad, .columns = {{bad, {}, bad, "group"}, {"n", whole(), "", "group"}}};
    table.add({bad, 1});
    report.add(table);
    report.add(cost_table({{.part = bad + "." + bad, .note = bad}}));
    report.step(bad, Tensor::from({1, 1}, {nan}), {"a", "b"}, bad);
    report.check_rows_sum_to_one(bad, Tensor::zeros({1, 1}));
    report.add(Map{Array(Shape{1, 1}, 0.5f), {.title = bad, .rows = {bad}, .columns = {bad}}});
    report.add(TokenText{bad, {{bad, 0.5, {{bad, 0.5}}, {{bad, 0.5, 1}}}}});
    std::ostringstream heading;
    print_heading(heading, bad + std::string(200, 'h'));
    const std::string terminal = printed(report) + heading.str(), page = html(report);
    for (const char* obeyed : {"\x1b", "\u202E", "\u009b"}) {
        EXPECT_EQ(terminal.find(obeyed), std::string::npos) << terminal;
        EXPECT_EQ(page.find(obeyed), std::string::npos) << page;
    }
    EXPECT_EQ(page.find("<b>"), std::string::npos) << page;
    expect_parts(terminal, {R"(  <b>\x1b[2J\xe2\x80\xae\xc2\x9b)"});
    EXPECT_EQ(Json::parse(json(report))[0]["text"], bad);
}

TEST(report, keeps_long_texts_within_110_columns) {
    const std::string name(60, 'n'), words = name + " " + name + " " + name,
                                     korean = "아주아주긴토큰이올시다";
    Report report;
    report.note(words + " " + words);
    report.step(name, Tensor::full({1, 12, 1024, 1024, 1}, -12345678.0f),
                {"batch", "heads", "query", "key", "another axis"}, words);
    report.step("값", Tensor::ones({3}), {"키"});
    report.add(cost_table({{.part = name + "." + name,
                            .output = {16, 12, 1024, 1024},
                            .axes = {"batch", "heads", "a long name of an axis", "another one"},
                            .parameters = 6'738'415'616,
                            .flops = 999'999'999'999,
                            .bytes = 1'000'000'000,
                            .repeated = 1024,
                            .note = words},
                           {.part = "각 층의 피드포워드", .output = {1, 2}, .axes = {"b", "c"}}}));
    const std::vector<std::string> tokens(12, korean);
    report.add(Map{Array(Shape{12, 12}, 0.08f), {.title = words + words, .rows = tokens, .columns = tokens}});
    expect_parts(printed(report),
                 {" 1024)", "nnn…", "(batch 1, heads 12, query 1024, key 1024, another axis 1)"});
    expect_parts(printed(Array(Shape{1, 40}, 0.02f), {}), {"keys 0 to 12 of 40", "keys 39 to 39 of 40"});
    Table table{.columns = {{"name"}, {"n", whole()}, {"what it does"}}};
    std::string many;
    for (int i = 0; i < 40; ++i) many += "word" + std::to_string(i) + " ";
    table.add({"층", 7, many});
    expect_parts(printed(table), {"word39"});
}

TEST(report, refuses_what_does_not_fit) {
    Table table{.columns = {{"kind"}, {"T", whole()}}};
    EXPECT_TRUE(
        refuses<ValueError>([&] { table.add({"short"}); }, {"the table of kind, T", "1 cells", "2 columns"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)series(table, "T", "size"); }, {"no column \"size\""}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)cost_table({}); }, {"costs", "no part"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)cost_table({{.part = "head", .output = {2, 3}, .axes = {"batch"}}});
        },
        {"head", "1 name", "(2, 3)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            Report().step("x", Tensor::ones({2, 3}), {"key"});
        },
        {"x", "1 names", "(2, 3)"}));
    EXPECT_TRUE(
        refuses<ShapeError>([] { Report().check_rows_sum_to_one("x", Tensor::full({}, 1.0f)); }, {"scalar"}));
    const xt::xarray<bool> mask{{true, true}};
    struct Case {
        Array values;
        MapText text;
        std::string part;
    };
    for (const Case& one : std::vector<Case>{{Array::from_shape({2, 2, 2}), {}, "(2, 2, 2)"},
                                             {Array::from_shape({2, 2}), {.rows = {"a"}}, "1 row"},
                                             {Array::from_shape({2, 2}), {.columns = {"a"}}, "1 column"},
                                             {Array::from_shape({2, 2}), {.allowed = mask}, "(1, 2)"}})
        EXPECT_TRUE(refuses<ShapeError>([&] { printed(one.values, one.text); }, {one.part}));
}

TEST(number_format, writes_what_is_not_finite_and_what_is_at_a_limit) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [value, how, text] :
         std::vector<std::tuple<double, NumberFormat, std::string>>{{-0.001, fixed(2), "0.00"},
                                                                    {-0.4, thousands(), "0"},
                                                                    {1e-5, magnitude(), "0.000"},
                                                                    {9e-6, magnitude(), "below 1e-5"},
                                                                    {9e-4, magnitude(4, 4), "0.0009"},
                                                                    {-infinity, fixed(2, " x"), "-inf"},
                                                                    {nan, thousands(), "NaN"},
                                                                    {-1234567.0, thousands(), "-1,234,567"}})
        EXPECT_EQ(format(value, how), text);
    for (const auto& [value, text] : std::vector<std::pair<double, std::string>>{{1000.0, "1.0e+03"},
                                                                                 {999.9, "999.900"},
                                                                                 {1e-3, "0.001"},
                                                                                 {9e-4, "9.0e-04"},
                                                                                 {1e-6, "1.0e-06"},
                                                                                 {-9e-7, "0.000"}})
        EXPECT_EQ(trace_number(value), text);
}

TEST(report_table, leaves_out_rows_without_a_number_and_groups_columns) {
    Table table{.columns = {{"T", whole()}, {"time", significant(3), "ms", "a long name of a group"}},
                .totals = 1};
    table.add({64, 0.25});
    table.add({128, {}});
    table.add({192, {12.5, fixed(2, " %")}});
    EXPECT_EQ(printed(table),
              "      | a long name of a group\n"
              "    T |               time, ms\n"
              "   64 |                   0.25\n"
              "  128 |\n"
              "  ----------------------------\n"
              "  192 |                12.50 %\n");
    const Series curve = series(table, "T", "time");
    EXPECT_EQ(curve.x, (std::vector<double>{64, 192}));
    EXPECT_EQ(curve.y, (std::vector<double>{0.25, 12.5}));
    expect_parts(html(Item(table)), {"<th colspan=\"1\">a long name", "<td class=\"n\">12.50 %</td>"});
}

TEST(cost_table, counts_billions_exactly_and_names_a_group_once) {
    const std::vector<PartCost> parts{{.part = "all.a", .parameters = 202'383'360, .repeated = 32},
                                      {.part = "all.b", .parameters = 6'738'415'616 - 32 * 202'383'360UL}};
    expect_parts(printed(cost_table(parts)), {"6,738,415,616", "\n  all\n    a    x 32", "-\n    b  "});
    EXPECT_EQ(size_of_weights(parts), "the weights as float32: 25.10 GiB");
}

TEST(trace, says_what_is_not_finite_and_what_does_not_sum_to_one) {
    Report report;
    report.step("scores", Tensor::from({2, 3}, {0, 1, 2, 3, nan, -INFINITY}), {"query", "key"});
    report.step("nothing", Tensor::zeros({0, 2}), {"batch", "key"});
    report.step("loss", Tensor::full({}, nan), {});
    report.step("tiny", Tensor::full({2}, -1e-9f), {"key"});
    EXPECT_TRUE(report.check_rows_sum_to_one("all", Tensor::from({3, 2}, {1, 0, 0, 0, 0.5f, 0.5f})));
    EXPECT_FALSE(report.check_rows_sum_to_one("one", Tensor::from({1, 2, 2}, {0.5f, 0.5f, 0.5f, 0.6f})));
    EXPECT_FALSE(report.check_rows_sum_to_one("bad", Tensor::full({1, 2}, nan)));
    EXPECT_TRUE(report.check_rows_sum_to_one("near", Tensor::from({1, 2}, {0.5f, 0.50001f})));
    EXPECT_FALSE(report.check_rows_sum_to_one("far", Tensor::from({1, 2}, {0.5f, 0.50002f})));
    const std::string text = printed(report);
    expect_parts(
        text, {"\n  !!! scores: 1 NaN and 1 infinite of 6 values, the first at query 1, key 1\n",
               "0.000    1.500    3.000\n", "(batch 0, key 2)", "       -        -        -\n",
               "the first at the only element", "1 row is all zero, nothing allowed there (the first: (1))",
               "!!! check FAILED  one: row (0, 1) sums to 1.1, not to 1", "FAILED  bad"});
    EXPECT_EQ(text.find("-0.000"), std::string::npos);
    expect_parts(html(report), {"1 NaN, 1 infinite. ", "<td class=\"n\">-</td>", "class=\"failed\""});
}

TEST(heat_map, shows_masked_and_endless_numbers_apart_and_ascii_alone) {
    MapText text{.title = "가중치",
                 .rows = {"고양이", "averyveryverylongtoken"},
                 .columns = {"a", "b"},
                 .allowed = xt::xarray<bool>{{true, false}, {true, true}}};
    const Array values{{1.0f, 99.0f}, {-0.5f, 0.6f}};
    const std::string plain = printed(values, text), ascii = printed(values, text, {.ascii = true}),
                      colour = printed(values, text, {.colour = true});
    EXPECT_EQ(plain.find("99"), std::string::npos)
        << "a masked number counts in no sum and no range: " << plain;
    expect_parts(plain, {"··", "shades from -1.00 to 1.00; ·· is masked, not 0", "averyveryvery…"});
    EXPECT_TRUE(is_ascii(ascii)) << ascii;
    expect_parts(ascii, {"#0", "averyveryvery~", " -- "});
    expect_parts(colour, {"\x1b[48;5;124m\x1b[38;5;231m"});
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
    text.allowed.reset();
    const std::string endless = printed(Array{{nan, -INFINITY}, {INFINITY, 0.0f}}, text);
    expect_parts(endless, {"NaN", "-inf", "+inf", "shades from 0.00 to 0.00\n"});
    expect_parts(printed(Array{{0.5f, 0.5f}, {-0.5f, 0.5f}}, {}),
                 {"1.00            0.69\n", "0.00               -\n"});
}

TEST(report, is_complete_as_json) {
    Report report;
    Table table{.columns = {{"kind"}, {"T", magnitude(), "ms", "group"}}, .totals = 1};
    table.add({"a", {}});
    table.add({{}, {12.5, fixed(2, " %")}});
    table.add({"c", Quartiles{.low = 1.0, .median = 2.5, .high = nan}});
    report.add(table);
    report.step("x", Tensor::from({1, 2}, {1, nan}), {"batch", "d_model"}, "a row");
    report.step("y", Tensor::from({1}, {nan}), {"batch"});
    report.add(Map{Array{{0.25, 0.75}, {0.5, INFINITY}},
                   {.allowed = xt::xarray<bool>{{true, false}, {false, true}}}});
    report.add(TokenText{"a<b", {{"\n", 0.9, {{" ", 0.1}}, {{"<", 0.7, 1}}, 0.001, 0.01}, {"\xff", 0.01}}});
    report.add(std::vector<View>{
        {"one", LineFigure{"f", "\n", {{"p", "x", "y", false, false, {{"s", {1}, {1}}}}}}}});
    report.add(Report());
    const Json items = Json::parse(json(report));
    EXPECT_EQ(
        items[0]["columns"][1].dump(),
        R"({"name":"T","format":{"notation":"magnitude","digits":5,"decimals":3},"unit":"ms","group":"group"})");
    EXPECT_EQ(items[0]["rows"].dump(),
              R"([["a",null],[null,{"value":12.5,"format":{"notation":"fixed","digits":2,"suffix":" %"}}],)"
              R"(["c",{"low":1,"median":2.5,"high":"NaN"}]])");
    EXPECT_EQ(items[0]["totals"], 1);
    EXPECT_EQ(
        items[1]["lines"][0].dump(),
        R"({"name":"x","shape":[1,2],"axes":["batch","d_model"],"min":1,"mean":1,"max":1,"note":"a row",)"
        R"("nan":1,"infinite":0,"first_bad":"batch 0, d_model 1"})");
    EXPECT_EQ(items[1]["lines"][1]["mean"], nullptr);
    EXPECT_EQ(items[2]["values"].dump(), R"([[0.25,0.75],[0.5,"inf"]])");
    EXPECT_EQ(items[2]["allowed"].dump(), "[[true,false],[false,true]]");
    EXPECT_EQ(
        items[3]["tokens"].dump(),
        R"([{"text":"\n","probability":0.9,"alternatives":[{"text":" ","share":0.1}],)"
        R"("looked_at":[{"text":"<","share":0.7,"back":1}],"seconds":{"with_cache":0.001,"without_cache":0.01}},)"
        "{\"text\":\"\uFFFD\",\"probability\":0.01,\"alternatives\":[],\"looked_at\":[]}]");
    EXPECT_EQ(items[4]["views"][0]["figure"]["title"], "\n");
    EXPECT_EQ(items.size(), 5U);
}

TEST(report, shows_a_text_token_by_token) {
    Report report;
    report.add(TokenText{"a<b", {{"\n", 0.9, {{" ", 0.1}, {"c", 0.1}}, {{"<", 0.7, 1}}}, {"&", 0.0}}});
    EXPECT_EQ(printed(report), "    a<b\n    &\n");
    expect_parts(
        html(report),
        {"a&lt;b<span class=\"s0\" title=\"&quot;¶&quot;: drawn with probability 0.900 · the "
         "likeliest: &quot;␣&quot; 0.100, &quot;c&quot; 0.100 · it looked at: &quot;&lt;&quot; 0.700\">",
         "<span class=\"s4\""});
}

}  // namespace
}  // namespace tfs::test
