// chapters/10_training/program/insides.cpp · the trained decoder of characters, looked into: blocks and heads
#include "chapters/10_training/models/insides.hpp"

#include <fmt/format.h>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/program/shown_task.hpp"
#include "common/io/weights.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

constexpr std::size_t asked_of_blocks = 10'000, asked_of_heads = 2'000;  // held-out characters

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

}  // namespace

Sections insides_sections() {
    return {{"blocks-and-ngrams",
             "Characters: what each block adds, beside n-grams",
             show_blocks,
             {},
             Level::deeper},
            {"head-costs", "Characters: what leaving out a head costs", show_head_costs, {}, Level::deeper}};
}

}  // namespace tfs
