// tests/common/page_browser_test.cpp · the page of a run in a real browser: pointing, clicking, keys
//
// Runs where chromium is installed, headless, and is skipped elsewhere.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "common/io/atomic_file.hpp"
#include "common/report/page.hpp"
#include "tests/common/example_figures.hpp"
#include "tests/common/scratch_folder.hpp"

namespace tfs::test {
namespace {

// What the shell command prints.
std::string output_of(const std::string& command) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string output;
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe.get()))
        output.append(buffer, count);
    return output;
}

// Two figures of two maps with 2 x 2 cells. After each event, how many marks are lit in the first and in the second figure.
constexpr const char* events = R"(<script>
const said = [];
const lit = () => said.push([...document.querySelectorAll('figure')].map(f =>
  f.querySelectorAll('.lit .cell.on').length + ':' + f.querySelectorAll('.lit .on:not(.cell)').length).join(' '));
const cell = document.querySelector('.cell[data-r="1"][data-c="0"]');
const send = (target, type, more) => {
  target.dispatchEvent(new (type === 'keydown' ? KeyboardEvent : MouseEvent)(type, {bubbles: true, ...more}));
  lit();
};
send(cell, 'pointerover');
send(document.body, 'pointerover');
send(document.querySelector('.column-label[data-c="1"] text'), 'click');
send(cell, 'pointerover');
send(document.body, 'keydown', {key: 'ArrowRight'});
send(document.body, 'keydown', {key: 'ArrowDown'});
send(document.body, 'keydown', {key: 'Escape'});
document.body.append('SAID ' + said.join(' | ') + ' END');
</script>)";

bool has_browser() { return std::system("command -v chromium >/dev/null 2>&1") == 0; }

// What the page says of itself after this script has run in it.
std::string said_on(const Page& page, const std::string& script) {
    const ScratchFolder folder;
    write_file_atomically(folder / "index.html", html(page) + script);
    const std::string dom =
        output_of("timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom 'file://" +
                  (folder / "index.html").string() + "' 2>/dev/null");
    const std::size_t begin = dom.rfind("SAID "), end = dom.rfind(" END");
    return end == std::string::npos ? dom.substr(0, 2000) : dom.substr(begin + 5, end - begin - 5);
}

TEST(page, lights_rows_and_columns_in_a_browser) {
    if (!has_browser()) GTEST_SKIP() << "chromium is not installed";
    const PageView view{"layer 1", svg(heat_map_figure())};
    const Page page{.title = "a page",
                    .parts = {PageFigure{"first", "", {view}}, PageFigure{"second", "", {view}}}};
    EXPECT_EQ(said_on(page, events),
              "4:2 0:0 | "  // a row: two cells and a label in each map, and nothing in the other figure
              "0:0 0:0 | "  // beside the maps
              "4:2 0:0 | "  // a column, kept …
              "4:2 0:0 | "  // … while the pointer moves on
              "4:2 0:0 | "  // it is the last one already
              "4:2 0:0 | "  // the first row
              "0:0 0:0");
}

// A map of 40 x 40 cells, which is one picture: what is said of the cell that is pointed at, how many cells are elements, and what
// is pale.
constexpr const char* large_map = R"(<script>
const said = [];
const map = document.querySelector('.cells'), at = map.getBoundingClientRect();
const told = () => said.push([...map.querySelectorAll('.cell')].map(one => one.textContent).join() + ' ' +
  [...map.querySelectorAll('.shade')].map(one => one.getAttribute('y') + '+' + one.getAttribute('height')).join());
const point = (type, r, c) => {
  map.firstElementChild.dispatchEvent(new MouseEvent(type, {bubbles: true, clientX: at.left + (c + .5) * at.width / 40,
    clientY: at.top + (r + .5) * at.height / 40}));
  told();
};
point('pointermove', 3, 2);
point('pointermove', 7, 39);
point('click', 3, 2);
point('pointermove', 7, 0);
document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: 'ArrowUp'}));
told();
document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: 'Escape'}));
told();
document.body.append('SAID ' + said.join(' | ') + ' END');
</script>)";

TEST(page, says_what_a_cell_of_a_large_map_is) {
    if (!has_browser()) GTEST_SKIP() << "chromium is not installed";
    HeatMapFigure figure{"large", "Large", "query", "key", {{"", Array(Shape{40, 40}, 0.0f)}}};
    figure.panels[0].allowed = xt::xarray<bool>(Shape{40, 40}, true);
    for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j < 40; ++j)
            if (j > i)
                (*figure.panels[0].allowed)(i, j) = false;
            else
                figure.panels[0].values(i, j) = 1.0f / static_cast<float>(i + j + 1);
    const Page page{.title = "a page", .parts = {PageFigure{"large", "", {{"", svg(figure)}}}}};
    EXPECT_EQ(said_on(page, large_map),
              "query 3 → key 2: 0.1667 0+3,4+36 | "
              "query 7 → key 39: masked 0+7,8+32 | "
              "query 7 → key 39: masked,query 3 → key 2: 0.1667 0+3,4+36 | "  // kept …
              "query 7 → key 0: 0.125 0+3,4+36 | "  // … while the pointer moves on
              "query 7 → key 0: 0.125 0+2,3+37 | "
              "query 7 → key 0: 0.125 ");
}

// Which views of the figure are seen, and what is lit, after each event.
constexpr const char* choices = R"(<script>
const said = [];
const seen = () => said.push([...document.querySelectorAll('section')].map(s => s.offsetHeight > 0 ? 1 : 0).join('') +
  ':' + document.querySelectorAll('.lit .cell.on').length);
seen();
const labels = document.querySelectorAll('figure label');
labels[1].click();
seen();
document.querySelector('.cell').dispatchEvent(new MouseEvent('click', {bubbles: true}));
seen();
labels[2].click();
seen();
document.body.append('SAID ' + said.join(' | ') + ' END');
</script>)";

TEST(page, shows_the_chosen_view_and_keeps_what_is_lit) {
    if (!has_browser()) GTEST_SKIP() << "chromium is not installed";
    const std::string maps = svg(heat_map_figure());
    const Page page{
        .title = "a page",
        .parts = {PageFigure{"maps", "", {{"layer 1", maps}, {"layer 2", maps}, {"layer 3", maps}}}}};
    EXPECT_EQ(said_on(page, choices), "100:0 | 010:0 | 010:12 | 001:12");
}

}  // namespace
}  // namespace tfs::test
