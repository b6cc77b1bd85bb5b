// chapters/04_normalization/program/shared_statistics.cpp · which cells of a batch decide about a result, and whether later words do
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// A norm as a function of x, so that several can be measured in the same way.
struct NamedNorm {
    std::string name;
    std::function<Tensor(const Tensor&)> apply;
};

std::vector<NamedNorm> norms_of(std::size_t features) {
    const auto batch_norm = [&](NormMode mode) {
        return [norm = BatchNorm(features), mode](const Tensor& x) mutable { return norm(x, mode); };
    };
    return {{"BatchNorm, training", batch_norm(NormMode::training)},
            {"BatchNorm, evaluation", batch_norm(NormMode::evaluation)},
            {"LayerNorm", LayerNorm(features)},
            {"RMSNorm", RMSNorm(features)}};
}

// |d y / d cell| for each cell of x (batch, seq, features), where y is the result at `cell`; (batch * seq, features).
Array influence_on(std::size_t cell, const NamedNorm& norm, const Tensor& x) {
    const Tensor input(x.array(), true);
    const Tensor results = reshape(norm.apply(input), {x.size()});
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
        const Hue hue = i == cell ? Hue::output : counts ? Hue::with : Hue::without;
        panel.rectangle(x + 0.06, y + 0.06, x + 0.94, y + 0.94, hue).light = !counts;
    }
    panel.text(middle, y - 0.8, fmt::format("{} features of each token", features));
    panel.text((panel.low_x + panel.high_x) / 2.0, y - 1.7, reads);
    panel.low_y = y - 2.1;
    panel.high_y = 0.0;
    return panel;
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
    const char* reads[] = {"purple also reads blue: its column", "purple: stored mean and deviation",
                           "purple also reads blue: its row"};
    std::vector<std::string> counts;
    const std::vector<NamedNorm> norms = norms_of(features);
    for (std::size_t i = 0; i < std::size(reads); ++i) {  // RMSNorm reads the cells that LayerNorm reads
        const std::string name = norms[i].name == "LayerNorm" ? "LayerNorm, RMSNorm" : norms[i].name;
        const Array influence = influence_on(cell, norms[i], x);
        const auto none = std::count(influence.begin(), influence.end(), 0.0f);
        counts.push_back(fmt::format("{}: {}", name, static_cast<std::ptrdiff_t>(influence.size()) - none));
        figure.panels.push_back(influence_panel(name, reads[i], influence, cell, seq));
    }
    Report report;
    report.note(
        fmt::format("One of {} results depends on so many entries: {}", x.size(), fmt::join(counts, "; ")));
    report.add(figure);
    return report;
}

Report show_leak(const Request& request) {
    const Tensor x = uneven_embeddings(request);
    const std::size_t seq = x.size(1), d_model = x.size(2);
    Report report;
    if (seq < 2) {
        report.note("A text of one word has no earlier words. Give a longer --text.");
        return report;
    }
    Rng rng(request[options::seed] + 1);
    const Tensor other =
        concat({slice(x, 1, 0, seq - 1), Tensor(rng.normal_array({1, 1, d_model}, 0.0, 2.0))}, 1);
    Table table{.columns = {{"norm"}, {"change", fixed(2)}}};
    // The largest change among the words before the last one.
    const auto earlier = [&](const Tensor& y) { return slice(y, 1, 0, seq - 1).array(); };
    for (const NamedNorm& norm : norms_of(d_model)) {
        const double change = largest_difference(earlier(norm.apply(x)), earlier(norm.apply(other)));
        table.add({norm.name, change == 0.0 ? Cell(0, whole()) : Cell(change)});
    }
    report.note(fmt::format(
        "The last word is replaced. The results of the {} words before it change by at most:", seq - 1));
    report.add(table);
    return report;
}

}  // namespace

Sections shared_statistics_sections() {
    return {{"shared-statistics",
             "Who shares the statistics",
             show_shared_statistics,
             {options::seed},
             Level::deeper},
            {"leak",
             "BatchNorm over positions sees the future (untrained)",
             show_leak,
             {options::text, options::d_model, options::seed}}};
}

}  // namespace tfs
