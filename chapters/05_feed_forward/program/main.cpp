// chapters/05_feed_forward/program/main.cpp · the feed-forward network on a sentence: shapes, activations, and the claims measured
//
// Run it: ./tutorial run 5          on your own steps: ./tutorial run 5 --mine
//         ./tutorial run 5 -- --text "the dog saw the cat" --activation relu --d-ff 64
#include <fmt/ostream.h>

#include <algorithm>
#include <iostream>

#include "chapters/05_feed_forward/program/claims.hpp"
#include "chapters/05_feed_forward/program/curves.hpp"
#include "chapters/05_feed_forward/program/memory.hpp"
#include "chapters/05_feed_forward/program/task.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;   // a map with more rows can't be read
constexpr std::size_t max_width = 2048;  // and a wider model shows nothing new
constexpr std::size_t max_hidden = 8192;

struct Settings {
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t d_model = 32;
    std::size_t d_ff = 0;  // 0: 4 * d_model
    std::string activation = "gelu";
    std::uint64_t seed = 1;
    ShowOptions show;
};

Activation activation_named(const std::string& wanted) {
    std::string names;
    for (const auto& [name, activation] : all_activations()) {
        if (name == wanted) return activation;
        names += " " + name;
    }
    throw ValueError(fmt::format("--activation {}: there is none of that name; there are:{}", wanted, names));
}

Tokens checked_tokens(Settings& s) {
    require_between("--d-model", s.d_model, 2, max_width);
    if (s.d_ff == 0) s.d_ff = 4 * s.d_model;
    if (s.d_ff < 2 || s.d_ff > max_hidden) {
        throw ValueError(
            fmt::format("--d-ff {}: must be between 2 and {}, or 0 for 4 x --d-model", s.d_ff, max_hidden));
    }
    (void)activation_named(s.activation);
    return tokens_of_text(s.text, max_tokens);
}

double share_below_zero(const Tensor& x) {
    const auto values = x.values();
    const auto count = std::count_if(values.begin(), values.end(), [](float v) { return v <= 0.0f; });
    return 100.0 * static_cast<double>(count) / static_cast<double>(values.size());
}

// The first hidden units of each token.
HeatMapPanel hidden_panel(const std::string& title, const Tensor& hidden, const Tokens& tokens) {
    const std::size_t units = std::min<std::size_t>(hidden.size(-1), 48);
    const Tensor first = reshape(slice(hidden, -1, 0, units), {tokens.size(), units});
    return {title, first.array(), tokens, {}, {}, ColourScale::diverging, "activation"};
}

// Step by step what the plain network does with the sentence.
void show_network(Trace& trace, const Settings& s, const FeedForward& layer, const Tensor& x) {
    const Tensor raised = layer.up(x), hidden = layer.hidden(x);
    trace.step("up(x)", raised, {"batch", "seq", "d_ff"}, fmt::format("{} -> {}", s.d_model, s.d_ff));
    trace.step("hidden", hidden, {"batch", "seq", "d_ff"}, s.activation);
    trace.step("output", layer.output(hidden), {"batch", "seq", "d_model"},
               fmt::format("{} -> {}", s.d_ff, s.d_model));
    trace.note(fmt::format("{:.0f} % of up(x) and {:.0f} % of the hidden activations are 0 or below",
                           share_below_zero(raised), share_below_zero(hidden)));
    trace.note(fmt::format("{} parameters", count_parameters(layer.parameters())));
}

// The same of SwiGLU, at two thirds of the hidden width.
void show_swiglu(Trace& trace, const SwiGLU& layer, const Tensor& x) {
    trace.step("gate(x)", layer.gate(x), {"batch", "seq", "d_ff"});
    trace.step("silu(gate(x))", silu(layer.gate(x)), {"batch", "seq", "d_ff"}, "how much passes");
    trace.step("up(x)", layer.up(x), {"batch", "seq", "d_ff"}, "what passes");
    const Tensor hidden = layer.hidden(x);
    trace.step("hidden", hidden, {"batch", "seq", "d_ff"}, "their product");
    trace.step("output", layer.output(hidden), {"batch", "seq", "d_model"});
    trace.note(fmt::format("{} parameters", count_parameters(layer.parameters())));
}

// The plain network on the sentence. Returns its hidden layer for the figure.
HeatMapFigure show_sentence(Trace& trace, const Settings& s, const Tensor& x, const Tokens& tokens,
                            Rng& rng) {
    const FeedForward ffn(s.d_model, s.d_ff, rng, activation_named(s.activation));
    show_network(trace, s, ffn, x);
    const FeedForward with_relu = [&] {
        FeedForward copy = ffn;
        copy.activation = Activation::relu;
        return copy;
    }();
    HeatMapFigure figure{
        .name = "hidden",
        .title = fmt::format("Hidden activations of each token, untrained, the first {} of {} units",
                             std::min<std::size_t>(s.d_ff, 48), s.d_ff),
        .row_axis = "token",
        .column_axis = "hidden unit",
        .panels = {hidden_panel("before the activation", ffn.up(x), tokens),
                   hidden_panel("relu", with_relu.hidden(x), tokens)},
        .panels_per_row = 1};
    if (s.activation != "relu") figure.panels.push_back(hidden_panel(s.activation, ffn.hidden(x), tokens));
    return figure;
}

// The networks on the sentence.
void show_networks(Trace& trace, const Settings& s, const Tokens& tokens, Figures& figures) {
    Rng rng(s.seed);
    const Vocabulary vocabulary = build_vocabulary(tokens);
    const Embedding embedding(vocabulary.words.size(), s.d_model, rng);
    const Tensor x = embedding(vocabulary.ids);

    trace.heading("The sentence");
    trace.note(
        fmt::format("{} tokens, {} different; seed {}; the weights are random, nothing is trained yet.",
                    tokens.size(), vocabulary.words.size(), s.seed));
    trace.step("x", x, {"batch", "seq", "d_model"}, "one row per token");
    trace.section("The feed-forward network, step by step",
                  [&] { figures.save(show_sentence(trace, s, x, tokens, rng)); });
    trace.section("SwiGLU, step by step",
                  [&] { show_swiglu(trace, SwiGLU(s.d_model, swiglu_hidden_size(s.d_ff), rng), x); });
    trace.section("Claim: each position is computed by itself", [&] {
        const FeedForward layer(s.d_model, s.d_ff, rng, activation_named(s.activation));
        show_independence(std::cout, x, layer, s.seed);
    });
}

// What needs no sentence.
void show_claims(Trace& trace, const Settings& s, Figures& figures) {
    trace.section("The activations", [&] { figures.save(show_activations(std::cout)); });
    trace.section("Claim: the approximations of GELU are near, the one more than the other",
                  [&] { figures.save(measure_approximations(std::cout)); });
    trace.section("Claim: for fixed weights attention is linear in v, the feed-forward network is not",
                  [&] { show_superposition(std::cout, s.seed); });
    trace.section("Claim: attention alone can't combine the features of one token; the network can",
                  [&] { figures.save(measure_task(std::cout, s.seed)); });
    trace.section("Claim: a ReLU that no input wakes any more stays dead",
                  [&] { measure_dead_units(std::cout, s.seed); });
    trace.section("Claim: two thirds of a block's parameters lie in the feed-forward network",
                  [&] { show_sizes(std::cout, s.seed); });
    trace.section("A memory that was written, not trained",
                  [&] { figures.save(show_memory(std::cout, s.seed)); });
    trace.section("Claim: with a threshold, a memory of width 32 holds far more than 32 facts",
                  [&] { measure_capacity(std::cout, s.seed); });
    trace.section("What it costs (timings differ from run to run)",
                  [&] { measure_times(std::cout, s.seed); });
}

void show(Settings s) {
    const Tokens tokens = checked_tokens(s);
    Figures figures(s.show);
    Trace trace(std::cout);
    show_networks(trace, s, tokens, figures);
    show_claims(trace, s, figures);
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("05_feed_forward",
                         "The feed-forward network: activations, SwiGLU, and what it adds to attention.");
    program.option("--text", s.text, "the sentence, at most 64 tokens");
    program.option("--d-model", s.d_model, "width of the model, 2 to 2048");
    program.option("--d-ff", s.d_ff, "width of the hidden layer, 2 to 8192; 0 is 4 times --d-model");
    program.option("--activation", s.activation, "relu, gelu, gelu_tanh, gelu_sigmoid or silu");
    program.option("--seed", s.seed, "seed of the random weights");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}
