// tests/common/program_figures_test.cpp · figures as files in a folder
#include "common/program/figures.hpp"

#include <sstream>

#include "common/io/atomic_file.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/common/occurrences.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::string report_of(const Figures& figures) {
    std::ostringstream out;
    figures.finish(out,
                   {.title = "99 <test>", .about = {"a run"}, .transcript = "a\n\x1b[31mb < c\x1b[0m\n"});
    return out.str();
}

TEST(figures, writes_a_picture_and_its_numbers) {
    const ScratchFolder folder;
    const std::filesystem::path plots = folder.path() / "it's \"mine\" $HOME/plots";
    Figures figures(plots);
    figures.save(heat_map_figure());
    figures.save(flow_figure());
    EXPECT_EQ(read_file(plots / "heads.svg"), svg(heat_map_figure()));
    EXPECT_EQ(read_file(plots / "flow.json"), json(flow_figure()));
    const std::string report = report_of(figures);
    EXPECT_NE(report.find("2 figures on one page: " + (plots / "index.html").string()), std::string::npos)
        << report;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(plots), {}), 5)
        << "nothing else is left behind";
}

TEST(figures, stand_on_a_page_with_their_captions_and_what_was_printed) {
    const ScratchFolder folder;
    Figures figures(folder.path());
    HeatMapFigure figure = heat_map_figure();
    figure.caption = "What to see: a < b.";
    figures.save(figure);
    (void)report_of(figures);
    const std::string page = read_file(folder / "index.html");
    for (const char* part :
         {"<title>99 &lt;test&gt;</title>", "<figcaption>What to see: a &lt; b.</figcaption>",
          "<pre>a\nb &lt; c\n</pre>", "prefers-color-scheme:dark", "class=\"cells\" data-r=\"1\""})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_EQ(page.find("http", page.find("</svg>")), std::string::npos) << "needs no network";
}

TEST(figures, several_views_are_one_figure_of_the_page) {
    const ScratchFolder folder;
    Figures figures(folder.path());
    HeatMapFigure second = heat_map_figure();
    second.name = "heads_2";
    figures.save({{"layer 1", heat_map_figure()}, {"layer <2>", second}});
    (void)report_of(figures);
    const std::string page = read_file(folder / "index.html");
    EXPECT_EQ(occurrences(page, "<figure "), 1U);
    EXPECT_EQ(occurrences(page, "<svg "), 2U);
    for (const char* part : {"id=\"heads.1\" checked><label for=\"heads.1\">layer 1</label>",
                             "id=\"heads.2\"><label for=\"heads.2\">layer &lt;2&gt;</label>"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_EQ(read_file(folder / "heads_2.svg"), svg(second));
}

// The page of a run with these settings, drawn in `folder` beside another run's figures.
std::string page_beside(const ScratchFolder& folder, const ScratchFolder& other, const std::string& settings,
                        const HeatMapFigure& figure) {
    Figures figures(folder.path());
    figures.save(figure);
    std::ostringstream out;
    figures.finish(out, {.title = "mine", .settings = settings}, other.path());
    return read_file(folder / "index.html");
}

TEST(figures, stand_beside_those_of_a_run_with_the_same_settings) {
    const ScratchFolder folder, other;
    HeatMapFigure mine = heat_map_figure();
    mine.panels[0].values(0, 0) = 0.5f;
    EXPECT_NE(page_beside(folder, other, "--heads 2", mine).find("there is none yet"), std::string::npos);
    Figures solution(other.path());
    solution.save(heat_map_figure());
    std::ostringstream out;
    solution.finish(out, {.title = "solution", .settings = "--heads 2"});

    const std::string both = page_beside(folder, other, "--heads 2", mine);
    EXPECT_EQ(occurrences(both, "<svg "), 2U);
    EXPECT_NE(both.find("<b>yours</b>\n" + svg(mine)), std::string::npos);
    EXPECT_NE(both.find("<b>solution</b>\n" + svg(heat_map_figure())), std::string::npos);
    EXPECT_EQ(occurrences(page_beside(folder, other, "--heads 2", heat_map_figure()), "<svg "), 1U)
        << "equal figures need one picture";
    const std::string alone = page_beside(folder, other, "--heads 4", mine);
    EXPECT_EQ(occurrences(alone, "<svg "), 1U) << "a run with other settings is no measure";
    EXPECT_NE(alone.find("there is none yet"), std::string::npos);
}

TEST(figures, a_page_shows_a_terminals_text_without_its_colours) {
    EXPECT_EQ(without_colours("\x1b[1;33mx\x1b[0m \x1b[2J \x1b"), "x \x1b[2J \x1b");
}

TEST(figures, are_not_drawn_without_a_folder) {
    Figures figures;
    figures.save(heat_map_figure());
    EXPECT_EQ(report_of(figures), "");
}

TEST(figures, a_folder_in_which_nothing_was_drawn_is_said_to_be_empty) {
    const ScratchFolder folder;
    EXPECT_NE(report_of(Figures(folder.path())).find("No figure was drawn"), std::string::npos);
}

TEST(figures, keep_the_old_picture_where_the_new_one_cant_be_drawn) {
    const ScratchFolder folder;
    write_file_atomically(folder / "heads.svg", "old picture");
    HeatMapFigure figure = heat_map_figure();
    figure.panels[0].rows.pop_back();
    Figures figures(folder.path());
    EXPECT_TRUE(refuses<ShapeError>([&] { figures.save(figure); }, {"head 1"}));
    EXPECT_EQ(read_file(folder / "heads.svg"), "old picture");
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(figures, refuse_a_folder_that_cant_be_made) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "");
    EXPECT_TRUE(refuses<FileError>([&] { Figures(folder / "file/plots"); }, {"plots", "Not a directory"}));
    EXPECT_TRUE(refuses<FileError>([&] { Figures(folder / "file"); }, {"file", "can't be made"}));
}

}  // namespace
}  // namespace tfs::test
