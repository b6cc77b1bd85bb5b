// chapters/10_training/program/insides.cpp · the trained decoder of characters, looked into: blocks, heads, a logit, hidden units
#include "chapters/10_training/models/insides.hpp"

#include <fmt/format.h>

#include <map>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/program/shown_task.hpp"
#include "common/program.hpp"
#include "common/io/weights.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::size_t asked_of_blocks = 10'000, asked_of_heads = 2'000;  // held-out characters
constexpr std::size_t windows_of_units = 64, least_agreement = 16;
const char* const text_of_shares = "Before we proceed any further, hear me spea";

struct Trained {
    TextTransformer model = shipped_writer();
    Corpus corpus = read_corpus(shipped_corpus(), model.config.max_len);
};

Report show_blocks(const Request&) {
    const Trained trained;
    const Corpus& corpus = trained.corpus;
    const std::size_t begin = corpus.held_out_from, end = begin + asked_of_blocks;
    const std::span<const std::int64_t> ids(corpus.ids);
    const std::vector<double> bits = bits_after_each_block(trained.model, corpus, asked_of_blocks);
    Table table{
        .columns = {
            {"blocks", whole()}, {"bits", fixed(2)}, {"n of the n-gram", whole()}, {"its bits", fixed(2)}}};
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const CharacterNgrams ngrams(ids.first(begin), corpus.tokenizer.size(), i + 1);
        table.add({i, bits[i], i + 1, bits_per_character(ngrams, ids, begin, end)});
    }
    Report report;
    report.add(table);
    report.note(
        fmt::format("Bits per held-out character ({} of them), if the final norm and the table of the logits "
                    "read the stream after so many blocks. After none they read the embedding: it guesses "
                    "the character just read, and is nearly always wrong. Right, for comparison: n-grams "
                    "(interpolated Kneser-Ney); the last of their n characters is guessed.",
                    asked_of_blocks));
    return report;
}

Report show_head_costs(const Request&) {
    const Trained trained;
    const auto costs = cost_of_each_head(trained.model, trained.corpus, asked_of_heads);
    Table table{.columns = {{"without head", whole()}}};
    for (std::size_t layer = 0; layer < costs.size(); ++layer)
        table.columns.push_back({fmt::format("block {}", layer + 1), fixed(3)});
    for (std::size_t head = 0; head < costs[0].size(); ++head) {
        std::vector<Cell> row{head + 1};
        for (const std::vector<double>& of_layer : costs) row.emplace_back(of_layer[head]);
        table.add(row);
    }
    Report report;
    report.add(table);
    report.note(fmt::format(
        "How many bits more a held-out character costs, in the mean over {}, if one head gives nothing.",
        asked_of_heads));
    return report;
}

Report show_logit_shares(const Request&) {
    const NoGrad no_grad;
    const TextTransformer trained = shipped_writer();
    const Ids ids = trained.tokenizer.encode(text_of_shares);
    const auto id_of = [&](const char* token) { return trained.tokenizer.encode(token).data()[0]; };
    const Reading reading = read_through(trained.model, ids, Weights::none);
    const std::vector<LogitShare> right = logit_shares(trained.model, reading, id_of("k")),
                                  other = logit_shares(trained.model, reading, id_of("r"));
    Table table{.columns = {{"part"}, {"logit of k", fixed(3)}, {"logit of r", fixed(3)}}, .totals = 1};
    double sum = 0.0, other_sum = 0.0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        table.add({right[i].name, right[i].share, other[i].share});
        sum += right[i].share;
        other_sum += other[i].share;
    }
    table.add({"the logit", sum, other_sum});
    Report report;
    report.note(fmt::format("After \"{}\":", text_of_shares));
    report.add(table);
    report.note(
        "The stream is the sum of the embedding and of what each attention and each feed-forward network "
        "adds. The final norm divides it by one number. With this number held fixed, each part has its "
        "share of a logit; beta is that of the final norm.");
    return report;
}

Report show_units(const Request&) {
    const Trained trained;
    const Batch windows =
        make_batch(some_held_out_windows(trained.corpus, trained.model.config.max_len, windows_of_units), 0);
    const std::vector<HiddenUnit> units = readable_units(trained.model, windows.inputs, least_agreement);
    Table table{
        .columns = {
            {"block", whole()}, {"unit", whole()}, {"ends with"}, {"places of 20", whole()}, {"raises"}}};
    std::map<std::string, std::size_t> shown;
    for (const HiddenUnit& unit : units) {
        if (++shown[unit.ending] > 1) continue;
        std::string raises, ending;
        for (const auto& [token, logit] : unit.raises) raises += visible(token) + " ";
        for (const char byte : unit.ending) ending += visible(std::string(1, byte));
        table.add({unit.layer + 1, unit.unit + 1, ending, unit.agree, raises});
    }
    Report report;
    report.note(
        fmt::format("{} units: at least {} of the 20 places where they are strongest have the same last "
                    "three characters. The first one of each ending is shown. raises: the next characters "
                    "whose logits it raises most, if no later block changed that. ␣ is a space, ¶ the end of "
                    "a line.",
                    units.size(), least_agreement));
    report.add(table);
    return report;
}

}  // namespace

Sections insides_sections() {
    return {{"blocks-and-ngrams",
             "Characters: what each block adds, beside n-grams",
             show_blocks,
             {},
             Level::deeper},
            {"head-costs", "Characters: what leaving out a head costs", show_head_costs, {}, Level::deeper},
            {"logit-shares", "Characters: a logit as a sum of shares", show_logit_shares, {}, Level::deeper},
            {"units", "Characters: hidden units that know three characters", show_units, {}, Level::deeper}};
}

}  // namespace tfs
