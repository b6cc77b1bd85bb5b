// chapters/08_encoder_decoder/program/influence.cpp · which input can change which output: means by hand, and untrained models
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

// Attention whose scores are all 0: every query takes the mean of the values that it may see.
//   values (1, 1, key, 1) -> (1, 1, query, 1)
Tensor means(const Tensor& values, std::size_t queries, const std::optional<Mask>& mask) {
    const std::size_t keys = values.size(2);
    const Tensor q = Tensor::zeros({1, 1, queries, 1}), k = Tensor::zeros({1, 1, keys, 1});
    return scaled_dot_product_attention(q, k, values, mask).output;
}

// "0, 1.5, 4.33"
std::string listed(const Tensor& values) {
    std::vector<std::string> numbers;
    for (const float value : values.values()) numbers.push_back(format(value, significant(3)));
    return fmt::format("{}", fmt::join(numbers, ", "));
}

// The last value of the source is `last`.
std::vector<std::string> column_for(float last) {
    const Tensor source = Tensor::from({1, 1, 3, 1}, {0.0f, 6.0f, last});
    const auto encoder = self_attention_mask(StackKind::encoder, 3);
    const auto decoder = self_attention_mask(StackKind::decoder, 3);
    const Tensor back = means(source, 3, decoder);
    return {listed(source), listed(means(source, 3, encoder)), listed(back), listed(means(back, 3, decoder)),
            listed(means(source, 2, std::nullopt))};
}

Report show_means(const Request&) {
    const std::vector<std::string> names{"values of the source", "encoder: all words",
                                         "decoder: words so far", "  the same once more",
                                         "cross: 2 target words"};
    const std::vector<std::string> first = column_for(12.0f), second = column_for(24.0f);
    Table table{.columns = {{""}, {"with 12"}, {"with 24"}}};
    for (std::size_t i = 0; i < names.size(); ++i) table.add({names[i], first[i], second[i]});
    return Report(table);
}

// --- measured

// What a model makes of one of its inputs.
struct Dependence {
    std::string name;
    std::function<Tensor(const Tensor&)> output_of;
    const Tensor& input;
    bool within_a_text = true;  // so that "later" means something
};

// (output positions, input positions): whether output i moves where input j gets another vector.
xt::xarray<bool> changed_pairs(const Dependence& dependence, std::uint64_t seed) {
    const Tensor& x = dependence.input;
    const Tensor before = dependence.output_of(x);
    const std::size_t inputs = x.size(1), outputs = before.size(1), width = x.size(2);
    const Array others = Rng(seed).normal_array(x.shape());
    xt::xarray<bool> changed = xt::xarray<bool>::from_shape({outputs, inputs});
    for (std::size_t j = 0; j < inputs; ++j) {
        Array values = x.array();
        std::copy_n(others.data() + j * width, width, values.data() + j * width);
        const Tensor change = dependence.output_of(Tensor(values)) - before;
        for (std::size_t i = 0; i < outputs; ++i)
            changed(i, j) = root_mean_square(change.values().subspan(i * width, width)) > 0.0;
    }
    return changed;
}

// The pairs that change, and those of them with a later input.
struct PairCount {
    std::size_t all = 0, later = 0;
};
PairCount count_pairs(const xt::xarray<bool>& changed) {
    PairCount count;
    for (std::size_t i = 0; i < changed.shape(0); ++i)
        for (std::size_t j = 0; j < changed.shape(1); ++j) {
            count.all += changed(i, j);
            count.later += changed(i, j) && j > i;
        }
    return count;
}

std::vector<Dependence> dependences(const ThreeModels& models) {
    return {
        {"encoder: text <- text", [&](const Tensor& x) { return models.encoder(x).output; }, models.source},
        {"decoder: text <- text", [&](const Tensor& x) { return models.decoder(x).output; }, models.source},
        {"encoder-decoder: target <- target",
         [&](const Tensor& x) { return models.both(models.source, x).output; }, models.target},
        {"encoder-decoder: target <- source",
         [&](const Tensor& x) { return models.both(x, models.target).output; }, models.source, false}};
}

// What changes as a bar in each row on a tint, its upper left corner at (left, top): rows are outputs, columns inputs.
void add_block(PlanePanel& panel, const xt::xarray<bool>& changed, double left, double top, Hue hue) {
    panel.box(left, top, left + static_cast<double>(changed.shape(1)),
              top - static_cast<double>(changed.shape(0)), Hue::without);
    for (std::size_t i = 0; i < changed.shape(0); ++i)
        for (std::size_t j = 0, next; j < changed.shape(1); j = next + 1) {
            for (next = j; next < changed.shape(1) && changed(i, next);) ++next;
            if (next > j)
                panel.rectangle(left + static_cast<double>(j), top - static_cast<double>(i) - 0.08,
                                left + static_cast<double>(next), top - static_cast<double>(i) - 0.92, hue);
        }
}

// The four dependences, in the order of `dependences`, and that of the memory on the source. The encoder of an encoder-decoder
// does not get the target, so that block is empty.
PlaneFigure who_sees_whom(const std::vector<xt::xarray<bool>>& changed, const xt::xarray<bool>& memory) {
    const auto s = static_cast<double>(changed[0].shape(0)), t = static_cast<double>(changed[2].shape(0));
    const double decoder = s + 4.5, both = 2 * s + 10.0;  // where the squares begin
    PlanePanel panel{"Each row is a word; its bar covers the words that it sees", -3.0, both + s + t,
                     -(s + t) - 1.4, 3.2};
    panel.text(s / 2, 2.5, "encoder");
    panel.text(decoder + s / 2, 2.5, "decoder");
    panel.text(both + (s + t) / 2, 2.5, "encoder-decoder");
    add_block(panel, changed[0], 0.0, 0.0, Hue::encoder);
    add_block(panel, changed[1], decoder, 0.0, Hue::decoder);
    for (const double left : {0.0, decoder}) {
        panel.text(left + s / 2, 0.9, "text");
        panel.text(left - 1.5, -s / 2, "text");
    }
    add_block(panel, memory, both, 0.0, Hue::encoder);
    add_block(panel, xt::zeros<bool>({changed[0].shape(0), changed[2].shape(0)}), both + s, 0.0,
              Hue::without);
    add_block(panel, changed[3], both, -s, Hue::cross);
    add_block(panel, changed[2], both + s, -s, Hue::decoder);
    for (const auto& [name, middle] : {std::pair{"source", s / 2}, {"target", s + t / 2}}) {
        panel.text(both + middle, 0.9, name);
        panel.text(both - 2.1, -middle, name);
    }
    panel.text(s / 2, -s - 0.9, "sees all words", Hue::encoder);
    panel.text(decoder + s / 2, -s - 0.9, "sees no later word", Hue::decoder);
    panel.text(both + s / 2, -(s + t) - 0.9, "target sees source: cross-attention", Hue::cross);
    return {.name = "who_sees",
            .title =
                "An encoder sees all words, a decoder no later word; an encoder-decoder joins both, "
                "and its target sees the whole source",
            .panels = {std::move(panel)},
            .panels_per_row = 1,
            .caption =
                "A word sees another one if its output changes when we replace the input of the other one. "
                "Measured in untrained models."};
}

// Replaces one input vector after the other. The figure shows which outputs change, the table how many.
Report show_influence(const Request& request) {
    const NoGrad no_grad;
    const ThreeModels models = three_models(request);
    Table table{.columns = {{"output <- input"},
                            {"pairs", whole()},
                            {"that change", whole()},
                            {"of these with a later input", whole()}}};
    std::vector<xt::xarray<bool>> all;
    for (const Dependence& dependence : dependences(models)) {
        const xt::xarray<bool>& changed =
            all.emplace_back(changed_pairs(dependence, request[options::seed] + 3));
        const PairCount pairs = count_pairs(changed);
        table.add({dependence.name, changed.size(), pairs.all,
                   dependence.within_a_text ? Cell(pairs.later) : Cell("two texts")});
    }
    Report report;
    report.add(table);
    const Dependence memory{"memory <- source", [&](const Tensor& x) { return models.both.encode(x).output; },
                            models.source};
    report.add(who_sees_whom(all, changed_pairs(memory, request[options::seed] + 3)));
    return report;
}

}  // namespace

Sections influence_sections() {
    return {{"by-hand", "By hand: each word takes the mean of what it may see", show_means},
            {"influence", "Which outputs depend on a later input (untrained)", show_influence,
             options::of_models}};
}

}  // namespace tfs
