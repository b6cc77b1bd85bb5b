// chapters/02_masks/program/training_on_the_future.cpp · what a model learns under a mask that shows only the future
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chapters/02_masks/program/options.hpp"

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
    for (std::size_t b = 0; b < vocab; ++b) {
        for (std::size_t t = 0; t < length; ++t) {
            ids(b, t) = static_cast<std::int64_t>((b + first + t) % vocab);
        }
    }
    return ids;
}

// The mean of -ln p of the right token.
Tensor cross_entropy(const Tensor& logits, const Ids& targets) {
    Array one_hot = Tensor::zeros(logits.shape()).array();
    for (std::size_t i = 0; i < targets.size(); ++i) {
        one_hot.data()[i * vocab + static_cast<std::size_t>(targets.data()[i])] = 1.0f;
    }
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

// What one head attends to in 0, 1, 2 …: the one that reads the answers most, where the mask shows them.
HeatMapPanel map_of(const Model& model, const std::string& title, const Mask& mask) {
    const NoGrad no_grad;
    const Tensor weights = model.attend(counting(0, seq), mask).weights;
    const auto read = [&](std::size_t head) {
        float sum = 0.0f;
        for (std::size_t i = 0; i + 1 < seq; ++i) sum += weights.at({0, head, i, i + 1});
        return sum;
    };
    HeatMapPanel panel = attention_panel(title, weights, read(1) > read(0) ? 1 : 0, {}, {}, mask);
    const xt::xarray<bool> allowed = map_of(mask, 0, seq, seq);
    for (std::size_t i = 0; i < seq; ++i) {
        const bool seen = i + 1 < seq && allowed(i, i + 1), blind = !seen && !allowed(i, i);
        panel.rows.push_back(fmt::format("{}", i));
        panel.answers.push_back(fmt::format("next {}: {}", i + 1,
                                            seen    ? "in sight"
                                            : blind ? "no future"
                                                    : "hidden"));
    }
    panel.columns = panel.rows;
    return panel;
}

Report show_training_on_the_future(const Request& request) {
    Table table{.columns = {{"mask"},
                            {"loss at first", fixed(2)},
                            {"after training", fixed(2)},
                            {"when it writes", fixed(2)}}};
    HeatMapFigure figure{
        .name = "future",
        .title =
            "A mask that shows only the future: the model reads off the answer, and never learns to count",
        .caption =
            "What one head of each trained model reads (columns) before it says the next number, in bold. "
            "Grey: hidden by the mask. Right, it reads the next number itself. The last row has no future to "
            "read, and a model that writes is always in this last row."};
    const std::pair<const char*, Mask (*)(std::size_t)> kinds[] = {{"causal", causal_mask},
                                                                   {"only the future", only_the_future}};
    for (const auto& [name, mask] : kinds) {
        Rng rng(request[options::seed]);
        const Model model(rng);
        const Losses losses = train(model, mask, request);
        const Written written = when_writing(model, mask);
        table.add({name, losses.first, losses.last, written.loss});
        figure.panels.push_back(map_of(
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

}  // namespace

Section training_on_the_future() {
    return {.id = "future",
            .title = "With zeros for empty rows, the misread mask gives no sign",
            .level = Level::deeper,
            .options = {options::seed},
            .run = show_training_on_the_future};
}

}  // namespace tfs
