// chapters/02_masks/program/main.cpp · every mask on a sentence and a padded batch, the fault of the notes, the claims measured
//
// Run it: ./tutorial run 2          on your own steps: ./tutorial run 2 --mine
//         ./tutorial run 2 -- --text "the dog saw the cat" --window 2
#include <fmt/ostream.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "chapters/02_masks/program/claims.hpp"
#include "chapters/02_masks/program/fault.hpp"
#include "chapters/02_masks/program/sheet.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 32;     // maps side by side with more rows can't be read
constexpr std::size_t max_d_model = 1024;  // and a wider model shows nothing new

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 4;
    std::size_t d_model = 32;
    std::size_t window = 3;
    std::uint64_t seed = 1;
    ShowOptions show;
};

Tokens checked_tokens(const Settings& s) {
    require_between("--d-model", s.d_model, 1, max_d_model);
    require_heads(s.heads, s.d_model);
    if (s.window == 0) throw ValueError("--window 0 shows a query nothing; 1 shows it itself alone");
    require_between("--window", s.window, 1, max_tokens);
    return tokens_of_text(s.text, max_tokens);
}

// The batch as it is stored: token ids, padded to one length.
void show_batch(Trace& trace, const Example& e) {
    for (std::size_t b = 0; b < e.sentences.size(); ++b) {
        std::string ids;
        const std::size_t seq = e.ids.shape()[1], shown = std::min<std::size_t>(seq, 18);
        for (std::size_t j = 0; j < shown; ++j) ids += fmt::format(" {:>2}", e.ids(b, j));
        if (shown < seq) ids += " ...";
        fmt::print(std::cout, "  sentence {}: {:>2} tokens, {:>2} x <pad>   ids{}\n", b + 1, e.lengths[b],
                   e.sentences[b].size() - e.lengths[b], ids);
    }
    trace.step("x", e.batch_x, {"batch", "seq", "d_model"}, "embeddings, random");
}

void show(const Settings& s) {
    const Tokens tokens = checked_tokens(s);
    Figures figures(s.show);
    Trace trace(std::cout);
    std::optional<Example> made;  // needs the layers of chapter 01
    trace.section("A batch of three sentences", [&] {
        made.emplace(make_example(tokens, s.d_model, s.heads, s.window, s.seed));
        show_batch(trace, *made);
    });
    if (!made) return;
    const Example& example = *made;
    trace.section("Every mask", [&] { figures.save(draw_masks(std::cout, example)); });
    trace.section("One attention under each mask", [&] { figures.save(draw_attention(trace, example)); });
    trace.section("Cross-attention: four target tokens ask three padded sources",
                  [&] { figures.save(draw_cross_attention(trace, example)); });
    trace.section("The fault of the notes: an additive causal mask, read as a boolean one",
                  [&] { figures.save(show_fault(trace, std::cout, example, s.show.ascii)); });
    trace.section("Claim: with zeros for empty rows the fault is silent",
                  [&] { train_on_the_future(std::cout, s.seed); });
    trace.section("Claim: nothing leaks from the future",
                  [&] { figures.save(measure_leak(std::cout, example)); });
    trace.section("Claim: a padded batch gives what each sentence gives alone",
                  [&] { measure_padding(std::cout, example); });
    trace.section("Claim: only -infinity forbids (the weights of a query none of whose 5 keys is allowed)",
                  [&] { measure_nothing_allowed(std::cout, s.seed); });
    trace.section("Claim: layers of windows see farther than one window (w = 4, 24 positions)",
                  [&] { measure_reach(std::cout, s.seed); });
    trace.section("How many cells a mask allows", [&] { count_cells(std::cout); });
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("02_masks",
                         "Masks: who may attend to whom, and what goes wrong where one is misread.");
    program.option("--text", s.text, "the first sentence of the batch, at most 32 tokens");
    program.option("--heads", s.heads, "number of heads; must divide --d-model");
    program.option("--d-model", s.d_model, "width of the model");
    program.option("--window", s.window, "keys that a query of the window mask sees, itself counted");
    program.option("--seed", s.seed, "seed of the random weights");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}
