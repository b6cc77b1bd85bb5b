// chapters/11_generation/program/drafts.cpp · a 5-gram drafts, the character model checks: how many tokens stay, and does it pay?
#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/models/character_task.hpp"
#include "chapters/11_generation/models/model_draft.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

Report show_drafts(const Request& request) {
    const Writer writer = character_writer("First Citizen:");
    const LanguageModel model = writer.model();
    const Corpus corpus = read_corpus(shipped_corpus(), model.max_len);
    const CharacterNgrams ngrams(std::span(corpus.ids).first(corpus.held_out_from), model.vocab_size, 5);
    const Draft draft = ngram_draft(ngrams);
    const GenerationOptions options{.new_tokens = model.max_len - writer.prompt.size(),
                                    .sampling = asked_sampling(request)};
    Table table{.columns = {{"length of a draft", whole()},
                            {"drafted tokens that stay", fixed(0, " %")},
                            {"tokens a pass", fixed(2)},
                            {"speed against no draft", ratios()}}};
    const auto plain = [&] {
        std::vector<Rng> rngs{Rng(request[options::seed])};
        (void)generate(model, {writer.prompt}, options, rngs);
    };
    const std::size_t asked = request[options::draft];
    for (const std::size_t length :
         asked > 0 ? std::vector<std::size_t>{asked} : std::vector<std::size_t>{1, 2, 4, 8}) {
        Speculation last;
        const auto drafted = [&] {
            Rng rng(request[options::seed]);
            last = generate_speculatively(model, draft, writer.prompt, length, options, rng);
        };
        const Rounds times = measure_in_turns({drafted, plain}, usual_turns({.rounds = 5}));
        table.add({length, 100.0 * static_cast<double>(last.kept) / static_cast<double>(last.drafted),
                   static_cast<double>(last.text.tokens.size()) / static_cast<double>(last.passes),
                   ratio(times[1], times[0])});
    }
    Report report;
    report.add(table);
    report.note("The draft is a 5-gram counted on the text that the model learned from. One core.");
    return report;
}

// The first layers of a model, with its embedding and its last norm.
Transformer first_layers(const Transformer& model, std::size_t layers) {
    TransformerConfig config = model.config;
    config.num_layers = layers;
    Rng none = Rng::zeros();
    Transformer result(config, none);
    std::map<std::string, Tensor> all;
    for (const auto& [name, tensor] : model.parameters()) all.emplace(name, tensor);
    for (auto& [name, tensor] : result.parameters()) tensor.mutable_array() = all.at(name).array();
    return result;
}

// With random weights nothing is said about which drafts stay; the times are those of real weights.
Report show_large_drafts(const Request& request) {
    const NoGrad no_grad;
    Rng weights(request[options::seed]);
    const Transformer large(preset("gpt2"), weights), small = first_layers(large, 1);
    const LanguageModel model = language_model(large);
    const TokenIds prompt{464, 3797, 3332, 319, 262, 2603};
    const GenerationOptions options{.new_tokens = request[options::gpt2_tokens]};
    Table table{.columns = {{"length of a draft", whole()},
                            {"drafted tokens that stay", whole(" %")},
                            {"tokens a pass", fixed(2)},
                            {"speed against no draft", ratios()}}};
    const auto plain = [&] {
        std::vector<Rng> rngs{Rng(1)};
        (void)generate(model, {prompt}, options, rngs);
    };
    for (const std::size_t length : {1U, 2U, 4U, 8U}) {
        request.tell({"progress", fmt::format("drafts of {}", length)});
        Speculation last;
        const auto drafted = [&] {
            Rng rng(1);
            last = generate_speculatively(model, ModelDraft(language_model(small)), prompt, length, options,
                                          rng);
        };
        const Rounds times =
            measure_in_turns({drafted, plain}, usual_turns({.rounds = 3, .one_core = false}));
        table.add({length, 100.0 * static_cast<double>(last.kept) / static_cast<double>(last.drafted),
                   static_cast<double>(options.new_tokens) / static_cast<double>(last.passes),
                   ratio(times[1], times[0])});
    }
    Report report;
    report.add(table);
    report.note(
        "GPT-2 small's shape with random weights; the draft is a copy of its embedding, first layer and last "
        "norm.");
    return report;
}

}  // namespace

Sections drafts_sections() {
    return {{"drafts-of-gpt2",
             "Drafts of one layer for twelve, in GPT-2 small's shape (times differ from run to run)",
             show_large_drafts,
             {options::gpt2_tokens, options::seed},
             Level::experiment},
            {"drafts",
             "Drafts of a 5-gram, checked by the character model (times differ from run to run)",
             show_drafts,
             {options::draft, options::temperature, options::top_k, options::top_p, options::min_p,
              options::seed},
             Level::deeper}};
}

}  // namespace tfs
