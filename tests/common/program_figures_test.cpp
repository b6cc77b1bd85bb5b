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
    figures.report(out);
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
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(plots), {}), 4)
        << "nothing else is left behind";
    EXPECT_NE(report_of(figures).find("  heads.svg\n  flow.svg\n"), std::string::npos) << report_of(figures);
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
