// chapters/10_training/program/character_scores.cpp · how well the held-out text is predicted, and where the heads look
#include "chapters/10_training/program/shown_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/10_training/models/character_ngrams.hpp"

namespace tfs {

Report bits_beside_simpler_models(const TextTransformer& model, const Corpus& corpus) {
    static const std::vector<std::string> names = {"unigram", "bigram", "trigram", "4-gram", "5-gram"};
    const std::size_t begin = corpus.held_out_from, vocab = corpus.tokenizer.size(),
                      end = std::min(corpus.ids.size(), begin + most_asked);
    const std::span<const std::int64_t> ids(corpus.ids);
    Table table{.columns = {{"model"}, {"bits per held-out character", fixed(3)}}};
    table.add({"uniform", std::log2(static_cast<double>(vocab))});
    for (std::size_t length = 1; length <= names.size(); ++length)
        table.add({names[length - 1],
                   bits_per_character(CharacterNgrams(ids.first(begin), vocab, length), ids, begin, end)});
    table.add({"this model", bits_per_character(model, corpus, most_asked)});
    Report report;
    report.add(table);
    report.note(fmt::format(
        "Each of {} held-out characters is guessed once; this model sees {} to {} characters before it.\n"
        "The n-grams (interpolated Kneser-Ney) are counted on the text that the model learns from.",
        end - begin, model.config.max_len - model.config.max_len / 4 + 1, model.config.max_len));
    return report;
}

Report looks_of_heads(const TextTransformer& model, const Corpus& corpus) {
    const CharacterHeads scores = heads_of(model, corpus);
    Table table{.columns = {{"mean weight"},
                            {"1 back", fixed(2)},
                            {"2 back", fixed(2)},
                            {"3 back", fixed(2)},
                            {"induction", fixed(2)}}};
    const auto add = [&](const std::string& name, const std::array<double, 3>& back, double induction) {
        table.add({name, back[0], back[1], back[2], induction});
    };
    for (const HeadScores& head : scores.heads)
        add(fmt::format("layer {}, head {}", head.layer + 1, head.head + 1), head.back, head.induction);
    add("an even spread", scores.back_by_chance, scores.induction_by_chance);
    Report report;
    report.add(table);
    report.note(
        fmt::format("1 back: from a position to the one before it, in held-out text; and so on.\n"
                    "induction: in random characters that are written twice, from the second time to what "
                    "came after the\n"
                    "first time. The first time they cost {:.2f} bits each, the second time {:.2f}.",
                    scores.bits_of_first, scores.bits_of_second));
    return report;
}

}  // namespace tfs
