// chapters/09_transformer/program/main.cpp · whole models: their tables, one at work, claims measured
//
// Run it: ./tutorial run 9          on your own steps: ./tutorial run 9 --mine=all
//         ./tutorial run 9 -- --model tiny-encoder-decoder --text "the dog saw the cat"
//         ./tutorial run 9 -- --model llama-7b          (a table; nothing is allocated)
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <iostream>

#include "chapters/09_transformer/program/claims.hpp"
#include "chapters/09_transformer/program/describe.hpp"
#include "chapters/09_transformer/program/walk.hpp"
#include "common/program/options.hpp"
#include "common/show/summary.hpp"
#include "common/text.hpp"

namespace {

using namespace tfs;

constexpr std::size_t max_tokens = 64;  // a map with more rows can't be read
const std::vector<std::string> published{"bert-base", "gpt2", "llama-7b", "qwen-7b"};

const std::string no_file = "(none)";

struct Settings {
    std::string model = "tiny-decoder";
    std::string text = "The cat sat on the mat because it was tired";
    std::size_t heads = 0, d_model = 0, layers = 0;  // 0: those of the model
    std::size_t new_tokens = 8;
    std::string save = no_file, load = no_file;
    std::uint64_t seed = 1;
    ShowOptions show;
};

bool is_tiny(const std::string& model) { return model.rfind("tiny-", 0) == 0; }

// A small model in the sizes that were asked for, with the tokens of the text; a published one as it is.
TransformerConfig chosen_config(const Settings& s, std::size_t vocab) {
    TransformerConfig config = preset(s.model);
    if (!is_tiny(s.model)) {
        if (s.heads + s.d_model + s.layers > 0)
            throw ValueError(
                fmt::format("{} has its published sizes; choose others for a tiny one", s.model));
        return config;
    }
    config.vocab_size = vocab;
    if (s.layers > 0) config.num_layers = s.layers;
    if (s.heads > 0) config.block.num_heads = s.heads;
    if (s.d_model > 0) {
        config.block.d_ff = config.block.d_ff * s.d_model / config.block.d_model;
        config.block.d_model = s.d_model;
    }
    return require_valid(s.model, config);
}

void check(const Settings& s) {
    require_between("--new-tokens", s.new_tokens, 0, 60);
    require_between("--layers", s.layers, 0, 24);
    require_between("--heads", s.heads, 0, 32);
    require_between("--d-model", s.d_model, 0, 512);
    for (const auto& [flag, file] : {std::pair("--load", s.load), std::pair("--save", s.save)})
        if (file.empty()) throw ValueError(fmt::format("{}: the file name is empty", flag));
}

// A model that is only counted has no weights that a file could hold.
void refuse_files(const Settings& s, const TransformerConfig& config) {
    for (const auto& [flag, file] : {std::pair("--load", s.load), std::pair("--save", s.save)}) {
        if (file == no_file) continue;
        throw ValueError(fmt::format(
            "{}: {} is too large to run here ({}, at most {}): weights can be read and written for the tiny "
            "models only",
            flag, s.model, in_bytes(weights_in_bytes(config)),
            in_bytes(static_cast<double>(largest_weights))));
    }
}

void say_too_large(const Settings& s, const TransformerConfig& config) {
    const std::string text = fmt::format(
        "The weights of {} take {} as float32, and this program stops at {}: to draw more takes longer than "
        "all the rest, and without training they show nothing that a small model does not. The table needs "
        "none of them, it is computed from the config.",
        s.model, in_bytes(weights_in_bytes(config)), in_bytes(static_cast<double>(largest_weights)));
    for (const std::string& line : wrap(text, screen_columns - 2)) std::cout << "  " << line << '\n';
}

// The weights: drawn, or from a file; and into a file.
Transformer make_model(const Settings& s, const TransformerConfig& config) {
    const bool drawn = s.load == no_file;
    Rng rng = drawn ? Rng(s.seed) : Rng::zeros();
    Transformer model(config, rng);
    if (!drawn) load_weights(model, s.load);
    std::cout << fmt::format("  weights {}: {} parameters in {} tensors\n",
                             drawn ? fmt::format("drawn with seed {}", s.seed) : "loaded from " + s.load,
                             with_separators(count_parameters(model.parameters())),
                             model.parameters().size());
    if (s.save == no_file) return model;
    save_weights(model, s.save);
    std::cout << "  saved as " << s.save << '\n';
    return model;
}

void show_model(const Settings& s, Trace& trace, Figures& figures, const TransformerConfig& config,
                const TextIds& text) {
    const Transformer model = make_model(s, config);
    const std::string label = s.model + (s.load == no_file ? ", untrained" : ", weights from a file");
    const Walk walk = trace_model(trace, model, text);
    figures.save(draw_maps(walk, model, text, label));
    figures.save(draw_scores(walk.output, text, label));
    if (config.architecture != Architecture::encoder_decoder) {
        std::cout << '\n';
        print_guesses(std::cout, walk.output, text);
    }
    if (config.architecture == Architecture::encoder_only)
        return trace.note("an encoder writes nothing: its positions have seen what they should guess");
    if (s.new_tokens == 0) return;
    trace.section(fmt::format("Greedy: up to {} new tokens", s.new_tokens), [&] {
        write_on(std::cout, model, text, s.new_tokens);
        if (s.load == no_file) trace.note("untrained: the words mean nothing, chapter 10 trains such models");
    });
}

void show_claims(const Settings& s, Trace& trace, Figures& figures) {
    trace.section("Claim: sqrt(d_model) belongs to a small table, not to one of N(0, 1)",
                  [&] { measure_scale(std::cout, s.seed); });
    trace.section("Claim: with a table of N(0, 1) the first loss grows with d_model",
                  [&] { figures.save(measure_first_loss(std::cout, s.seed)); });
    trace.section("Claim: a pre-norm stack needs a last norm, a post-norm stack has it",
                  [&] { measure_final_norm(std::cout, s.seed); });
    trace.section("Claim: logits don't depend on later tokens", [&] { measure_leaks(std::cout, s.seed); });
    trace.section("Claim: the encoder runs once", [&] { measure_encoder_once(std::cout, s.seed); });
    trace.section("Parameters of published models", [&] {
        print_shares(std::cout, published);
        figures.save(draw_parameters(published));
    });
    trace.section("Their memory", [&] { print_memory(std::cout, published); });
}

void show(const Settings& s) {
    check(s);
    const TextIds text = number_tokens(tokens_of_text(s.text, max_tokens));
    const TransformerConfig config = chosen_config(s, text.words.size());
    const std::size_t seq = text.ids.size();
    if (!small_enough(config)) refuse_files(s, config);
    Figures figures(s.show);
    Trace trace(std::cout);
    trace.section(fmt::format("The whole model: {}", s.model), [&] {
        print_config(std::cout, s.model, config);
        std::cout << '\n';
        print_model_table(std::cout, config, seq, seq);
    });
    if (!small_enough(config))
        return trace.section("Too large to run here", [&] { say_too_large(s, config); });
    trace.section("From ids to logits", [&] { show_model(s, trace, figures, config, text); });
    figures.save(draw_flow(s.model, config, seq));
    show_claims(s, trace, figures);
    figures.report(std::cout);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    tfs::Program program("09_transformer",
                         "The whole Transformer: tables of models, one at work, claims measured.");
    program.option("--model", s.model, fmt::format("one of {}", fmt::join(tfs::preset_names(), ", ")));
    program.option("--text", s.text, "the sentence, at most 64 tokens");
    program.option("--new-tokens", s.new_tokens, "how many tokens a decoder generates, at most 60");
    program.option("--heads", s.heads, "of a tiny model; 0: its own");
    program.option("--d-model", s.d_model, "of a tiny model; 0: its own");
    program.option("--layers", s.layers, "of a tiny model; 0: its own");
    program.option("--save", s.save, "file for the weights (safetensors)");
    program.option("--load", s.load, "file to load the weights from");
    program.option("--seed", s.seed, "seed of the random weights");
    add_show_options(program, s.show);
    return program.run(argc, argv, [&] { show(s); });
}
