// chapters/12_many_texts/program/drafts.cpp · which drafted tokens stay, drafts that cost nothing, when drafts pay; and beams
#include <fmt/format.h>

#include <algorithm>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/models/character_task.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/program/options.hpp"
#include "chapters/12_many_texts/search.hpp"
#include "common/measure.hpp"

namespace tfs {

namespace {

// Of all drafted tokens, in percent; 0 where there are none.
double percent_kept(const Speculation& speculation) {
    return 100.0 * static_cast<double>(speculation.kept) /
           static_cast<double>(std::max<std::size_t>(1, speculation.drafted));
}

double tokens_a_pass(const Speculation& speculation) {
    return static_cast<double>(speculation.text.tokens.size()) / static_cast<double>(speculation.passes);
}

// --- accepted, by hand

Report show_by_hand(const Request& request) {
    const std::vector<std::string> words{"cat", "dog", "mat"};
    const std::vector<double> q{0.6, 0.3, 0.1}, p{0.3, 0.3, 0.4};
    std::vector<double> came(3), missing{0.0, 0.0, p[2] - q[2]}, rest = missing;
    divide_by_sum(rest);
    constexpr std::size_t draws = 100'000;
    Rng rng(request[options::seed]);
    for (std::size_t i = 0; i < draws; ++i) {
        const std::int64_t drafted = sample(q, rng);
        came[static_cast<std::size_t>(accepted({drafted}, {q}, {p, p}, rng)[0])] += 1.0 / draws;
    }
    Table table{.columns = {{"token"},
                            {"draft q", fixed(1)},
                            {"large model p", fixed(1)},
                            {"drafted and stays", fixed(1)},
                            {"rest", fixed(1)},
                            {"comes in its place", fixed(1)},
                            {"came in 100,000 draws", fixed(2)}}};
    BarPanel panel{
        .title = "how often each token comes",
        .value_axis = "",
        .parts = {{"drafted, and stays", Hue::with}, {"in the place of one that went", Hue::without}}};
    for (std::size_t i = 0; i < 3; ++i) {
        table.add({words[i], q[i], p[i], std::min(p[i], q[i]), rest[i], missing[i], came[i]});
        panel.bars.push_back({words[i], {std::min(p[i], q[i]), missing[i]}});
    }
    Report report;
    report.add(table);
    report.add(
        BarFigure{.name = "accepted",
                  .title = "Together the drafts that stay and the replacements come as often as p says",
                  .panels = {panel},
                  .caption = "q is 0.6, 0.3, 0.1 and p is 0.3, 0.3, 0.4. Half of the drafted cats go, and a "
                             "mat comes for each of them."});
    return report;
}

// --- drafts that cost nothing

Report show_lookup(const Request&) {
    const Characters characters;
    const Draft draft = [&](std::span<const std::int64_t> text) {
        return lookup_draft(text, characters.model.vocab_size);
    };
    const GenerationOptions options{.new_tokens = lookup_tokens, .sampling = {.temperature = 0.0}};
    Table table{.columns = {{"the prompt ends with"},
                            {"passes", whole()},
                            {"tokens a pass", fixed(2)},
                            {"drafted tokens that stay", fixed(0, " %")},
                            {"the text"}}};
    double with = 0.0, without = 0.0;  // seconds
    Speculation all;
    for (const std::string& prompt : lookup_prompts()) {
        const TokenIds ids = characters.ids(prompt);
        Rng rng(1), same(1);
        const double begin = steady_seconds();
        const Speculation result =
            generate_speculatively(characters.model, draft, ids, lookup_length, options, rng);
        const double between = steady_seconds();
        std::vector<Rng> one{same};
        const Generated plain = generate(characters.model, {ids}, options, one)[0];
        with += between - begin;
        without += steady_seconds() - between;
        all.passes += result.passes, all.drafted += result.drafted, all.kept += result.kept;
        all.text.tokens.insert(all.text.tokens.end(), result.text.tokens.begin(), result.text.tokens.end());
        table.add({characters.text({ids.end() - std::min<std::ptrdiff_t>(24, std::ssize(ids)), ids.end()}),
                   result.passes, tokens_a_pass(result), percent_kept(result),
                   result.text.tokens == plain.tokens ? "is the same" : "is another one"});
    }
    table.add({"all together", all.passes, tokens_a_pass(all), percent_kept(all), ""});
    table.totals = 1;
    Report report;
    report.add(table);
    report.note(fmt::format("With drafts {:.2f} s, without {:.2f} s.", with, without));
    return report;
}

// --- when drafts pay

Report show_drafts(const Request& request) {
    const Characters characters;
    const LanguageModel& model = characters.model;
    const TokenIds prompt = characters.ids("First Citizen:");
    const Corpus corpus = read_corpus(shipped_corpus(), model.max_len);
    const CharacterNgrams ngrams(std::span(corpus.ids).first(corpus.held_out_from), model.vocab_size, 5);
    const Draft draft = [&](std::span<const std::int64_t> text) { return ngrams.probabilities(text); };
    const GenerationOptions options{.new_tokens = model.max_len - prompt.size(),
                                    .sampling = {.temperature = 0.8}};
    Table table{.columns = {{"length of a draft", whole()},
                            {"drafted tokens that stay", fixed(0, " %")},
                            {"tokens a pass", fixed(2)},
                            {"speed against no draft", ratios()}}};
    const auto plain = [&] {
        std::vector<Rng> rngs{Rng(request[options::seed])};
        (void)generate(model, {prompt}, options, rngs);
    };
    for (const std::size_t length : {1U, 2U, 4U, 8U}) {
        Speculation last;
        const auto drafted = [&] {
            Rng rng(request[options::seed]);
            last = generate_speculatively(model, draft, prompt, length, options, rng);
        };
        const Rounds times = measure_in_turns({drafted, plain}, usual_turns({.rounds = 5}));
        table.add({length, percent_kept(last), tokens_a_pass(last), ratio(times[1], times[0])});
    }
    Report report;
    report.add(table);
    report.note("The draft is a 5-gram counted on the text that the model learned from. One core.");
    return report;
}

Report show_beams(const Request&) {
    const Characters characters;
    const TokenIds prompt = characters.ids("First Citizen:");
    Table table{.columns = {{"beams", whole()}, {"ln of its probability", fixed(1)}, {"text"}}};
    for (const std::size_t beams : {1U, 4U}) {
        const Beam best = beam_search(characters.model, prompt,
                                      {.beams = beams, .length_penalty = 0.0, .new_tokens = 80})[0];
        table.add({beams, best.log_probability, characters.text(best.tokens)});
    }
    Report report;
    report.add(table);
    report.note("One beam is greedy decoding.");
    return report;
}

}  // namespace

Sections drafts_sections() {
    return {{"by-hand", "By hand: a draft of one token", show_by_hand, {options::seed}},
            {"lookup", "The puzzle: drafts from the text itself (times differ from run to run)", show_lookup},
            {"drafts",
             "Drafts of a 5-gram, checked by the character model (times differ from run to run)",
             show_drafts,
             {options::seed},
             Level::deeper},
            {"beams", "Beam search with 4 beams beside greedy decoding", show_beams, {}, Level::deeper}};
}

}  // namespace tfs
