// chapters/10_training/program/experiment_norm_kinds.cpp · LayerNorm and RMSNorm in the decoder of characters
//
// Run it: ./tutorial run 10 -- --experiment norm_kinds       (half an hour)
#include <fmt/format.h>

#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/models/initial_values.hpp"
#include "chapters/10_training/program/experiments.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

constexpr std::size_t seeds_of_each = 3, steps = 1000, asked = 20'000;

// Trains a decoder with this norm, and returns its bits per held-out character.
double bits_with(const Request& request, const Corpus& corpus, NormKind kind, std::uint64_t seed) {
    const ModelConfig sizes = character_config();
    Rng rng(seed);
    TextTransformer model(corpus.tokenizer, sizes, rng);
    TransformerConfig config = transformer_config(corpus.tokenizer, sizes);
    config.block.norm = kind;
    model.model = Transformer(config, rng);
    draw_initial_values(model.parameters(), sizes.layers, rng);
    Task task = task_of(model, corpus, {.steps = steps, .seed = seed});
    task.plan.evaluate_every = steps;
    Trainer trainer(task);
    (void)loss_curve(request, trainer, kind == NormKind::layer_norm ? "LayerNorm" : "RMSNorm", steps / 50);
    return bits_per_character(model, corpus, asked);
}

Report compare_norm_kinds(const Request& request) {
    const Corpus corpus = read_corpus(shipped_corpus(), character_config().max_len);
    Table table{.columns = {{"norm"}, {"bits per held-out character", fixed(3)}}};
    for (const NormKind kind : {NormKind::layer_norm, NormKind::rms_norm}) {
        std::vector<double> bits;
        for (std::uint64_t seed = 1; seed <= seeds_of_each; ++seed)
            bits.push_back(bits_with(request, corpus, kind, seed));
        table.add({kind == NormKind::layer_norm ? "LayerNorm" : "RMSNorm", middle_and_range(bits, fixed(3))});
    }
    Report report;
    report.add(table);
    report.note(
        fmt::format("The decoder of characters after {} steps; the middle of three seeds, and the "
                    "lowest and highest. The first {} held-out characters are asked.",
                    steps, asked));
    return report;
}

}  // namespace

Sections experiment_norm_kinds_sections() {
    return {{"norm_kinds",
             "LayerNorm and RMSNorm in the decoder of characters",
             compare_norm_kinds,
             {},
             Level::experiment,
             Slow::yes}};
}

}  // namespace tfs
