// chapters/10_training/program/nouns.cpp · the sums of the lesson that fit on paper, and its first model: adjectives find their noun
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "chapters/01_attention/attention.hpp"
#include "chapters/10_training/models/noun_training.hpp"
#include "chapters/10_training/program/options.hpp"

namespace tfs {

namespace {

std::string in_decimals(const Array& values) {
    return fmt::format("{:.3f}", fmt::join(values.begin(), values.end(), ", "));
}

Tensor learned(const Shape& shape, std::vector<float> values) {
    return Tensor::from(shape, std::move(values)).set_requires_grad(true);
}

Report report_of_loss() {
    const Tensor logits = learned({1, 3}, {2.0f, 1.0f, 0.0f});
    Ids target = Ids::from_shape({1});
    target(0) = 0;
    const Tensor loss = cross_entropy(logits, target);
    loss.backward();
    return Report(Paragraph{fmt::format("logits 2, 1, 0 and target 0: p = {}   loss {:.3f}   gradient {}",
                                        in_decimals(softmax(logits.detach()).array()), loss.item(),
                                        in_decimals(logits.grad()))});
}

// How far AdamW moves a value at step 1, 10 and 100, in learning rates.
Report report_of_adamw() {
    constexpr double rate = 1e-3;
    AdamW adam({{"bias", learned({3}, {0.0f, 0.0f, 0.0f})}, {"weight", learned({1, 1}, {1.0f})}});
    const Tensor &bias = adam.parameters[0].tensor, &weight = adam.parameters[1].tensor;
    Table table{.title = "How far AdamW moves a value, in learning rates",
                .columns = {{"step", whole()},
                            {"0.0001 each time", fixed(3), {}, "gradient"},
                            {"1000 each time", fixed(3), {}, "gradient"},
                            {"1, -1 in turn", fixed(3), {}, "gradient"},
                            {"0, but decay 0.01", fixed(3), {}, "gradient"}}};
    for (std::size_t step = 1; step <= 100; ++step) {
        const Array b = bias.array(), w = weight.array();
        clear_grads(adam.parameters);
        (sum(bias * Tensor::from({3}, {1e-4f, 1e3f, step % 2 == 1 ? 1.0f : -1.0f})) + sum(weight * 0.0f))
            .backward();
        adam.step(rate);
        const auto moved = [&](float before, float after) { return std::abs(before - after) / rate; };
        if (step == 1 || step == 10 || step == 100)
            table.add({step, moved(b(0), bias.at({0})), moved(b(1), bias.at({1})), moved(b(2), bias.at({2})),
                       moved(w(0, 0), weight.at({0, 0}))});
    }
    Report report;
    report.add(table);
    return report;
}

// The loss over the probability of the right word, and where it is if one or another of the three words is right.
LineFigure loss_figure() {
    const Array p = softmax(Tensor::from({1, 3}, {2.0f, 1.0f, 0.0f})).array();
    LinePanel panel{.x_axis = "probability of the right word", .y_axis = "loss"};
    constexpr const char* names[] = {"first", "second", "third"};
    for (std::size_t i = 0; i < 3; ++i)
        panel.series.push_back({.name = fmt::format("{} word p = {:.3f}, loss {:.3f}", names[i], p.data()[i],
                                                    -std::log(p.data()[i])),
                                .x = {p.data()[i]},
                                .y = {-std::log(p.data()[i])},
                                .hue = Hue::held_out});
    Series curve{.name = "−ln p", .hue = Hue::training, .name_at = 0.45};
    for (std::size_t i = 2; i <= 100; ++i)
        curve.add(static_cast<double>(i) / 100.0, -std::log(static_cast<double>(i) / 100.0));
    panel.series.push_back(curve);
    return {
        .name = "loss",
        .title = "The less the model expects the right word, the larger the loss",
        .panels = {panel},
        .caption =
            "The loss is −ln p. The three points: the first, the second or the third word is the right one."};
}

LineFigure schedule_figure() {
    const TrainingPlan plan = settings_of("nouns", {}).plan;
    WarmupCosine schedule = plan.rate;
    schedule.total = plan.steps;
    Series rate{.name = "rate"};
    for (std::size_t step = 1; step <= schedule.total; ++step)
        rate.add(static_cast<double>(step), learning_rate(schedule, step));
    return {.name = "schedule",
            .title = "The learning rate warms up, then it falls along half a cosine",
            .panels = {{.x_axis = "step",
                        .y_axis = "learning rate",
                        .series = {rate},
                        .from_zero = true,
                        .limits = {{.from = 0.0,
                                    .to = static_cast<double>(schedule.warmup),
                                    .name = "warm-up",
                                    .on_x = true}}}},
            .caption = "The learning rate of the training below."};
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand", [](const Request&) {
                 Report report = part_or_gap(report_of_loss);
                 report.add(part_or_gap(report_of_adamw));
                 report.add(loss_figure());
                 report.add(part_or_gap([] {
                     Report drawn;
                     drawn.add(schedule_figure());
                     return drawn;
                 }));
                 return report;
             }}};
}

namespace {

// The sentence whose maps are shown.
Tokens ending_with(const std::string& last_word) {
    return {"the", "cat", "sat", "on", "the", "mat", "because", "it", "was", last_word};
}

// The loss of the model before its first step, beside that of a guess by chance.
Report untrained_loss(const NounTask& nouns) {
    const Evaluation untrained = evaluate(nouns.task.model, nouns.task.held_out);
    const std::size_t words = nouns.data.vocabulary.size();
    return Report(Paragraph{fmt::format(
        "Before the first step: loss {:.2f}, {:.1f} % right. A guess among {} words costs ln {} = "
        "{:.2f}.",
        untrained.loss, 100.0 * untrained.accuracy, words, words, std::log(static_cast<double>(words)))});
}

Report introduction(const NounTask& nouns) {
    const NounSentences& sentences = nouns.data;
    Table examples{.title = "Which noun does the last word speak of?", .columns = {{""}, {""}}};
    for (std::size_t i = 0; i < 3; ++i) {
        const NounSentence& sentence = sentences.training[i];
        examples.add({fmt::format("{}", fmt::join(sentence.words, " ")), sentence.words[sentence.noun]});
    }
    const std::size_t heads = nouns.model.attention.num_heads;
    Report report;
    report.add(examples);
    report.note(
        fmt::format("{} sentences to learn from; {} held out, whose pairs of nouns never occur in them.\n"
                    "The model: {} words, {} parameters, {} head{} of attention, untrained.",
                    sentences.training.size(), sentences.held_out.size(), sentences.vocabulary.size(),
                    count_parameters(nouns.model.parameters()), heads, heads == 1 ? "" : "s"));
    report.add(part_or_gap([&] { return untrained_loss(nouns); }));
    return report;
}

// How much the last word attends to each word, at some steps of the training.
struct GrowingMap {
    std::vector<std::size_t> steps = {};
    std::vector<std::vector<float>> tired = {}, soft = {};  // a row for each of these steps

    void add(std::size_t step, const NounFinder& model) {
        steps.push_back(step);
        tired.push_back(guess_noun(model, ending_with("tired")).weights);
        soft.push_back(guess_noun(model, ending_with("soft")).weights);
    }
};

HeatMapPanel growth_panel(const std::string& last_word, const GrowingMap& growth,
                          const std::vector<std::vector<float>>& rows) {
    const Tokens sentence = ending_with(last_word);
    HeatMapPanel panel{"… it was " + last_word, make_array({rows.size(), sentence.size()})};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy(rows[i].begin(), rows[i].end(), panel.values.data() + i * sentence.size());
        panel.rows.push_back(std::to_string(growth.steps[i]));
    }
    panel.columns = sentence;
    return panel;
}

HeatMapFigure growth_figure(const GrowingMap& growth) {
    return {
        .name = "growth",
        .title = "In training, the last word learns to look at its noun",
        .row_axis = "step",
        .panels = {growth_panel("tired", growth, growth.tired), growth_panel("soft", growth, growth.soft)},
        .caption =
            "Each row: what the last word looks at after so many steps (not evenly spaced). Both \"the\" are "
            "equal, because the model sees no order."};
}

HeatMapFigure overlooked_figure(const NounFinder& model, const NounSentence& sentence) {
    const Tokens& words = sentence.words;
    const std::string noun = guess_noun(model, words).noun;
    HeatMapPanel strip = attention_panel("", model.weights(model.tokenizer.encode(words)), 0, words, words);
    strip.meant = {words.size() - 1};
    strip.columns[sentence.noun] = noun + " (answer)";
    strip.answers = {"→ " + noun + ", right"};
    return {
        .name = "overlooked",
        .title = fmt::format("The answer \"{}\" is right, but the head does not look at the {}", noun, noun),
        .row_axis = "last word",
        .column_axis = "",
        .panels = {strip},
        .caption =
            "What the last word looks at, and the answer of the model, which is right. An answer "
            "need not be a word that the head looks at.",
        .largest = 1.0};
}

auto tired_and_soft(const NounFinder& model) {
    const auto map = [&](const Tokens& sentence) {
        return LastWord{sentence, guess_noun(model, sentence).weights};
    };
    ArcFigure figure = last_words_figure("nouns", {map(ending_with("tired")), map(ending_with("soft"))});
    figure.caption += about_tired_and_soft;
    return figure;
}

Report trained_maps(const NounTask& nouns, const NounScore& score) {
    Report report;
    for (const char* last_word : {"tired", "soft"}) {
        const Tokens sentence = ending_with(last_word);
        const NounGuess guess = guess_noun(nouns.model, sentence);
        report.note(fmt::format("{}: speaks of \"{}\"; {} attends most to {} ({:.2f})",
                                fmt::join(sentence, " "), guess.noun, last_word, sentence[guess.most],
                                guess.weights[guess.most]));
    }
    report.note(fmt::format(
        "Over {} held-out sentences: {:.1f} % right; the last word gives its noun a weight of {:.2f} in the "
        "mean.",
        nouns.data.held_out.size(), 100.0 * score.accuracy, score.mean_weight));
    report.add(tired_and_soft(nouns.model));
    return report;
}

Report overlooked(const NounTask& nouns, const NounScore& score) {
    std::map<std::string, std::size_t> count_of;  // of those that are named all the same
    const NounSentence* named = nullptr;
    std::size_t right = 0;
    for (const NounSentence& sentence : score.overlooked) {
        const std::string& noun = sentence.words[sentence.noun];
        if (guess_noun(nouns.model, sentence.words).noun != noun) continue;
        ++count_of[noun];
        ++right;
        if (named == nullptr) named = &sentence;
    }
    std::vector<std::string> nouns_named;
    for (const auto& [noun, count] : count_of) nouns_named.push_back(fmt::format("{} times {}", count, noun));
    if (nouns_named.size() > 6) {
        nouns_named.resize(6);
        nouns_named.emplace_back("…");
    }
    Report report;
    report.note(
        fmt::format("In {} of {} sentences the noun gets less than half of the attention.\n"
                    "{} of these answers are right all the same: {}",
                    score.overlooked.size(), nouns.data.held_out.size(), right,
                    nouns_named.empty() ? "none" : fmt::format("{}", fmt::join(nouns_named, ", "))));
    if (named != nullptr) report.add(overlooked_figure(nouns.model, *named));
    return report;
}

bool is_drawn(std::size_t step, std::size_t last) {
    return (step <= 100 && step % 20 == 0) || step % 100 == 0 || step == last;
}

// Forward and backward: of x, of its gradient, and of all that `function` computes between.
void there_and_back(const Tensor& x, const std::function<Tensor(const Tensor&)>& function) {
    const Tensor result = function(parameter(x));
    sum(result * result).backward();
}

struct TimeShare {
    std::string step;
    double seconds;
    double usual = 0.35;  // more than this share of a training step is slow; no solution has so much
};

// Seconds of one call of each on one core, the smallest of some rounds.
std::vector<double> best_seconds(const std::vector<std::function<void()>>& things) {
    std::vector<double> best;
    for (const Seconds& seconds : measure_in_turns(things, usual_turns({.rounds = 7, .seconds = 0.005})))
        best.push_back(*std::min_element(seconds.begin(), seconds.end()));
    return best;
}

// The steps that a training step of the first model is made of, and that step itself, which comes last. Each is called
// alone, with what it gets in a training. A step that calls others has only the time that is left without them; of
// train_one_step that is clipping.
std::vector<TimeShare> measured_shares(const NounTask& nouns) {
    Trainer trainer(nouns.task);  // of the same parameters, which a rate of 0 leaves as they are
    const Batch batch = trainer.next_batch();
    const std::size_t d_model = nouns.model.embedding.weight.size(1), heads = nouns.model.attention.num_heads;
    Rng rng(1);
    const Shape width{batch.inputs.shape(0), batch.inputs.shape(1), d_model};
    const Tensor x(rng.normal_array(width)), by_head = split_heads(x, heads);
    const Tensor scores = matmul(by_head, by_head, Transpose::b),
                 logits = trainer.model(batch, nullptr).detach();
    const MultiHeadAttention& attention = nouns.model.attention;
    const auto t = best_seconds(
        {[&] { there_and_back(scores, [](const Tensor& s) { return softmax(s, -1); }); },
         [&] {
             there_and_back(by_head, [](const Tensor& q) {
                 return scaled_dot_product_attention(q, q, q, std::nullopt).output;
             });
         },
         [&] { there_and_back(x, [&](const Tensor& y) { return merge_heads(split_heads(y, heads)); }); },
         [&] { there_and_back(x, [&](const Tensor& y) { return attention(y, y, y).output; }); },
         [&] { there_and_back(logits, [&](const Tensor& l) { return cross_entropy(l, batch.targets); }); },
         [&] { trainer.optimizer.step(0.0); },
         [&] { (void)clip_by_global_norm(trainer.optimizer.parameters, 1e9); },
         [&] { (void)training_step(trainer.model, batch, trainer.optimizer, 0.0, trainer.rng); }});
    const double splits = 2.0 * t[2];  // q, k and v are split, and the result is merged
    return {{"softmax", t[0]},        {"scaled_dot_product_attention", t[1] - t[0]},
            {"split_heads", splits},  {"attention_layers", t[3] - t[1] - splits, 0.7},  // it has the products
            {"cross_entropy", t[4]},  {"adamw", t[5]},
            {"train_one_step", t[6]}, {"a training step", t[7]}};  // the whole
}

// Which step takes how much of the time of a training step, and one that takes more than its share.
Report time_shares(const NounTask& nouns) {
    std::vector<TimeShare> shares = measured_shares(nouns);
    const double whole = shares.back().seconds;
    shares.pop_back();
    std::sort(shares.begin(), shares.end(),
              [](const TimeShare& a, const TimeShare& b) { return a.seconds > b.seconds; });
    std::string line = fmt::format("Time of a training step: {:.2f} ms", 1e3 * whole);
    for (const TimeShare& share : shares)
        if (share.seconds >= 0.05 * whole)
            line += fmt::format(", {} {:.0f} %", share.step, 100.0 * share.seconds / whole);
    Report report;
    report.note(line);
    if (shares.front().seconds > shares.front().usual * whole)
        report.note(fmt::format(
            "{0} takes most of it: it may be right, and is slow. ./tutorial diff {0} shows the solution.",
            shares.front().step));
    return report;
}

Report what_it_learned(const NounTask& nouns, const GrowingMap& growth, bool on_own_steps) {
    const NounScore score = score_of(nouns.model, nouns.data.held_out);
    Report report;
    if (on_own_steps) report.add(time_shares(nouns));
    report.add(trained_maps(nouns, score));
    report.add(growth_figure(growth));
    report.add(overlooked(nouns, score));
    return report;
}

}  // namespace

ShownTask shown_nouns(const Request& request) {
    const auto nouns = std::make_shared<const NounTask>(noun_task(task_settings(request)));
    const auto growth = std::make_shared<GrowingMap>();
    return {.task = nouns->task,
            .introduce = [nouns] { return introduction(*nouns); },
            .at_step =
                [nouns, growth](std::size_t step) {
                    if (is_drawn(step, nouns->task.plan.steps)) growth->add(step, nouns->model);
                    return Report();
                },
            .finish = [nouns, growth,
                       own = request.on_own_steps] { return what_it_learned(*nouns, *growth, own); }};
}

ShownTask shown_sizes(const Request& request) {
    const auto sizes = std::make_shared<const SizeTask>(size_task(task_settings(request)));
    const std::vector<SizeSentence>& asked = sizes->data.held_out;
    const auto introduce = [sizes, &asked] {
        Report report;
        report.note(fmt::format(
            "{}: the last word must find the smallest animal and the largest.\n"
            "{} sets of animals to learn from, {} held out. Each is asked twice, once for each animal. So at "
            "most 50 % can be right, and the lowest loss is ln 2 = 0.69.",
            size_sentence, sizes->data.training.size() / 2, asked.size() / 2));
        return report;
    };
    const auto finish = [sizes, &asked] {
        const SizeScore score = score_of(sizes->model, asked);
        Report report;
        report.note(fmt::format(
            "In {:.1f} % of held-out sentences the smallest animal is one of the two most probable words, in "
            "{:.1f} % the largest.",
            100.0 * score.named[0], 100.0 * score.named[1]));
        for (std::size_t head = 0; head < score.weights.size(); ++head)
            report.note(fmt::format("Head {} gives the smallest a weight of {:.2f}, the largest {:.2f}.",
                                    head + 1, score.weights[head][0], score.weights[head][1]));
        return report;
    };
    return {.task = sizes->task, .introduce = introduce, .finish = finish};
}

}  // namespace tfs
