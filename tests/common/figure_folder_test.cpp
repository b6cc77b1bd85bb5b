// tests/common/figure_folder_test.cpp · figures as files in a folder
#include "common/program/figure_folder.hpp"

#include "common/io/atomic_file.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/common/occurrences.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Views = std::vector<View>;

// Draws these figures in the folder, and their page. What is said of it.
std::string draw(const std::filesystem::path& path, const std::vector<Views>& figures,
                 const std::string& settings = {}, const std::filesystem::path& beside = {}) {
    FigureFolder folder(path);
    Page page{.title = "99 <test>", .about = {"a run"}, .settings = settings};
    for (const Views& views : figures) page.parts.emplace_back(folder.write(views));
    return folder.finish(page, beside);
}

TEST(figure_folder, has_each_picture_and_its_numbers) {
    const ScratchFolder folder;
    const std::filesystem::path plots = folder.path() / "it's \"mine\" $HOME/plots";
    const std::string said = draw(plots, {{{"", heat_map_figure()}}, {{"", plane_figure()}}});
    EXPECT_EQ(read_file(plots / "heads.svg"), svg(heat_map_figure()));
    EXPECT_EQ(read_file(plots / "plane.json"), json(plane_figure()));
    EXPECT_NE(said.find("2 figures on one page: " + (plots / "index.html").string()), std::string::npos)
        << said;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(plots), {}), 5)
        << "nothing else is left behind";
}

TEST(figure_folder, has_a_page_with_captions) {
    const ScratchFolder folder;
    HeatMapFigure figure = heat_map_figure();
    figure.caption = "What to see: a < b.";
    (void)draw(folder.path(), {{{"", figure}}});
    const std::string page = read_file(folder / "index.html");
    for (const char* part :
         {"<title>99 &lt;test&gt;</title>", "<figcaption>What to see: a &lt; b.</figcaption>",
          "prefers-color-scheme:dark", "class=\"cells\" data-r=\"1\""})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_EQ(page.find("http", page.find("</svg>")), std::string::npos) << "needs no network";
}

TEST(figure_folder, several_views_are_one_figure_of_the_page) {
    const ScratchFolder folder;
    HeatMapFigure second = heat_map_figure();
    second.name = "heads_2";
    (void)draw(folder.path(), {{{"layer 1", heat_map_figure()}, {"layer <2>", second}}});
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
    (void)draw(folder.path(), {{{"", figure}}}, settings, other.path());
    return read_file(folder / "index.html");
}

TEST(figure_folder, stand_beside_those_of_a_run_with_the_same_settings) {
    const ScratchFolder folder, other;
    HeatMapFigure mine = heat_map_figure();
    mine.panels[0].values(0, 0) = 0.5f;
    EXPECT_NE(page_beside(folder, other, "--heads 2", mine).find("there is none yet"), std::string::npos);
    (void)draw(other.path(), {{{"", heat_map_figure()}}}, "--heads 2");

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

TEST(figure_folder, a_folder_in_which_nothing_was_drawn_is_said_to_be_empty) {
    const ScratchFolder folder;
    EXPECT_NE(draw(folder.path(), {}).find("No figure was drawn"), std::string::npos);
}

TEST(figure_folder, keep_the_old_picture_where_the_new_one_cant_be_drawn) {
    const ScratchFolder folder;
    write_file_atomically(folder / "heads.svg", "old picture");
    HeatMapFigure figure = heat_map_figure();
    figure.panels[0].rows.pop_back();
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)draw(folder.path(), {{{"", figure}}}); }, {"head 1"}));
    EXPECT_EQ(read_file(folder / "heads.svg"), "old picture");
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(figure_folder, refuses_two_figures_of_one_name) {
    const ScratchFolder folder;
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)draw(folder.path(), {{{"", heat_map_figure()}}, {{"", heat_map_figure()}}});
        },
        {"heads"}));
}

TEST(figure_folder, refuse_a_folder_that_cant_be_made) {
    const ScratchFolder folder;
    write_file_atomically(folder / "file", "");
    EXPECT_TRUE(
        refuses<FileError>([&] { FigureFolder(folder / "file/plots"); }, {"plots", "Not a directory"}));
    EXPECT_TRUE(refuses<FileError>([&] { FigureFolder(folder / "file"); }, {"file", "can't be made"}));
}

}  // namespace
}  // namespace tfs::test
