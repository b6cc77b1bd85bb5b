// chapters/05_feed_forward/program/agreement.cpp · the puzzle at work: a feature that a later attention looks for
#include <iterator>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

// The text, and what an attention before has brought together in each verb: whether the subject is plural, whether the verb is.
struct Word {
    const char* name;
    float verb, subject_plural, verb_plural;
};
constexpr Word text[] = {{"dogs", 0, 0, 0},  {"bark", 1, 1, 1},  {"cat", 0, 0, 0}, {"sleep", 1, 0, 1},
                         {"birds", 0, 0, 0}, {"sings", 1, 1, 0}, {"cow", 0, 0, 0}, {"eats", 1, 0, 0}};
constexpr std::size_t count = std::size(text);

Tokens names() {
    Tokens all;
    for (const Word& word : text) all.emplace_back(word.name);
    return all;
}

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

HeatMapPanel panel(const char* title, const Array& weights) {
    return {.title = title, .values = weights, .rows = names(), .columns = names()};
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
    report.add(HeatMapFigure{
        .name = "agreement",
        .title = "One head looks for the verbs that don't fit their subjects",
        .panels = {panel("before the feed-forward network", before),
                   panel("after the feed-forward network", after)},
        .caption =
            "Each word looks for verbs that don't fit their subjects: \"cat sleep\" and \"birds sings\". "
            "Before the "
            "network the head finds only the verbs. The network, with weights written by hand, combines two "
            "features of each verb into a new one, and the same head finds the two wrong verbs."});
    return report;
}

}  // namespace

Section wrong_verbs() {
    return {.id = "puzzle", .title = "Puzzle: which verb does not fit its subject?", .run = show_agreement};
}

}  // namespace tfs
