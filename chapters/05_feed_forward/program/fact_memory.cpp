// chapters/05_feed_forward/program/fact_memory.cpp · a feed-forward network that knows facts, because we wrote them into its weights
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/05_feed_forward/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t width = 64;  // of the vectors of countries and capitals

const std::vector<std::string> countries{"Egypt", "France", "Japan", "Kenya", "Korea", "Peru"};
const std::vector<std::string> capitals{"Cairo", "Paris", "Tokyo", "Nairobi", "Seoul", "Lima"};

std::span<const float> row_of(const Tensor& x, std::size_t row) {
    return x.values().subspan(row * x.size(-1), x.size(-1));
}

std::size_t count_fired(std::span<const float> slots) {
    return static_cast<std::size_t>(
        std::count_if(slots.begin(), slots.end(), [](float f) { return f > 0.0f; }));
}

// The capital whose vector points most nearly where x points, and the cosine of the angle; "nothing" for zeros.
struct Recalled {
    Cell capital = "nothing", angle = {};
};

Recalled nearest(std::span<const float> x, const Tensor& values) {
    if (dot(x, x) == 0.0) return {};
    std::size_t best = 0;
    for (std::size_t i = 1; i < capitals.size(); ++i)
        if (cosine(x, row_of(values, i)) > cosine(x, row_of(values, best))) best = i;
    return {capitals[best], cosine(x, row_of(values, best))};
}

struct Questions {
    std::vector<std::string> names;
    Tensor x;  // (queries, width)
};

// The last three keys, three keys that are changed, and two vectors that are no key.
Questions ask(const Tensor& keys, Rng& rng) {
    Questions questions{{countries.begin() + 3, countries.end()}, slice(keys, 0, 3, countries.size())};
    const auto add = [&](const std::string& name, const Tensor& x) {
        questions.names.push_back(name);
        questions.x = concat({questions.x, x}, 0);
    };
    const auto key = [&](std::size_t i) { return slice(keys, 0, i, i + 1); };
    add("Japan + noise", key(2) + Tensor(rng.normal_array({1, width}, 0.0, 0.5)));
    add("0.4 x Peru", key(5) * 0.4f);
    add("France + Korea", key(1) + key(4));
    add("Atlantis", Tensor(rng.normal_array({1, width})));
    add("Narnia", Tensor(rng.normal_array({1, width})));
    return questions;
}

struct Recall {
    double fired;  // slots per key
    double right;  // percent of the keys whose output is most like their own value
};

// Asks a memory for the first keys, at most 256.
Recall recall(const Tensor& keys, const Tensor& values, float threshold) {
    const FeedForward memory = key_value_memory(keys, values, threshold);
    const std::size_t asked = std::min<std::size_t>(keys.size(0), 256);
    const Tensor fired = memory.hidden(slice(keys, 0, 0, asked));
    const Tensor likeness = matmul(memory.output(fired), values, Transpose::b);  // (asked, facts)
    std::size_t right = 0;
    for (std::size_t q = 0; q < asked; ++q) {
        const auto row = row_of(likeness, q);
        right +=
            std::max_element(row.begin(), row.end()) == row.begin() + static_cast<std::ptrdiff_t>(q) ? 1 : 0;
    }
    const auto count = static_cast<double>(asked);
    return {static_cast<double>(count_fired(fired.values())) / count,
            100.0 * static_cast<double>(right) / count};
}

Report show_memory(const Request& request) {
    Rng rng(request[options::seed] + 7);
    const Tensor keys(rng.normal_array({countries.size(), width})),
        values(rng.normal_array({countries.size(), width}));
    const FeedForward memory = key_value_memory(keys, values);
    const Questions questions = ask(keys, rng);
    const Tensor fired = memory.hidden(questions.x), recalled = memory(questions.x);
    Table table{.columns = {{"query"}, {"slots fired", whole()}, {"recalls"}, {"cosine", fixed(3)}}};
    for (std::size_t q = 0; q < questions.names.size(); ++q) {
        const Recalled answer = nearest(row_of(recalled, q), values);
        table.add({questions.names[q], count_fired(row_of(fired, q)), answer.capital, answer.angle});
    }
    Report report;
    report.note(fmt::format("{} parameters in all; {} slots of width {}, threshold 0.5",
                            count_parameters(memory.parameters()), countries.size(), width));
    report.add(table);
    return report;
}

Report show_capacity(const Request& request) {
    constexpr std::size_t narrow = 32;
    const std::string none = "threshold 0", half = "threshold 0.5";
    Table table{.columns = {{"facts", whole()},
                            {"slots fired per key", fixed(1), "", none},
                            {"right", whole(), "%", none},
                            {"slots fired per key", fixed(2), "", half},
                            {"right", whole(), "%", half}}};
    for (const std::size_t facts : {16u, 32u, 64u, 128u, 256u, 1024u, 4096u}) {
        Rng rng(request[options::seed] + 8);
        const Tensor keys(rng.normal_array({facts, narrow})), values(rng.normal_array({facts, narrow}));
        const Recall all = recall(keys, values, 0.0f), few = recall(keys, values, 0.5f);
        table.add({facts, all.fired, all.right, few.fired, few.right});
    }
    return Report(table);
}

}  // namespace

Sections fact_memory_sections() {
    return {{"memory", "A memory that was written, not trained", show_memory, {options::seed}},
            {"capacity",
             "A memory of width 32 with more and more facts",
             show_capacity,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
