// chapters/02_masks/program/main.cpp · an example by hand, every mask, a trained head under each, and what a mask must not let through
//
// Run it: ./tutorial run 2          on your own steps: ./tutorial run 2 --mine
//         ./tutorial run 2 -- --deeper
//         ./tutorial run 2 -- --text "the dog was tired" --window 2
#include <optional>

#include "chapters/02_masks/program/sections.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 32;  // maps side by side with more rows can't be read

struct OwnOptions {
    std::size_t window = 3;
    bool untrained = false;
};

void show_masks(Show& show, const OwnOptions& own) {
    std::optional<Example> made;  // needs the layers of chapter 01
    show.section("By hand: the mean of the past, then with scores",
                 [&] { show.figures.save(show_by_hand(show)); });
    show.section("A batch of three sentences", [&] {
        made.emplace(make_example(show, own.window));
        show_batch(show, *made);
    });
    if (!made) return;
    const Example& example = *made;
    show.section("Every mask", [&] {
        for (const HeatMapFigure& figure : draw_masks(show, example)) show.figures.save(figure);
    });
    const auto trained = [&] { return own.untrained ? std::nullopt : load_trained_head(show); };
    show.section("One head under each mask", [&] {
        const std::optional<NounFinder> head = trained();
        show.figures.save(head ? draw_trained_attention(show, masks_of_text(example), *head)
                               : draw_attention(show, example));
    });
    show.section("Nothing leaks: does an earlier output depend on a later input?",
                 [&] { show.figures.save(measure_leak(show, example)); });
    show.section("The puzzle: a window and a global token", [&] {
        if (const std::optional<NounFinder> head = trained())
            show.figures.save(draw_longformer(show, own.window, *head));
        else
            show.trace.note("without a trained head there is nothing to compare");
    });
    show.deeper("Cross-attention: queries from four target tokens, keys from three padded sources", [&] {
        const std::optional<NounFinder> head = trained();
        show.figures.save(head ? draw_trained_cross_attention(show, *head)
                               : draw_cross_attention(show, example));
    });
    show.deeper("An additive causal mask, read as a boolean one",
                [&] { show_additive_as_boolean(show, example); });
    show.deeper("Claim: with zeros for empty rows, the misread mask gives no sign",
                [&] { show.figures.save(train_on_the_future(show)); });
    show.deeper("Claim: a padded batch gives what each sentence gives alone",
                [&] { measure_padding(show, example); });
    show.deeper(
        "Claim: only -infinity forbids (the weights of a query that may attend to none of its 5 keys)",
        [&] { measure_empty_rows(show); });
    show.deeper("Claim: layers of windows see farther than one window (w = 4, 24 positions)",
                [&] { measure_reach(show); });
    show.deeper("How many cells a mask allows", [&] { count_cells(show); });
}

void check_window(std::size_t window) {
    if (window == 0) throw ValueError("with --window 0 a query sees nothing; with 1 it sees only itself");
    require_between("--window", window, 1, max_tokens);
}

}  // namespace

int main(int argc, char** argv) {
    OwnOptions own;
    return tfs::run_chapter(argc, argv,
                            {.name = "02_masks",
                             .description = "Masks: which keys a query may attend to.",
                             .limits = {.max_tokens = max_tokens, .max_d_model = 1024},
                             .own_options =
                                 [&](tfs::Program& program) {
                                     program.option("--window", own.window,
                                                    "how many keys a window shows to a query, with its own");
                                     program.option("--untrained", own.untrained,
                                                    "draw the attention of random weights");
                                 },
                             .own_checks = [&](const auto&) { check_window(own.window); },
                             .body = [&](tfs::Show& show) { show_masks(show, own); }});
}
