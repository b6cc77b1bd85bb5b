// chapters/11_generation/program/drafts_and_beams.cpp · drafts of a 5-gram: how many tokens stay, and does it pay? And beams: the likelier text
#include <fmt/format.h>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/models/character_task.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "chapters/11_generation/search.hpp"

namespace tfs {

namespace options {

inline const CountOption draft{"--draft", 0, 0, 64, "how many tokens a draft has; 0: 1, 2, 4 and 8"};
inline const CountOption beam{"--beam", 4, 1, 64, "how many texts a beam search follows"};

}  // namespace options

namespace {

Report show_drafts(const Request& request) {
    const Writer writer = character_writer("First Citizen:");
    const LanguageModel model = writer.model();
    const Corpus corpus = read_corpus(shipped_corpus(), model.max_len);
    const CharacterNgrams ngrams(std::span(corpus.ids).first(corpus.held_out_from), model.vocab_size, 5);
    const Draft draft = [&](std::span<const std::int64_t> text) { return ngrams.probabilities(text); };
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

Report show_beams(const Request& request) {
    const Writer writer = character_writer("First Citizen:");
    const LanguageModel model = writer.model();
    Table table{.columns = {{"beams", whole()}, {"ln of its probability", fixed(1)}, {"text"}}};
    for (const std::size_t beams : {std::size_t{1}, request[options::beam]}) {
        const Beam best =
            beam_search(model, writer.prompt, {.beams = beams, .length_penalty = 0.0, .new_tokens = 80})[0];
        table.add({beams, best.log_probability, in_one_line(writer.trained->tokenizer.decode(best.tokens))});
    }
    Report report;
    report.add(table);
    report.note("One beam is greedy decoding.");
    return report;
}

}  // namespace

Sections drafts_and_beams_sections() {
    return {{"drafts",
             "Drafts of a 5-gram, checked by the character model (times differ from run to run)",
             show_drafts,
             {options::draft, options::temperature, options::top_k, options::top_p, options::min_p,
              options::seed},
             Level::deeper},
            {"beams",
             "Beam search with {beam} beams beside greedy decoding",
             show_beams,
             {options::beam},
             Level::deeper}};
}

}  // namespace tfs
