// chapters/05_feed_forward/program/main.cpp · the feed-forward network by hand, on a sentence, as a memory, and what it adds to attention
//
// Run it: ./tutorial run 5          on your own steps: ./tutorial run 5 --mine
//         ./tutorial run 5 -- --deeper
//         ./tutorial run 5 -- --text "the dog saw the cat" --activation relu --d-ff 64
#include <fmt/format.h>

#include "chapters/05_feed_forward/program/activation_curves.hpp"
#include "chapters/05_feed_forward/program/sections.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_hidden = 8192;

struct NetworkOptions {
    std::size_t d_ff = 0;  // 0: 4 * d_model
    std::string activation = "gelu";
};

Activation activation_named(const std::string& wanted) {
    std::string names;
    for (const auto& [name, activation] : all_activations()) {
        if (name == wanted) return activation;
        names += " " + name;
    }
    throw ValueError(fmt::format("--activation {}: there is none of that name; there are:{}", wanted, names));
}

void check_network(const NetworkOptions& network) {
    if (network.d_ff == 1 || network.d_ff > max_hidden) {
        throw ValueError(fmt::format("--d-ff {}: must be between 2 and {}, or 0 for 4 x --d-model",
                                     network.d_ff, max_hidden));
    }
    (void)activation_named(network.activation);
}

void show_the_sentence(Show& show, const NetworkOptions& network) {
    const std::size_t d_model = show.options.d_model, d_ff = network.d_ff > 0 ? network.d_ff : 4 * d_model;
    const Activation activation = activation_named(network.activation);
    show.section("By hand: the larger of two features", [&] { show_by_hand(show); });
    Rng rng(show.options.seed);
    const Tensor x = show_sentence(show, rng);
    show.section("The feed-forward network, step by step (random weights)", [&] {
        const FeedForward layer(d_model, d_ff, rng, activation);
        show.figures.save(network_flow());
        show_network(show, layer, network.activation, x);
    });
    show.deeper("SwiGLU, step by step (random weights)", [&] {
        const SwiGLU layer(d_model, swiglu_hidden_size(d_ff), rng);
        show_swiglu(show, layer, x);
        show.out << '\n';
        show_exchanged_names(show, layer, x);
    });
    show.section("Each position is computed by itself", [&] {
        const FeedForward layer(d_model, d_ff, rng, activation);
        show_independence(show, x, layer);
    });
}

// What needs no sentence.
void show_claims(Show& show) {
    show.section("Exactly one of two bits: attention alone, and with a feed-forward network",
                 [&] { show.figures.save(measure_task(show)); });
    show.section("A memory that was written, not trained", [&] { show.figures.save(show_memory(show)); });
    show.section("Puzzle: which verb does not fit its subject?", [&] { show_agreement(show); });
    show.deeper("Does training find the weights of the puzzle?",
                [&] { measure_exclusive_or_training(show); });
    show.deeper("One head and a second token give exclusive or", [&] { show_attention_exclusive_or(show); });
    show.deeper("What is linear: f(a + b) against f(a) + f(b)", [&] { show_superposition(show); });
    show.deeper("The activations", [&] { show.figures.save(show_activations(show)); });
    show.deeper("The approximations of GELU", [&] { show.figures.save(measure_approximations(show)); });
    show.deeper("Dead units", [&] { measure_dead_units(show); });
    show.deeper("A memory of width 32 with more and more facts", [&] { measure_capacity(show); });
}

void show_costs(Show& show) {
    show.deeper("Parameters and operations at d_model 768", [&] { show_sizes(show); });
    show.deeper("What a network costs (times differ from run to run)", [&] { measure_times(show); });
    show.deeper("What an activation costs (times differ from run to run)",
                [&] { measure_activation_times(show); });
}

}  // namespace

int main(int argc, char** argv) {
    NetworkOptions network;
    return tfs::run_chapter(
        argc, argv,
        {.name = "05_feed_forward",
         .description = "The feed-forward network: activations, SwiGLU, and what it adds to attention.",
         .limits = {.heads = false, .min_d_model = 2, .max_d_model = 2048},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--d-ff", network.d_ff,
                                "width of the hidden layer, 2 to 8192; 0 is 4 times --d-model");
                 program.option("--activation", network.activation,
                                "relu, gelu, gelu_tanh, gelu_sigmoid or silu");
             },
         .own_checks = [&](const auto&) { check_network(network); },
         .body =
             [&](tfs::Show& show) {
                 show_the_sentence(show, network);
                 show_claims(show);
                 show_costs(show);
             }});
}
