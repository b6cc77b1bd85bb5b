// chapters/04_normalization/program/shared_statistics.cpp · which cells of a batch decide about one cell of the result, under each norm
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// |d y / d cell| for each cell of x (batch, seq, features), where y is the result at `cell`; (batch * seq, features).
Array influence_on(std::size_t cell, const Normalise& normalise, const Tensor& x) {
    const Tensor input(x.array(), true);
    const Tensor results = reshape(normalise(input), {x.size()});
    sum(slice(results, 0, cell, cell + 1)).backward();
    Array influence = Array::from_shape({x.size() / x.size(-1), x.size(-1)});
    for (std::size_t i = 0; i < influence.size(); ++i) influence.data()[i] = std::abs(input.grad().data()[i]);
    return influence;
}

// The cells of x, sentence below sentence: coloured where they have influence on the result at `cell`. Below, what it reads.
PlanePanel influence_panel(const std::string& title, const std::string& reads, const Array& influence,
                           std::size_t cell, std::size_t seq) {
    const std::size_t features = influence.shape(1);
    const double middle = static_cast<double>(features) / 2.0;
    PlanePanel panel{.title = title, .low_x = -2.0, .high_x = static_cast<double>(features) + 0.5};
    double y = 0.0;
    for (std::size_t i = 0; i < influence.size(); ++i) {
        const auto x = static_cast<double>(i % features);
        if (i % (seq * features) == 0) {
            y -= 1.0;
            panel.text(middle, y + 0.4, fmt::format("sentence {}", i / (seq * features) + 1));
        }
        if (x == 0.0) {
            y -= 1.0;
            panel.text(-1.0, y + 0.5, fmt::format("token {}", i / features % seq + 1));
        }
        const bool counts = influence.data()[i] > 0.0f;
        panel.shapes.push_back({.kind = PlaneShape::Kind::rectangle,
                                .from_x = x + 0.06,
                                .from_y = y + 0.06,
                                .to_x = x + 0.94,
                                .to_y = y + 0.94,
                                .hue = i == cell ? Hue::output
                                       : counts  ? Hue::with
                                                 : Hue::without,
                                .light = !counts});
    }
    panel.text(middle, y - 0.8, fmt::format("{} features of each token", features));
    panel.text((panel.low_x + panel.high_x) / 2.0, y - 1.7, reads);
    panel.low_y = y - 2.1;
    panel.high_y = 0.0;
    return panel;
}

std::vector<std::pair<std::string, Normalise>> norms_of(std::size_t features) {
    return {{"BatchNorm, training", batch_norm(features, NormMode::training)},
            {"BatchNorm, evaluation", batch_norm(features, NormMode::evaluation)},
            {"LayerNorm", LayerNorm(features)},
            {"RMSNorm", RMSNorm(features)}};
}

Report show_shared_statistics(const Request& request) {
    constexpr std::size_t batch = 2, seq = 4, features = 6, cell = (1 * seq + 2) * features + 3;
    Rng rng(request[options::seed]);
    const Tensor x(rng.normal_array({batch, seq, features}));
    PlaneFigure figure{
        .name = "who_counts",
        .title = "In training, BatchNorm also reads other tokens; LayerNorm only its own row",
        .panels_per_row = 3,
        .caption =
            "The purple cell's result depends on itself and on the blue cells. In training BatchNorm reads "
            "a column of all sentences. In evaluation, when a trained model is used, it reads no other cell: "
            "mean and deviation are stored."};
    Table table{.columns = {{""}, {"entries", whole()}, {"its own", fixed(3)}, {"others", fixed(3)}}};
    for (const auto& [name, normalise] : norms_of(features)) {
        Array influence = influence_on(cell, normalise, x);
        const auto none = std::count(influence.begin(), influence.end(), 0.0f);
        if (name != "RMSNorm")  // which reads the cells that LayerNorm reads
            figure.panels.push_back(influence_panel(name == "LayerNorm" ? "LayerNorm, RMSNorm" : name,
                                                    name == "LayerNorm" ? "purple also reads blue: its row"
                                                    : name.ends_with("training")
                                                        ? "purple also reads blue: its column"
                                                        : "purple: stored mean and deviation",
                                                    influence, cell, seq));
        const float own = std::exchange(influence.data()[cell], 0.0f);
        table.add({name, static_cast<std::ptrdiff_t>(influence.size()) - none, own,
                   *std::max_element(influence.begin(), influence.end())});
    }
    Report report;
    report.note(fmt::format(
        "{} sentences of {} tokens with {} features. On how many of the {} entries one result depends, and\n"
        "|d result / d entry| for the entry at its place and the largest of the others:",
        batch, seq, features, x.size()));
    report.add(table);
    report.add(figure);
    return report;
}

}  // namespace

Sections shared_statistics_sections() {
    return {{"shared-statistics",
             "Who shares the statistics",
             show_shared_statistics,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
