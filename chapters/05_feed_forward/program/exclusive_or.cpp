// chapters/05_feed_forward/program/exclusive_or.cpp · the puzzle at work, a feature that a later attention looks for; and does training find it?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// The text, and what an attention before has brought together in each verb: whether the subject is plural, whether the verb is.
struct Word {
    const char* name;
    float verb, subject_plural, verb_plural;
};
constexpr Word text[] = {{"dogs", 0, 0, 0},  {"bark", 1, 1, 1},  {"Mia", 0, 0, 0}, {"sleep", 1, 0, 1},
                         {"birds", 0, 0, 0}, {"sings", 1, 1, 0}, {"Tom", 0, 0, 0}, {"eats", 1, 0, 0}};
constexpr std::size_t count = std::size(text);

bool does_not_fit(const Word& word) { return word.subject_plural != word.verb_plural; }

// (words, 4): verb, subject plural, verb plural, and the feature that nobody has written yet: do the two differ?
Tensor features() {
    std::vector<float> values;
    for (const Word& word : text)
        values.insert(values.end(), {word.verb, word.subject_plural, word.verb_plural, 0.0f});
    return Tensor::from({count, 4}, values);
}

// x plus the answers of the network to features 1 and 2, as feature 3.
Tensor after_the_network(const Tensor& x) {
    const Tensor answers = exclusive_or()(slice(x, 1, 1, 3));
    return x + concat({Tensor::zeros({count, 3}), slice(answers, 1, 0, 1)}, 1);
}

// Each word asks the same question: where is a verb whose features differ?
Array look(const Tensor& x) {
    const Tensor looked_for = Tensor::from({1, 4}, {6, 0, 0, 6});
    const auto one_head = [](const Tensor& rows) { return reshape(rows, {1, 1, count, 1}); };
    const Tensor q = one_head(Tensor::ones({count, 1})), k = one_head(linear(x, looked_for));
    return reshape(attention_weights(q, k), {count, count}).array();
}

// What one head reads: a bar on each word, the two words of a pair side by side. Every word asks the same, so one row of
// the weights says all. x and y are pixels.
PlanePanel bars_on_words(const std::string& title, const Array& weights) {
    constexpr double word_width = 70.0, pair_width = 186.0, half = 24.0, tallest = 120.0;
    PlanePanel panel{title, 0.0, 764.0, -46.0, 84.0};
    panel.line(22.0, 0.0, 22.0, tallest / 2.0);
    panel.text(10.0, 0.0, "0");
    panel.text(8.0, tallest / 2.0, "0.5");
    panel.text(66.0, tallest / 2.0 + 16.0, "share of attention");
    for (std::size_t i = 0; i < count; ++i) {
        const double pair = 32.0 + pair_width * static_cast<double>(i / 2),
                     x = pair + word_width * (static_cast<double>(i % 2) + 0.5),
                     top = tallest * weights(0, i);
        panel.text(x, -12.0, text[i].name);
        if (i % 2 == 0)
            panel.line(pair, 0.0, pair + 2.0 * word_width, 0.0);
        else if (does_not_fit(text[i]))
            panel.text(pair + word_width, -34.0, "does not fit");
        if (top < 1.0) continue;
        panel.rectangle(x - half, 0.0, x + half, top, Hue::attention);
        panel.text(x, top + 10.0, fmt::format("{:.2f}", weights(0, i)));
    }
    return panel;
}

// The verbs by two numbers of each (a column of rows), in units of the largest: blue if wrong. Those at one place share a label.
PlanePanel verbs_in_plane(const std::string& title, const std::string& right, const std::string& up,
                          const Tensor& rows) {
    PlanePanel panel{title, -0.4, 1.4, -0.5, 1.3};
    panel.arrow(-0.2, -0.25, 1.3, -0.25, Hue::other, 0.6);
    panel.arrow(-0.2, -0.25, -0.2, 1.12, Hue::other, 0.6);
    panel.text(0.55, -0.45, right);
    panel.text(0.0, 1.2, up);
    const float unit = std::max(1e-6f, *std::max_element(rows.values().begin(), rows.values().end()));
    for (float value = 0.0f; value <= unit; value += 1.0f) {
        panel.text(value / unit, -0.33, fmt::format("{}", value));
        panel.text(-0.28, value / unit, fmt::format("{}", value));
    }
    std::map<std::pair<float, float>, std::string> labels;  // below wrong verbs, above the others
    std::size_t row = 0;
    for (const Word& word : text) {
        if (word.verb == 0.0f) continue;
        const float x = rows.at({row, 0}) / unit, y = rows.at({row, 1}) / unit;
        const bool wrong = does_not_fit(word);
        ++row;
        panel.point(x, y, wrong ? Hue::with : Hue::without, 2.0);
        std::string& label = labels[{x, y + (wrong ? -0.11f : 0.11f)}];
        label += (label.empty() ? "" : ", ") + std::string(word.name);
    }
    for (const auto& [place, label] : labels) panel.text(place.first, place.second, label);
    return panel;
}

// The verbs by their features and by the hidden units of the network, with the line on which its answer is 1/2.
PlaneFigure bent_plane(const Tensor& x) {
    const FeedForward network = exclusive_or();
    std::vector<Tensor> verbs;
    for (std::size_t i = 0; i < count; ++i)
        if (text[i].verb > 0.0f) verbs.push_back(slice(slice(x, 0, i, i + 1), 1, 1, 3));
    const Tensor features = concat(verbs, 0), hidden = network.hidden(features);
    PlanePanel before = verbs_in_plane("by the features: no line can", "subject is plural", "verb is plural",
                                       features),
               after = verbs_in_plane("by the hidden units: this line does", "unit 1", "unit 2", hidden);
    const double largest = *std::max_element(hidden.values().begin(), hidden.values().end()),
                 right = network.down.weight.at({0, 0}) * largest,
                 up = network.down.weight.at({0, 1}) * largest, level = 0.5 - network.down.bias->at({0});
    std::vector<std::pair<double, double>> ends;  // where the line leaves a box around the points
    for (const double side : {-0.15, 1.15}) {
        for (const auto& [at_x, at_y] :
             {std::pair{side, (level - right * side) / up}, std::pair{(level - up * side) / right, side}})
            if (std::max(std::abs(at_x - 0.5), std::abs(at_y - 0.5)) < 0.66) ends.emplace_back(at_x, at_y);
    }
    if (ends.size() > 1) {
        const auto& [from_x, from_y] = ends.front();
        const auto& [to_x, to_y] = ends.back();
        after.line(from_x, from_y, to_x, to_y, Hue::other, 1.5).light = true;
    }
    return {.name = "bent",
            .title =
                "No line separates the wrong verbs (blue) by their features, but one does by the hidden "
                "units",
            .panels = {before, after},
            .caption =
                "Blue: the verbs that don't fit. The hidden units of the network move the four points, so "
                "that a straight line separates blue from grey. Such a line is what one score can see."};
}

Report show_agreement(const Request&) {
    const NoGrad no_grad;
    const Tensor x = features(), y = after_the_network(x);
    const Array before = look(x), after = look(y);
    Table table{.columns = {{"verb"},
                            {"subject plural", whole()},
                            {"verb plural", whole()},
                            {"differ", fixed(2)},
                            {"weight before", fixed(2)},
                            {"weight after", fixed(2)}}};
    for (std::size_t i = 0; i < count; ++i)
        if (text[i].verb > 0.0f)
            table.add({text[i].name, text[i].subject_plural, text[i].verb_plural, y.at({i, 3}), before(0, i),
                       after(0, i)});
    Report report;
    report.add(table);
    report.add(PlaneFigure{
        .name = "agreement",
        .title = "After the feed-forward network, one head finds the two verbs that don't fit",
        .panels = {bars_on_words("before: any word's query finds every verb", before),
                   bars_on_words("after: the same query finds only the wrong verbs", after)},
        .panels_per_row = 1,
        .caption =
            "One head looks for verbs that don't fit their subjects: \"Mia sleep\" and \"birds sings\". All "
            "words send it the same query. Before the network it finds every verb. The network makes one "
            "feature of two, and the head finds the two wrong verbs."});
    report.add(bent_plane(x));
    return report;
}

// --- does training find the weights?

constexpr std::size_t tries = 40;

// Whether the trained network is right on all four inputs, with an error of at most 0.1.
bool training_finds_it(std::size_t units, Activation activation, std::uint64_t seed) {
    constexpr std::size_t updates = 1000;
    constexpr float learning_rate = 0.1f;
    const Tensor x = Tensor::from({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1}),
                 wanted = Tensor::from({4, 1}, {0, 1, 1, 0});
    Rng rng(seed);
    const FeedForward network(2, units, rng, activation);
    const auto error = [&] { return slice(network(x), -1, 0, 1) - wanted; };
    for (std::size_t i = 0; i < updates; ++i) {
        const Tensor e = error();
        gradient_step(mean(e * e), network.parameters(), learning_rate);
    }
    const NoGrad no_grad;
    return largest_difference(error().array(), Tensor::zeros({4, 1}).array()) <= 0.1;
}

std::size_t successes(const Request& request, std::size_t units, Activation activation) {
    std::size_t found = 0;
    for (std::size_t run = 0; run < tries; ++run) {
        request.tell({"progress", fmt::format("{} hidden units, run {} of {}", units, run + 1, tries)});
        found += training_finds_it(units, activation, request[options::seed] + run) ? 1 : 0;
    }
    return found;
}

Report show_training(const Request& request) {
    const std::string runs = fmt::format("runs of {}", tries);
    Table table{.columns = {{"hidden units", whole()}, {"relu", whole(), runs}, {"gelu", whole(), runs}}};
    for (const std::size_t units : {2u, 4u, 8u, 16u})
        table.add({units, successes(request, units, Activation::relu),
                   successes(request, units, Activation::gelu)});
    return Report(table);
}

}  // namespace

Sections exclusive_or_sections() {
    return {{"puzzle", "Puzzle: which verb does not fit its subject?", show_agreement},
            {"puzzle-training",
             "Does training find the weights of the puzzle?",
             show_training,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
