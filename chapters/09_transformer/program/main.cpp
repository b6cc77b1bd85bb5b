// chapters/09_transformer/program/main.cpp · whole models: one at work, the sizes of published ones, what they write
//
// Run it: ./tutorial run 9          on your own steps: ./tutorial run 9 --mine=all
//         ./tutorial run 9 -- --deeper
//         ./tutorial run 9 -- --model tiny-encoder-decoder --text "the dog saw the cat"
//         ./tutorial run 9 -- --model textbook          (the Transformer of 2017, at a size that runs here)
//         ./tutorial run 9 -- --model llama-7b          (a table; nothing is allocated)
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/09_transformer/program/ids_to_logits.hpp"
#include "chapters/09_transformer/program/model_choice.hpp"
#include "chapters/09_transformer/program/sections.hpp"
#include "chapters/09_transformer/program/weight_memory.hpp"

namespace {

using namespace tfs;

constexpr std::size_t most_new_words = 60;  // with the text they fit into a tiny model

struct OwnOptions {
    ModelChoice choice;
    std::size_t new_tokens = 0;  // 0: 8 words, or 130 characters of the trained model
    bool untrained = false;
};

void check_options(const OwnOptions& own, const Tokens& tokens) {
    require_between("--new-tokens", own.new_tokens, 0, 255);
    (void)chosen_config(own.choice, number_tokens(tokens).words.size());
}

// What the model writes. Where there is a trained one, it is that one that writes.
void show_greedy(Show& show, const OwnOptions& own, const Transformer& model, const TextIds& text,
                 const std::optional<TextTransformer>& trained) {
    if (trained) {
        const std::size_t count = own.new_tokens > 0 ? own.new_tokens : 130;
        show.section(fmt::format("Greedy: up to {} new characters from trained weights", count),
                     [&] { show_greedy_characters(show, *trained, count); });
        return;
    }
    const std::size_t count = own.new_tokens > 0 ? std::min(own.new_tokens, most_new_words) : 8;
    show.section(fmt::format("Greedy: up to {} new tokens", count), [&] {
        show_greedy_text(show, model, text, count);
        if (own.choice.load == no_file)
            show.trace.note("untrained: the words mean nothing, chapter 10 trains such models");
    });
}

void show_next_tokens(Show& show, const ModelRun& run, const TextIds& text, const std::string& label,
                      bool untrained) {
    HeatMapFigure scores = draw_scores(run.output, text, label);
    if (untrained) scores.caption += " The model is untrained: it has learned nothing about the next token.";
    show.figures.save(scores);
    print_best_tokens(show, run.output, text);
}

void show_model(Show& show, const OwnOptions& own, const TransformerConfig& config, const TextIds& text) {
    const bool untrained = own.choice.load == no_file;
    print_config(show, own.choice.name, config);
    const Transformer model = make_model(show, own.choice, config);
    const std::string label = own.choice.name + (untrained ? ", untrained" : ", weights from a file");
    const ModelRun run = trace_model(show, model, text);
    if (config.architecture == Architecture::encoder_only)
        show.trace.note("an encoder writes nothing: its positions have seen what they should guess");
    const std::optional<TextTransformer> trained =
        own.untrained ? std::nullopt : trained_decoder(show, own.choice);
    if (trained) {
        show.figures.save(draw_character_maps(show, *trained));
        show.figures.save(draw_overview(show, *trained));
    } else {
        show.figures.save(
            draw_attention_maps(run, model, text, label,
                                untrained ? " The model is untrained: the pattern means nothing yet." : ""));
    }
    if (config.architecture != Architecture::encoder_only) show_greedy(show, own, model, text, trained);
    if (config.architecture != Architecture::encoder_decoder)
        show.deeper("Which token has the largest logit at each position",
                    [&] { show_next_tokens(show, run, text, label, untrained); });
    if (trained)
        show.deeper("One sentence, step by step, through trained weights",
                    [&] { show_one_sentence(show, *trained); });
}

void show_claims(Show& show) {
    show.deeper("The first loss: how the table is drawn, and the factor sqrt(d_model)",
                [&] { measure_embedding_scale(show); });
    show.deeper("The first loss at other widths", [&] { show.figures.save(measure_first_loss(show)); });
    show.deeper("The final norm, on pre-norm and on post-norm blocks", [&] { measure_final_norm(show); });
    show.deeper("Do logits depend on later tokens?", [&] { measure_later_tokens(show); });
    show.deeper("The encoder runs once", [&] { measure_encoder_once(show); });
}

void show_published_models(Show& show) {
    show.section("Published models", [&] {
        print_model_sizes(show, {"original", "bert-base", "gpt2", "llama-7b"});
    });
    const std::vector<std::string> published{"bert-base", "gpt2", "llama-7b", "qwen-7b"};
    show.deeper("Parameters of published models",
                [&] { show.figures.save(show_parameter_counts(show, published)); });
    show.deeper("Their memory", [&] { print_weight_memory(show, published); });
}

void show_transformer(Show& show, const OwnOptions& own) {
    const TextIds text = number_tokens(show.tokens);
    const TransformerConfig config = chosen_config(own.choice, text.words.size());
    const std::string& name = own.choice.name;
    const auto table = [&] { print_model_table(show, config, text.ids.size()); };
    const std::string title = fmt::format("The whole model: {}", name);
    if (!small_enough(config)) {
        show.section(title, [&] { print_config(show, name, config); });
        show.section("Part by part", table);
        show.section("Too large to run here", [&] { say_too_large(show, name, config); });
        return;
    }
    show.section("By hand: logits from a table of three rows", [&] { show_tied_logits_by_hand(show); });
    show.section(title, [&] { show_model(show, own, config, text); });
    show.deeper("Part by part", table);
    show.figures.save(draw_data_flow(name, config, text.ids.size()));
    show_published_models(show);
    show.section("Puzzle: an induction head", [&] { show.figures.save(show_induction(show)); });
    show_claims(show);
}

}  // namespace

int main(int argc, char** argv) {
    OwnOptions own;
    ModelChoice& choice = own.choice;
    return tfs::run_chapter(
        argc, argv,
        {.name = "09_transformer",
         .description = "The whole Transformer: one model at work, the sizes of others, what they write.",
         .limits = {.heads = false, .max_d_model = 0},
         .own_options =
             [&](tfs::Program& program) {
                 program.option("--model", choice.name,
                                fmt::format("one of {}", fmt::join(tfs::preset_names(), ", ")));
                 program.option(
                     "--new-tokens", own.new_tokens,
                     "how many tokens are generated: at most 60 words, or characters up to a text of 256; "
                     "0: 8 or 130");
                 program.option("--untrained", own.untrained, "leave out the trained decoder");
                 program.option("--heads", choice.heads, "of a tiny model; 0: its own");
                 program.option("--d-model", choice.d_model, "of a tiny model; 0: its own");
                 program.option("--layers", choice.layers, "of a tiny model; 0: its own");
                 program.option("--save", choice.save, "file for the weights (safetensors)");
                 program.option("--load", choice.load, "file to load the weights from");
             },
         .own_checks =
             [&](const tfs::SharedOptions& options) { check_options(own, tfs::split_words(options.text)); },
         .body = [&](tfs::Show& show) { show_transformer(show, own); }});
}
