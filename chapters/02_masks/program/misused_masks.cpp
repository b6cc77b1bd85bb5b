// chapters/02_masks/program/misused_masks.cpp · a causal mask the other way round, and what is added in place of -infinity
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "chapters/02_masks/program/options.hpp"
#include "common/io/safetensors.hpp"

namespace tfs {

namespace {

constexpr std::size_t vocab = 8, seq = 6;
constexpr int steps = 300;

// The smallest next-token model: one attention, so that what it does not attend to it does not know.
struct Model {
    Embedding tokens, positions;
    MultiHeadAttention attention;
    Linear out;

    explicit Model(Rng& rng)
        : tokens(vocab, 32, rng), positions(seq, 32, rng), attention(32, 2, rng), out(32, vocab, rng) {}

    AttentionOutput attend(const Ids& ids, const Mask& mask) const {
        const std::size_t length = ids.shape()[1];
        const Tensor x = tokens(ids) + slice(positions.weight, 0, 0, length);  // (batch, seq, d_model)
        return attention(x, x, x, mask);
    }

    Tensor operator()(const Ids& ids, const Mask& mask) const {
        return out(attend(ids, mask).output);  // (batch, seq, vocab)
    }

    Parameters parameters() const {
        Parameters all;
        append(all, "tokens", tokens.parameters());
        append(all, "positions", positions.parameters());
        append(all, "attention", attention.parameters());
        append(all, "out", out.parameters());
        return all;
    }
};

// Counting: sequence b is b, b + 1, b + 2 … (mod vocab).
Ids counting(std::size_t first, std::size_t length) {
    Ids ids = Ids::from_shape({vocab, length});
    for (std::size_t b = 0; b < vocab; ++b)
        for (std::size_t t = 0; t < length; ++t)
            ids(b, t) = static_cast<std::int64_t>((b + first + t) % vocab);
    return ids;
}

// The mean of -ln p of the right token.
Tensor cross_entropy(const Tensor& logits, const Ids& targets) {
    Array one_hot = Tensor::zeros(logits.shape()).array();
    for (std::size_t i = 0; i < targets.size(); ++i)
        one_hot.data()[i * vocab + static_cast<std::size_t>(targets.data()[i])] = 1.0f;
    return sum(log(softmax(logits)) * Tensor(one_hot)) / -static_cast<float>(targets.size());
}

// What is forbidden by a causal mask, allowed; and the other way round.
Mask only_the_future(std::size_t length) {
    xt::xarray<bool> allowed = causal_mask(length).array();
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed.data()[i] = !allowed.data()[i];
    return Mask(allowed);
}

struct Written {
    float loss = 0.0f;
    int right = 0;  // of vocab * seq numbers
};

// A model that writes has no future to look at: only what came before, and the last output counts.
Written when_writing(const Model& model, Mask (*mask)(std::size_t)) {
    const NoGrad no_grad;
    Written all;
    for (std::size_t length = 1; length <= seq; ++length) {
        const Tensor logits = model(counting(0, length), mask(length));
        const Tensor last = slice(logits, 1, length - 1, length);
        const Ids next = counting(length, 1);
        all.loss += cross_entropy(last, next).item() / static_cast<float>(seq);
        for (std::size_t b = 0; b < vocab; ++b) {
            const auto scores = last.values().subspan(b * vocab, vocab);
            const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
            all.right += best == next(b, 0);
        }
    }
    return all;
}

struct Losses {
    float first = 0.0f, last = 0.0f;
};

Losses train(const Model& model, Mask (*mask)(std::size_t), const Request& request) {
    const Parameters parameters = model.parameters();
    for (const NamedTensor& p : parameters) Tensor(p.tensor).set_requires_grad(true);
    const auto loss = [&] { return cross_entropy(model(counting(0, seq), mask(seq)), counting(1, seq)); };
    Losses losses;
    for (int step = 0; step < steps; ++step) {
        const Tensor now = loss();
        if (step == 0) losses.first = now.item();
        gradient_step(now, parameters, 0.1f);
        request.tell({"progress",
                      fmt::format("step {} of {}, loss {:.2f}", step + 1, steps, now.item()),
                      {{"step", step + 1}, {"loss", now.item()}}});
    }
    losses.last = loss().item();
    return losses;
}

// What a mask lets each output of 0, 1, 2 … read, and where the answer stands. In full colour if the head that reads the
// answers most gives this one the most of its weight.
PlanePanel what_is_read(const Model& model, const std::string& title, const Mask& mask) {
    const NoGrad no_grad;
    const Tensor weights = model.attend(counting(0, seq), mask).weights;
    const auto read = [&](std::size_t head) {
        float sum = 0.0f;
        for (std::size_t i = 0; i + 1 < seq; ++i) sum += weights.at({0, head, i, i + 1});
        return sum;
    };
    const Array map = attention_map(weights, 0, read(1) > read(0) ? 1 : 0);
    const xt::xarray<bool> allowed = map_of(mask, seq, seq);
    return outputs_by_inputs(title, seq, 1.65, [&](std::size_t i) -> std::vector<GridCell> {
        const float* row = map.data() + i * seq;
        const std::size_t most = static_cast<std::size_t>(std::max_element(row, row + seq) - row);
        if (row[most] == 0.0f)
            return {{0, seq - 1, "when it writes, it is here: nothing to read", Hue::without, true}};
        std::vector<GridCell> cells;
        for (std::size_t j = 0; j < seq; ++j) {
            const bool answer = j == i + 1, copied = answer && most == j;
            cells.push_back({j, j, answer ? "next" : "",
                             copied          ? Hue::held_out
                             : allowed(i, j) ? Hue::with
                                             : Hue::without,
                             !copied});
        }
        return cells;
    });
}

Report show_training_on_the_future(const Request& request) {
    Table table{.columns = {{"mask"},
                            {"loss at first", fixed(2)},
                            {"after training", fixed(2)},
                            {"loss when it writes", fixed(2)}}};
    PlaneFigure figure{
        .name = "future",
        .title = "With a reversed mask, the model copies the next number: it does not count",
        .caption =
            "The text is 0 1 2 3 4 5, and each output has to say the next number. Light blue: what it may "
            "read. Grey: hidden. Orange: where one head of the trained model reads most. A model that writes "
            "has no future: it is always in the last row. There the model on the right reads nothing and "
            "guesses one of 8 numbers: 6 of 48 are right."};
    const std::pair<const char*, Mask (*)(std::size_t)> kinds[] = {{"causal", causal_mask},
                                                                   {"only the future", only_the_future}};
    for (const auto& [name, mask] : kinds) {
        Rng rng(request[options::seed]);
        const Model model(rng);
        const Losses losses = train(model, mask, request);
        const Written written = when_writing(model, mask);
        table.add({name, losses.first, losses.last, written.loss});
        figure.panels.push_back(what_is_read(
            model, fmt::format("{}: writes {} of {} right", name, written.right, vocab * seq), mask(seq)));
    }
    Report report;
    report.note(fmt::format(
        "{} gradient steps on counting modulo {}; guessing costs ln {} = {:.2f}. Empty rows are zeros.",
        steps, vocab, vocab, std::log(vocab)));
    report.add(table);
    report.add(figure);
    return report;
}

// --- what is added in place of -infinity

constexpr float infinity = std::numeric_limits<float>::infinity();

float round_to_half(float x) { return float_from_half(half_from_float(x)); }
float as_it_is(float x) { return x; }

// The weights of one query none of whose keys is allowed, by PyTorch's formula: softmax(scores + forbidden), rounded at every
// step.
std::vector<float> weights_of(const std::vector<float>& scores, float forbidden, float (*round)(float)) {
    std::vector<float> sums;
    for (const float score : scores) sums.push_back(round(round(score) + round(forbidden)));
    const float largest = *std::max_element(sums.begin(), sums.end());
    double total = 0.0;
    for (float& entry : sums) {
        entry = std::exp(entry - largest);
        total += static_cast<double>(entry);
    }
    for (float& entry : sums) entry = round(static_cast<float>(static_cast<double>(entry) / total));
    return sums;
}

Report show_empty_rows(const Request& request) {
    Rng rng(request[options::seed]);
    std::vector<float> scores;
    for (int j = 0; j < 5; ++j) scores.push_back(static_cast<float>(rng.normal()));
    Table table{.columns = {{"what is added to the scores"}}};
    for (int j = 1; j <= 5; ++j) table.columns.push_back({fmt::format("key {}", j), fixed(3)});
    const auto add = [&](const std::string& name, std::span<const float> weights) {
        std::vector<Cell> row{name};
        row.insert(row.end(), weights.begin(), weights.end());
        table.add(row);
    };
    add("not masked at all", weights_of(scores, 0.0f, as_it_is));
    const Tensor ours = softmax(Tensor::from({1, 5}, scores) + Tensor::full({1, 5}, -infinity));
    add("-inf, softmax of chapter 01", ours.values());
    for (const float forbidden : {-infinity, -1e9f, -1e4f}) {
        for (const bool half : {false, true})
            add(fmt::format("{:g}, PyTorch's formula, {}", forbidden, half ? "half" : "float32"),
                weights_of(scores, forbidden, half ? round_to_half : as_it_is));
    }
    return Report(table);
}

}  // namespace

Sections misused_masks_sections() {
    return {{"future",
             "With zeros for empty rows, the misread mask gives no sign",
             show_training_on_the_future,
             {options::seed},
             Level::deeper},
            {"empty-rows",
             "Only -infinity forbids: the weights of a query that may attend to none of its 5 keys",
             show_empty_rows,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
