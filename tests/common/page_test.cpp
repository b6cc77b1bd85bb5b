// tests/common/page_test.cpp · the page of a run: its figures as files, beside those of another run; in a real browser
//
// What needs chromium, headless, is skipped where it is not installed.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "common/io/atomic_file.hpp"
#include "common/program/figure_folder.hpp"
#include "tests/common/environment.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Draws these figures in the folder, and their page. What is said of it.
std::string draw(const std::filesystem::path& path, const std::vector<std::vector<View>>& figures,
                 const std::string& settings = {}, const std::filesystem::path& beside = {}) {
    FigureFolder folder(path);
    Page page{.title = "99 <test>", .about = {"a run"}, .settings = settings};
    for (const std::vector<View>& views : figures) page.parts.emplace_back(folder.write(views));
    return folder.finish(page, beside);
}

TEST(figure_folder, has_each_picture_its_numbers_and_a_page_that_needs_no_network) {
    const ScratchFolder folder;
    const std::filesystem::path plots = folder.path() / "it's \"mine\" $HOME/plots";
    HeatMapFigure second = heat_map_figure();
    second.name = "heads_2";
    HeatMapFigure first = heat_map_figure();
    first.caption = "What to see: a < b.";
    const std::string said = draw(plots, {{{"layer 1", first}, {"layer <2>", second}}});
    EXPECT_NE(said.find("1 figure on one page: " + (plots / "index.html").string()), std::string::npos)
        << said;
    EXPECT_EQ(read_file(plots / "heads_2.svg"), svg(second));
    EXPECT_EQ(read_file(plots / "heads.json"), json(first));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(plots), {}), 5)
        << "nothing else is left behind";
    const std::string page = read_file(plots / "index.html");
    for (const char* part :
         {"<title>99 &lt;test&gt;</title>", "<figcaption>What to see: a &lt; b.</figcaption>",
          "id=\"heads.2\"><label for=\"heads.2\">layer &lt;2&gt;</label>"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_EQ(page.find("http", page.rfind("</svg>")), std::string::npos);
    EXPECT_NE(draw(folder.path(), {}).find("No figure was drawn"), std::string::npos);
}

TEST(figure_folder, stands_beside_that_of_a_run_with_the_same_settings) {
    const ScratchFolder folder, other;
    HeatMapFigure mine = heat_map_figure();
    mine.panels[0].values(0, 0) = 0.5f;
    const auto page_beside = [&](const std::string& settings, const HeatMapFigure& figure) {
        (void)draw(folder.path(), {{{"", figure}}}, settings, other.path());
        return read_file(folder / "index.html");
    };
    EXPECT_NE(page_beside("--heads 2", mine).find("there is none yet"), std::string::npos);
    (void)draw(other.path(), {{{"", heat_map_figure()}}}, "--heads 2");
    const std::string both = page_beside("--heads 2", mine);
    EXPECT_NE(both.find("<b>yours</b>\n" + svg(mine)), std::string::npos);
    EXPECT_NE(both.find("<b>solution</b>\n" + svg(heat_map_figure())), std::string::npos);
    EXPECT_EQ(occurrences(page_beside("--heads 2", heat_map_figure()), "<svg "), 1U)
        << "equal figures need one picture";
    EXPECT_NE(page_beside("--heads 4", mine).find("there is none yet"), std::string::npos)
        << "a run with other settings is no measure";
}

TEST(figure_folder, refuses_what_cant_be_drawn_or_written) {
    const ScratchFolder folder;
    write_file_atomically(folder / "heads.svg", "old picture");
    HeatMapFigure wrong = heat_map_figure();
    wrong.panels[0].rows.pop_back();
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)draw(folder.path(), {{{"", wrong}}}); }, {"head 1"}));
    EXPECT_EQ(read_file(folder / "heads.svg"), "old picture");
    const std::vector<View> one{{"", heat_map_figure()}};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)draw(folder / "twice", {one, one}); }, {"heads"}));
    EXPECT_TRUE(
        refuses<FileError>([&] { FigureFolder(folder / "heads.svg/plots"); }, {"plots", "Not a directory"}));
    EXPECT_TRUE(refuses<FileError>([&] { FigureFolder(folder / "heads.svg"); }, {"can't be made"}));
}

// --- in a browser

// What the page of these figures says of itself after this script has run in it: `told` after each event.
std::string said_on(const std::vector<PageFigure>& figures, const std::string& script) {
    Page page{.title = "a page"};
    for (const PageFigure& figure : figures) page.parts.emplace_back(figure);
    const ScratchFolder folder;
    write_file_atomically(folder / "index.html",
                          html(page) + "<script>const said = [];" + script +
                              "document.body.append('SAID ' + said.join(' | ') + ' END');</script>");
    const std::string command =
        "timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom 'file://" +
        (folder / "index.html").string() + "' 2>/dev/null";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string dom;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe.get()))
        dom.append(buffer, count);
    const std::size_t begin = dom.rfind("SAID "), end = dom.rfind(" END");
    return end == std::string::npos ? dom.substr(0, 2000) : dom.substr(begin + 5, end - begin - 5);
}

class page_in_browser : public testing::Test {
    void SetUp() override {
        if (std::system("command -v chromium >/dev/null 2>&1") != 0)
            GTEST_SKIP() << "chromium is not installed";
    }
};

// Two figures of two maps with 2 x 2 cells: how many cells and labels are lit in the first and in the second figure.
TEST_F(page_in_browser, lights_rows_and_columns) {
    const PageView view{"layer 1", svg(heat_map_figure())};
    EXPECT_EQ(said_on({{"first", "", {view}}, {"second", "", {view}}}, R"(
const cell = document.querySelector('.cell[data-r="1"][data-c="0"]');
const send = (target, type, more) => {
  target.dispatchEvent(new (type === 'keydown' ? KeyboardEvent : MouseEvent)(type, {bubbles: true, ...more}));
  said.push([...document.querySelectorAll('figure')].map(f =>
    f.querySelectorAll('.lit .cell.on').length + ':' + f.querySelectorAll('.lit .on:not(.cell)').length).join(' '));
};
send(cell, 'pointerover');
send(document.body, 'pointerover');
send(document.querySelector('.column-label[data-c="1"] text'), 'click');
send(cell, 'pointerover');
send(document.body, 'keydown', {key: 'ArrowRight'});
send(document.body, 'keydown', {key: 'ArrowDown'});
send(document.body, 'keydown', {key: 'Escape'});
)"),
              "4:2 0:0 | "  // a row: two cells and a label in each map, and nothing in the other figure
              "0:0 0:0 | "  // beside the maps
              "4:2 0:0 | "  // a column, kept …
              "4:2 0:0 | "  // … while the pointer moves on
              "4:2 0:0 | "  // it is the last one already
              "4:2 0:0 | "  // the first row
              "0:0 0:0");
}

// A map of 40 x 40 cells, which is one picture: what is said of the cell that is pointed at, and what is pale.
TEST_F(page_in_browser, says_what_a_cell_of_a_large_map_is) {
    HeatMapFigure figure{"large", "Large", "query", "key", {{"", Array(Shape{40, 40}, 0.25f)}}};
    figure.panels[0].allowed = xt::xarray<bool>(Shape{40, 40}, true);
    (*figure.panels[0].allowed)(7, 39) = false;
    EXPECT_EQ(said_on({{"large", "", {{"", svg(figure)}}}}, R"(
const map = document.querySelector('.cells'), at = map.getBoundingClientRect();
const told = () => said.push([...map.querySelectorAll('.cell')].map(one => one.textContent).join() + ' ' +
  [...map.querySelectorAll('.shade')].map(one => one.getAttribute('y') + '+' + one.getAttribute('height')).join());
const point = (type, r, c) => {
  map.firstElementChild.dispatchEvent(new MouseEvent(type, {bubbles: true, clientX: at.left + (c + .5) * at.width / 40,
    clientY: at.top + (r + .5) * at.height / 40}));
  told();
};
point('pointermove', 7, 39);
point('click', 3, 2);
document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: 'ArrowUp'}));
told();
)"),
              "query 7 → key 39: masked 0+7,8+32 | "
              "query 7 → key 39: masked,query 3 → key 2: 0.25 0+3,4+36 | "
              "query 7 → key 39: masked,query 3 → key 2: 0.25 0+2,3+37");
}

TEST_F(page_in_browser, shows_the_chosen_view) {
    const std::string maps = svg(heat_map_figure());
    EXPECT_EQ(said_on({{"maps", "", {{"layer 1", maps}, {"layer 2", maps}}}}, R"(
const seen = () => said.push([...document.querySelectorAll('section')].map(s => s.offsetHeight > 0 ? 1 : 0).join(''));
seen();
document.querySelectorAll('figure label')[1].click();
seen();
)"),
              "10 | 01");
}

}  // namespace
}  // namespace tfs::test
