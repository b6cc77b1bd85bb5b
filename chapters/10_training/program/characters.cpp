// chapters/10_training/program/characters.cpp · models that write, character by character: windows, a training, blocks and heads
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
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
    const std::size_t minutes = characters.task.plan.steps / 240;  // a quarter of a second for each step
    return Report(Paragraph{
        fmt::format("The next character of a text.\n"
                    "A text of {} characters, {} different ones; the last {} are held out.\n"
                    "At each position of a window of {} characters the target is the next one.\n"
                    "The model: {} layers of {} heads, {} parameters; initial values as in GPT-2.",
                    corpus.ids.size(), corpus.tokenizer.size(), corpus.held_out_size(), model.config.max_len,
                    model.config.layers, model.config.heads, count_parameters(model.parameters())) +
        (minutes < 2 ? "" : fmt::format("\nThe training takes about {} minutes on one core.", minutes))});
}

// On one line, with / for the ends of lines.
void add_text(Report& report, std::string text) {
    std::replace(text.begin(), text.end(), '\n', '/');
    report.quote(std::move(text));
}

// What it writes if it always takes the likeliest character; chapter 11 draws them by chance.
Report sample_of(const TextTransformer& model, const std::string& begin) {
    Report report;
    add_text(report, written(model, begin, characters_of_a_sample));
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

// A row for each, and its bits.
std::vector<double> add_ngrams(Table& table, const Corpus& corpus, std::size_t asked) {
    std::vector<double> bits;
    for (const char* name : {"unigram", "bigram", "trigram", "4-gram", "5-gram"}) {
        bits.push_back(bits_of_ngrams(bits.size() + 1, corpus, asked));
        table.add({name, bits.back()});
    }
    return bits;
}

Report bits_beside_simpler_models(const TextTransformer& model, const Corpus& corpus) {
    Table table{.columns = {{"model"}, {"bits per held-out character", fixed(3)}}};
    table.add({"uniform", std::log2(static_cast<double>(corpus.tokenizer.size()))});
    add_ngrams(table, corpus, most_asked);
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

// A window, and what a table of pairs learns from such windows by plain descent: this needs no later step.
Report show_windows(const Request&) {
    constexpr std::size_t shown = 40, length = 32, batch_size = 16, steps = 200;
    const Corpus corpus = read_corpus(shipped_corpus(), length);
    const Example window = text_window(corpus.ids, 0, shown);
    Report report;
    report.note("A window of the text (/ is the end of a line):");
    add_text(report, "input   " + corpus.tokenizer.decode(window.input));
    add_text(report, "target  " + corpus.tokenizer.decode(window.target));
    const std::size_t kinds = corpus.tokenizer.size();
    Rng rng(1), zeros = Rng::zeros();
    Embedding table(kinds, kinds, zeros);  // row i: the logits of what follows character i
    table.weight.set_requires_grad(true);
    std::vector<double> losses;
    while (losses.size() <= steps) {
        const Batch batch = text_batch(corpus.ids, length, batch_size, rng);
        const Tensor loss = cross_entropy(table(batch.inputs), batch.targets);
        table.weight.clear_grad();
        loss.backward();
        table.weight.mutable_array() -= 50.0f * table.weight.grad();
        losses.push_back(loss.item());
    }
    report.note(fmt::format(
        "A table of what follows each of the {} characters learns from such windows. Its loss is {:.2f} at "
        "first, and {:.1f} after {} steps.",
        kinds, losses.front(), losses.back(), steps));
    if (losses.back() < 1.0) report.note("No text is so easy to guess.");
    return report;
}

LineFigure bits_figure(const Series& curve, const std::vector<double>& ngrams) {
    LinePanel panel{.x_axis = "step (logarithmic)",
                    .y_axis = "bits per held-out character",
                    .log_x = true,
                    .series = {curve}};
    panel.limits = {{.from = ngrams[0], .name = "unigram"},
                    {.from = ngrams[1], .name = "bigram"},
                    {.from = ngrams[2], .name = "trigram"},
                    {.from = ngrams[4], .name = "5-gram"}};
    return {.name = "language_model",
            .title = "In minutes the model overtakes longer and longer tables of counts",
            .panels = {panel},
            .caption =
                "The held-out bits of the model at steps 1, 2, 4 and so on. Each line is a guess from counts "
                "in the text that it learns from: of single characters (unigram), of pairs, of triples, of "
                "five characters."};
}

// Trains a small model. It is asked at step 0, 1, 2, 4, …, in the middle and at the end, and writes before, in the middle and at the end.
Report show_language_model(const Request& request) {
    constexpr std::size_t asked = 20'000;
    ShortTraining plan;
    if (request[options::steps] > 0) plan.steps = request[options::steps];
    const Corpus corpus = read_corpus(shipped_corpus(), plan.config.max_len);
    const TextTransformer model = new_writer(corpus.tokenizer, plan.config, 1);
    Report report, texts;
    report.note(fmt::format("{} layers of width {}, {} parameters; {} steps of {} windows of {} characters.",
                            plan.config.layers, plan.config.d_model, count_parameters(model.parameters()),
                            plan.steps, plan.batch_size, plan.config.max_len));
    Table table{.columns = {{"step", whole()}, {"bits per held-out character", fixed(2)}}};
    Series curve{.name = "the model", .hue = Hue::held_out};
    const auto ask = [&](std::size_t step) {
        const double bits = bits_per_character(model, corpus, asked);
        table.add({step, bits});
        if (step > 0) curve.add(static_cast<double>(step), bits);  // a logarithmic axis has no 0
        if (step != 0 && step != plan.steps / 2 && step != plan.steps) return;
        texts.note(
            fmt::format("After {} steps it writes (the likeliest characters, then drawn by chance):", step));
        Rng chance(1);
        for (Rng* rng : {static_cast<Rng*>(nullptr), &chance})
            add_text(texts, written(model, first_line(corpus), 80, rng));
    };
    ask(0);
    hold_interruptions();
    const auto begin = std::chrono::steady_clock::now();
    train(model, corpus, plan, [&](std::size_t step, double loss) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        const auto left = passed * static_cast<double>(plan.steps - step) / static_cast<double>(step);
        request.tell(
            {"progress",
             fmt::format("step {} of {}   loss {:.3f}   {:.0f} s left", step, plan.steps, loss, left.count()),
             {{"step", static_cast<double>(step)}, {"loss", loss}}});
        if (std::has_single_bit(step) || step == plan.steps / 2 || step == plan.steps) ask(step);
        return !is_interrupted();
    });
    table.totals = 5;
    report.add(bits_figure(curve, add_ngrams(table, corpus, asked)));
    report.add(table);
    report.note(
        fmt::format("Over the first {} held-out characters. An n-gram is a table of counts of n characters "
                    "in the text that the model learns from.",
                    asked));
    report.add(std::move(texts));
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
    return {{"text-batches", "Windows of a text", show_windows, {}, Level::deeper},
            {"language-model",
             "A language model, trained in minutes",
             show_language_model,
             {options::steps},
             Level::experiment,
             Slow::yes},
            {"characters", "A trained decoder: the likeliest characters",
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
