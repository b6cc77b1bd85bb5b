// tests/common/program_figures_test.cpp · figures as files in a folder
#include "common/program/figures.hpp"

#include <sstream>

#include "common/io/atomic_file.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

std::string report_of(const Figures& figures) {
    std::ostringstream out;
    figures.finish(out, {.title = "99 <test>", .about = "a run", .transcript = "a\n\x1b[31mb < c\x1b[0m\n"});
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
          "<pre>a\nb &lt; c\n</pre>", "prefers-color-scheme:dark", "data-r=\"1\" data-c=\"0\""})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_EQ(page.find("http", page.find("</svg>")), std::string::npos) << "needs no network";
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
