// chapters/10_training/models/insides.cpp · measured on the text, part by part
#include "chapters/10_training/models/insides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "chapters/10_training/models/trainer.hpp"
#include "chapters/10_training/models/zero_columns.hpp"
#include "common/base/errors.hpp"

namespace tfs {

namespace {

constexpr std::size_t windows_at_once = 32;
constexpr std::size_t strongest = 20, ending_length = 3, most_raised = 4, context_length = 12;

const Stack& stack_of(const Transformer& model) { return std::get<Stack>(model.stack); }

std::vector<double> last_row(const Tensor& x) {
    const auto row = x.values().subspan(x.values().size() - x.size(-1));
    return {row.begin(), row.end()};
}

std::vector<double> difference(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}

double mean(const std::vector<double>& x) {
    return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

// The places at which each unit is strongest.
class Strongest {
  public:
    explicit Strongest(std::size_t units) : of_units_(units) {}

    void add(std::size_t unit, float strength, std::size_t place) {
        std::vector<Place>& kept = of_units_[unit];
        if (kept.size() == strongest && strength <= kept.back().strength) return;
        const auto weaker = [](float value, const Place& one) { return value > one.strength; };
        kept.insert(std::upper_bound(kept.begin(), kept.end(), strength, weaker), {strength, place});
        if (kept.size() > strongest) kept.pop_back();
    }
    [[nodiscard]] std::vector<std::size_t> of(std::size_t unit) const {
        std::vector<std::size_t> places;
        for (const Place& one : of_units_[unit]) places.push_back(one.place);
        return places;
    }

  private:
    struct Place {
        float strength;
        std::size_t place;
    };
    std::vector<std::vector<Place>> of_units_;  // the strongest first
};

// The tokens with the largest dot products with the value of a unit: a column of `down`.
std::vector<std::pair<std::string, double>> raised_by(const TextTransformer& model,
                                                      const FeedForward& network, std::size_t unit) {
    const Array& table = model.model.embedding.weight.array();
    const Array& down = network.down.weight.array();
    std::vector<std::pair<std::string, double>> all;
    for (std::size_t id = 0; id < table.shape()[0]; ++id) {
        double sum = 0.0;
        for (std::size_t i = 0; i < table.shape()[1]; ++i)
            sum += static_cast<double>(table(id, i)) * static_cast<double>(down(i, unit));
        all.emplace_back(model.tokenizer.token(static_cast<std::int64_t>(id)), sum);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    all.resize(std::min(most_raised, all.size()));
    return all;
}

// The strengths of all units of a block over all places of the windows.
Strongest strongest_places(const TransformerBlock& block, const Tensor& half, const Ids& windows) {
    const Tensor hidden = strengths_of_units(block, half);
    const std::size_t units = hidden.size(-1), seq = windows.shape()[1];
    Strongest kept(units);
    const float* strength = hidden.values().data();
    for (std::size_t place = 0; place < windows.size(); ++place, strength += units)
        if (place % seq >= least_before)
            for (std::size_t unit = 0; unit < units; ++unit) kept.add(unit, strength[unit], place);
    return kept;
}

}  // namespace

Tensor strengths_of_units(const TransformerBlock& block, const Tensor& half) {
    return block.feed_forward.network.hidden(block.feed_forward.norm(half));
}

std::string text_before(const Tokenizer& tokenizer, const Ids& windows, std::size_t place,
                        std::size_t length) {
    const std::size_t seq = windows.shape()[1], in_row = place % seq,
                      first = in_row + 1 - std::min(length, in_row + 1);
    std::string text;
    for (std::size_t i = first; i <= in_row; ++i) text += tokenizer.token(windows.data()[place - in_row + i]);
    return text;
}

std::vector<double> bits_after_each_block(const TextTransformer& model, const Corpus& corpus,
                                          std::size_t count) {
    const NoGrad no_grad;
    std::vector<double> nats(model.config.layers + 1, 0.0);
    double targets = 0.0;
    for (const Batch& batch :
         batches_of(scoring_windows(corpus, model.config.max_len, count), windows_at_once, 0)) {
        const auto asked = static_cast<double>(batch.target_count());
        const Reading reading = read_through(model.model, batch.inputs, Weights::none);
        for (std::size_t i = 0; i < nats.size(); ++i)
            nats[i] +=
                asked * static_cast<double>(
                            cross_entropy(lens(model.model, reading.streams[i]), batch.targets).item());
        targets += asked;
    }
    for (double& one : nats) one /= targets * std::numbers::ln2;
    return nats;
}

std::vector<std::vector<double>> cost_of_each_head(const TextTransformer& model, const Corpus& corpus,
                                                   std::size_t count) {
    const double whole = bits_per_character(model, corpus, count);
    std::vector<std::vector<double>> costs;
    for (const TransformerBlock& block : stack_of(model.model).blocks) {
        const Projections& projections = block.attention.attention;
        costs.emplace_back();
        for (std::size_t head = 0; head < projections.num_heads; ++head) {
            const WithoutHead without(projections, head);
            costs.back().push_back(bits_per_character(model, corpus, count) - whole);
        }
    }
    return costs;
}

std::vector<StreamPart> parts_of_stream(const Reading& reading) {
    std::vector<StreamPart> parts{{"embedding", last_row(reading.streams.front())}};
    for (std::size_t i = 0; i < reading.halves.size(); ++i) {
        const std::vector<double> before = last_row(reading.streams[i]), half = last_row(reading.halves[i]),
                                  after = last_row(reading.streams[i + 1]);
        parts.push_back({fmt::format("block {}, attention", i + 1), difference(half, before)});
        parts.push_back({fmt::format("block {}, feed-forward", i + 1), difference(after, half)});
    }
    return parts;
}

std::vector<LogitShare> logit_shares(const Transformer& model, const Reading& reading, std::int64_t token) {
    const NoGrad no_grad;
    const auto& final_norm = stack_of(model).final_norm;
    const LayerNorm* norm = final_norm ? std::get_if<LayerNorm>(&final_norm->kind) : nullptr;
    if (!norm) throw ValueError("logit_shares: the model has no final LayerNorm");
    const Tensor& table = model.output ? model.output->weight : model.embedding.weight;
    const std::size_t width = table.size(1);
    const auto row = table.values().subspan(static_cast<std::size_t>(token) * width, width);
    const auto gamma = norm->gamma.values(), beta = norm->beta.values();

    const std::vector<double> end = last_row(reading.streams.back());
    double variance = 0.0;
    const double middle_of_end = mean(end);
    for (const double value : end)
        variance += (value - middle_of_end) * (value - middle_of_end) / static_cast<double>(width);
    const double divisor = std::sqrt(variance + static_cast<double>(norm->eps));
    // The norm subtracts the mean of the stream, which is the sum of the means of its parts.
    const auto share_of = [&](const std::vector<double>& part) {
        double sum = 0.0;
        const double middle = mean(part);
        for (std::size_t i = 0; i < width; ++i)
            sum += static_cast<double>(row[i]) * static_cast<double>(gamma[i]) * (part[i] - middle) / divisor;
        return sum;
    };
    std::vector<LogitShare> shares;
    for (const StreamPart& part : parts_of_stream(reading))
        shares.push_back({part.name, share_of(part.values)});
    shares.push_back({"beta", std::inner_product(row.begin(), row.end(), beta.begin(), 0.0)});
    return shares;
}

std::vector<HiddenUnit> readable_units(const TextTransformer& model, const Ids& windows, std::size_t least) {
    const NoGrad no_grad;
    if (windows.shape()[1] <= least_before ||
        windows.shape()[0] * (windows.shape()[1] - least_before) < strongest)
        throw ValueError(fmt::format("readable_units: there are fewer than {} places to look at", strongest));
    const Reading reading = read_through(model.model, windows, Weights::none);
    std::vector<HiddenUnit> readable;
    for (std::size_t layer = 0; layer < reading.halves.size(); ++layer) {
        const TransformerBlock& block = stack_of(model.model).blocks[layer];
        const FeedForward& network = std::get<FeedForward>(block.feed_forward.network.kind);
        const Strongest kept = strongest_places(block, reading.halves[layer], windows);
        for (std::size_t unit = 0; unit < network.down.weight.size(1); ++unit) {
            HiddenUnit one{.layer = layer, .unit = unit};
            std::map<std::string, std::size_t> endings;
            for (const std::size_t place : kept.of(unit)) {
                one.contexts.push_back(text_before(model.tokenizer, windows, place, context_length));
                ++endings[text_before(model.tokenizer, windows, place, ending_length)];
            }
            const auto most =
                std::max_element(endings.begin(), endings.end(),
                                 [](const auto& a, const auto& b) { return a.second < b.second; });
            one.ending = most->first;
            one.agree = most->second;
            if (one.agree < least) continue;
            one.raises = raised_by(model, network, unit);
            readable.push_back(std::move(one));
        }
    }
    return readable;
}

}  // namespace tfs
