// chapters/02_masks/program/main.cpp · every mask on a sentence and a padded batch, the fault of the notes, the claims measured
//
// Run it: ./tutorial run 2          on your own steps: ./tutorial run 2 --mine
//         ./tutorial run 2 -- --deeper
//         ./tutorial run 2 -- --text "the dog saw the cat" --window 2
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
    show.deeper("One attention under each mask", [&] {
        const HeatMapFigure random = draw_attention(show, example);
        const std::optional<NounFinder> head = trained();
        show.figures.save(head ? draw_trained_attention(show, masks_of_text(example), *head) : random);
    });
    show.deeper("Cross-attention: queries from four target tokens, keys from three padded sources", [&] {
        const std::optional<NounFinder> head = trained();
        show.figures.save(head ? draw_trained_cross_attention(show, *head)
                               : draw_cross_attention(show, example));
    });
    show.section("The fault of the notes: an additive causal mask, read as a boolean one",
                 [&] { show.figures.save(show_additive_as_boolean(show, example)); });
    show.deeper("Claim: with zeros for empty rows the fault is silent",
                [&] { show.figures.save(train_on_the_future(show)); });
    show.deeper("Claim: nothing leaks from the future",
                [&] { show.figures.save(measure_leak(show, example)); });
    show.deeper("Claim: a padded batch gives what each sentence gives alone",
                [&] { measure_padding(show, example); });
    show.deeper("Claim: only -infinity forbids (the weights of a query none of whose 5 keys is allowed)",
                [&] { measure_empty_rows(show); });
    show.deeper("Claim: layers of windows see farther than one window (w = 4, 24 positions)",
                [&] { measure_reach(show); });
    show.deeper("How many cells a mask allows", [&] { count_cells(show); });
}

void check_window(std::size_t window) {
    if (window == 0) throw ValueError("--window 0 shows a query nothing; 1 shows it itself alone");
    require_between("--window", window, 1, max_tokens);
}

}  // namespace

int main(int argc, char** argv) {
    OwnOptions own;
    return tfs::run_chapter(
        argc, argv,
        {.name = "02_masks",
         .description =
             "Masks: which keys a query may attend to, and what goes wrong where a mask is misread.",
         .limits = {.max_tokens = max_tokens, .max_d_model = 1024},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--window", own.window,
                                "keys that a query of the window mask sees, itself counted");
                 program.option("--untrained", own.untrained, "draw the attention of random weights");
             },
         .own_checks = [&](const auto&) { check_window(own.window); },
         .body = [&](tfs::Show& show) { show_masks(show, own); }});
}
