// chapters/10_training/program/characters.cpp · the fourth model writes, character by character; what its blocks and heads do
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "chapters/10_training/models/character_ngrams.hpp"
#include "chapters/10_training/models/character_task.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t characters_of_a_sample = 120;

// The first line of the text that it learns from.
std::string first_line(const Corpus& corpus) {
    const auto line_end = [&](std::int64_t id) { return corpus.tokenizer.token(id) == "\n"; };
    const auto end = std::find_if(corpus.ids.begin(), corpus.ids.end(), line_end);
    const auto length = std::min<std::size_t>(static_cast<std::size_t>(end - corpus.ids.begin()) + 1, 16);
    return corpus.tokenizer.decode({corpus.ids.data(), std::min(length, corpus.ids.size())});
}

Report introduction(const CharacterTask& characters) {
    const Corpus& corpus = characters.data;
    const TextTransformer& model = characters.model;
    return Report(Paragraph{
        fmt::format("The next character of a text.\n"
                    "A text of {} characters, {} different ones; the last {} are held out.\n"
                    "At each position of a window of {} characters the target is the next one.\n"
                    "The model: {} layers of {} heads, {} parameters; initial values as in GPT-2.",
                    corpus.ids.size(), corpus.tokenizer.size(), corpus.held_out_size(), model.config.max_len,
                    model.config.layers, model.config.heads, count_parameters(model.parameters()))});
}

// What it writes if it always takes the likeliest character, with / for the ends of lines; chapter 11 draws them by chance.
Report sample_of(const TextTransformer& model, const std::string& begin) {
    const Ids prompt = model.tokenizer.encode(begin);
    const std::size_t count = std::min(characters_of_a_sample, model.config.max_len - prompt.size());
    std::string text = model.tokenizer.decode(generate_greedy(model.model, prompt, count));
    std::replace(text.begin(), text.end(), '\n', '/');
    Report report;
    report.quote(text);
    return report;
}

// Samples at these steps: before the training, early, later.
Report sample_at(const CharacterTask& characters, std::size_t step) {
    Report report;
    if (step != 0 && step != 100 && step != 1000) return report;
    report.note(fmt::format("At step {} it writes:", step));
    report.add(sample_of(characters.model, first_line(characters.data)));
    return report;
}

// The bits that n-grams, counted on the text to learn from, need for each of the first held-out characters.
double bits_of_ngrams(std::size_t length, const Corpus& corpus, std::size_t asked) {
    const std::size_t begin = corpus.held_out_from;
    const std::span<const std::int64_t> ids(corpus.ids);
    return bits_per_character(CharacterNgrams(ids.first(begin), corpus.tokenizer.size(), length), ids, begin,
                              std::min(ids.size(), begin + asked));
}

Report bits_beside_simpler_models(const TextTransformer& model, const Corpus& corpus) {
    static const std::vector<std::string> names = {"unigram", "bigram", "trigram", "4-gram", "5-gram"};
    Table table{.columns = {{"model"}, {"bits per held-out character", fixed(3)}}};
    table.add({"uniform", std::log2(static_cast<double>(corpus.tokenizer.size()))});
    for (std::size_t length = 1; length <= names.size(); ++length)
        table.add({names[length - 1], bits_of_ngrams(length, corpus, most_asked)});
    table.add({"this model", bits_per_character(model, corpus, most_asked)});
    Report report;
    report.add(table);
    report.note(fmt::format(
        "Each of {} held-out characters is guessed once; this model sees {} to {} characters before it.\n"
        "The n-grams (interpolated Kneser-Ney) are counted on the text that the model learns from.",
        std::min(corpus.held_out_size(), most_asked), model.config.max_len - model.config.max_len / 4 + 1,
        model.config.max_len));
    return report;
}

Report looks_of_heads(const TextTransformer& model, const Corpus& corpus) {
    constexpr std::size_t asked = 1'000;  // held-out characters
    const CharacterHeads scores = heads_of(model, corpus);
    const std::vector<std::vector<double>> costs = cost_of_each_head(model, corpus, asked);
    Table table{.columns = {{"mean weight"},
                            {"1 back", fixed(2)},
                            {"2 back", fixed(2)},
                            {"3 back", fixed(2)},
                            {"induction", fixed(2)},
                            {"bits lost", fixed(3)}}};
    for (const HeadScores& head : scores.heads)
        table.add({fmt::format("layer {}, head {}", head.layer + 1, head.head + 1), head.back[0],
                   head.back[1], head.back[2], head.induction, costs[head.layer][head.head]});
    const std::array<double, 3>& even = scores.back_by_chance;
    table.add({"an even spread", even[0], even[1], even[2], scores.induction_by_chance, Cell()});
    Report report;
    report.add(table);
    report.note(
        fmt::format("1 back: from a position to the one before it, in held-out text; and so on.\n"
                    "induction: in random characters that are written twice, from the second time to what "
                    "came after the\n"
                    "first time. The first time they cost {:.2f} bits each, the second time {:.2f}.\n"
                    "bits lost: how many more a held-out character costs, in the mean over {}, if the "
                    "head gives nothing.",
                    scores.bits_of_first, scores.bits_of_second, asked));
    return report;
}

TextTransformer shipped_writer() {
    return load_network<TextTransformer>(weights_file("characters"), character_kind());
}

struct Trained {
    TextTransformer model = shipped_writer();
    Corpus corpus = read_corpus(shipped_corpus(), model.config.max_len);
};

Report show_blocks(const Request&) {
    constexpr std::size_t asked = 10'000;  // held-out characters
    const Trained trained;
    const std::vector<double> bits = bits_after_each_block(trained.model, trained.corpus, asked);
    Table table{
        .columns = {
            {"blocks", whole()}, {"bits", fixed(2)}, {"n of the n-gram", whole()}, {"its bits", fixed(2)}}};
    for (std::size_t i = 0; i < bits.size(); ++i)
        table.add({i, bits[i], i + 1, bits_of_ngrams(i + 1, trained.corpus, asked)});
    Report report;
    report.add(table);
    report.note(
        fmt::format("Bits per held-out character ({} of them), if the final norm and the table of the logits "
                    "read the stream after so many blocks; beside them n-grams (interpolated Kneser-Ney).",
                    asked));
    return report;
}

}  // namespace

ShownTask shown_characters(const Request& request) {
    const auto characters = std::make_shared<const CharacterTask>(character_task(task_settings(request)));
    const TextTransformer& model = characters->model;  // lives as long as what captures `characters`
    return {.task = characters->task,
            .introduce = [characters] { return introduction(*characters); },
            .at_step = [characters](std::size_t step) { return sample_at(*characters, step); },
            .finish =
                [characters, &model] {
                    Report report;
                    report.note("It now writes:");
                    report.add(sample_of(model, first_line(characters->data)));
                    report.add(bits_beside_simpler_models(model, characters->data));
                    report.add(looks_of_heads(model, characters->data));
                    return report;
                }};
}

Sections characters_sections() {
    return {{"characters", "A trained decoder: the likeliest characters",
             [](const Request&) { return sample_of(shipped_writer(), "First Citizen:\n"); }},
            {"blocks-and-ngrams",
             "Characters: what each block adds, beside n-grams",
             show_blocks,
             {},
             Level::deeper},
            {"character-heads",
             "Characters: what the heads look at, and what leaving one out costs",
             [](const Request&) {
                 const Trained trained;
                 return looks_of_heads(trained.model, trained.corpus);
             },
             {},
             Level::deeper}};
}

}  // namespace tfs
