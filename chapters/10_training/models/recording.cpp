// chapters/10_training/models/recording.cpp · units, contexts and positions, chosen in one way
#include "chapters/10_training/models/character_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/base/array.hpp"
#include "common/base/errors.hpp"

namespace tfs {

namespace {

struct Unit {
    std::size_t layer, unit;  // from 0
};
// After "sir" comes ? ! or a comma; after "not" a space or a comma; after "the" a space, i, y or n.
constexpr std::array<Unit, 3> readable{{{0, 338}, {1, 420}, {3, 19}}};
constexpr std::size_t units = 60, contexts = 2000, positions = 50, candidates = 5;
constexpr std::size_t windows = 64, strongest_of_each = 40;
// A context counts only from this position of its window on: at the beginning the model guesses blindly.
constexpr std::size_t least_before = 16;

std::vector<double> last_row(const Tensor& x) {
    const auto row = x.values().subspan(x.values().size() - x.size(-1));
    return {row.begin(), row.end()};
}

std::vector<double> difference(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}

// The strengths of all units of a block, whose first half gave `half`: (batch, seq, d_ff).
Tensor strengths_of_units(const TransformerBlock& block, const Tensor& half) {
    return block.feed_forward.network.hidden(block.feed_forward.norm(half));
}

// The `length` characters that end at a place of ids (batch, seq), or as many as its row has.
std::string text_before(const Tokenizer& tokenizer, const Ids& ids, std::size_t place, std::size_t length) {
    const std::size_t seq = ids.shape()[1], in_row = place % seq,
                      first = in_row + 1 - std::min(length, in_row + 1);
    std::string text;
    for (std::size_t i = first; i <= in_row; ++i) text += tokenizer.token(ids.data()[place - in_row + i]);
    return text;
}

// What a part of the model adds to the stream at the last position of the text (1, seq) that was read. The parts sum to what leaves
// the last block.
struct StreamPart {
    std::string name;  // "embedding", "block 1, attention", "block 1, feed-forward", …
    std::vector<double> values;
};
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

// The readable ones, then others at equal distances.
std::vector<Unit> recorded_units(std::size_t layers, std::size_t d_ff) {
    std::vector<Unit> all(readable.begin(), readable.end());
    const std::size_t others = units - readable.size();
    for (std::size_t i = 0; i < others; ++i) {
        const std::size_t number = (2 * i + 1) * layers * d_ff / (2 * others);
        all.push_back({number / d_ff, number % d_ff});
    }
    return all;
}

// Of each unit its strength at all places of the windows.
std::vector<std::vector<float>> all_strengths(const TextTransformer& model, const Ids& ids,
                                              const std::vector<Unit>& chosen) {
    const Reading reading = read_through(model.model, ids, Weights::none);
    const auto& blocks = std::get<Stack>(model.model.stack).blocks;
    std::vector<std::vector<float>> strengths(chosen.size());
    for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
        const Tensor hidden = strengths_of_units(blocks[layer], reading.halves[layer]);
        for (std::size_t i = 0; i < chosen.size(); ++i)
            if (chosen[i].layer == layer)
                for (std::size_t place = 0; place < ids.size(); ++place)
                    strengths[i].push_back(hidden.values()[place * hidden.size(-1) + chosen[i].unit]);
    }
    return strengths;
}

// The strongest places of each readable unit, and others at equal distances, in the order of the text.
std::vector<std::size_t> recorded_places(const std::vector<std::vector<float>>& strengths, std::size_t seq) {
    std::vector<std::size_t> allowed;
    for (std::size_t place = 0; place < strengths[0].size(); ++place)
        if (place % seq >= least_before) allowed.push_back(place);
    std::set<std::size_t> places;
    for (std::size_t i = 0; i < readable.size(); ++i) {
        std::vector<float> row;
        for (const std::size_t place : allowed) row.push_back(strengths[i][place]);
        for (const std::size_t one : largest_of(row, strongest_of_each)) places.insert(allowed[one]);
    }
    for (std::size_t i = 0, wanted = contexts - places.size(); places.size() < contexts; ++i)
        places.insert(allowed[i * allowed.size() / wanted % allowed.size() + i / wanted]);
    return {places.begin(), places.end()};
}

// ValueError if the units that can be read are not in this model, or the text is too short.
void require_shipped(const TextTransformer& model, const std::vector<Example>& text) {
    const auto* stack = std::get_if<Stack>(&model.model.stack);
    const bool known =
        stack && stack->blocks.size() == 4 && model.config.max_len > least_before &&
        std::all_of(stack->blocks.begin(), stack->blocks.end(), [](const TransformerBlock& block) {
            const auto* network = std::get_if<FeedForward>(&block.feed_forward.network.kind);
            return network && network->down.weight.size(1) == 512;
        });
    const bool normed = stack && stack->final_norm && std::get_if<LayerNorm>(&stack->final_norm->kind);
    if (!known || !normed || model.model.output)
        throw ValueError("recorded: the units that can be read are those of the shipped decoder");
    if (text.size() < windows)
        throw ValueError(fmt::format("recorded: the held-out text has only {} windows", text.size()));
}

void record_units(CharacterRecording& recording, const TextTransformer& model, const Ids& ids) {
    const auto& blocks = std::get<Stack>(model.model.stack).blocks;
    const auto down = [&](std::size_t layer) {
        return std::get<FeedForward>(blocks[layer].feed_forward.network.kind).down.weight;
    };
    const std::vector<Unit> chosen = recorded_units(blocks.size(), down(0).size(1));
    const std::vector<std::vector<float>> strengths = all_strengths(model, ids, chosen);
    const std::vector<std::size_t> places = recorded_places(strengths, ids.shape()[1]);
    Array rows = Array::from_shape({chosen.size(), places.size()}),
          values = Array::from_shape({chosen.size(), model.config.d_model});
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto& [layer, unit] = chosen[i];
        recording.units.push_back(fmt::format("block {}, unit {}", layer + 1, unit + 1));
        for (std::size_t j = 0; j < places.size(); ++j) rows(i, j) = strengths[i][places[j]];
        for (std::size_t j = 0; j < values.shape()[1]; ++j) values(i, j) = down(layer).array()(j, unit);
    }
    recording.strengths = Tensor(rows);
    recording.values = Tensor(values);
    for (const std::size_t place : places)
        recording.contexts.push_back(text_before(model.tokenizer, ids, place, recorded_context));
}

Tensor last_position(const Tensor& x) {  // (1, seq, d_model) -> (1, d_model)
    return reshape(slice(x, 1, x.size(1) - 1, x.size(1)), {1, x.size(2)});
}

// At the last position of each window.
void record_stream(CharacterRecording& recording, const TextTransformer& model,
                   const std::vector<Example>& text) {
    const auto& norm = std::get<LayerNorm>(std::get<Stack>(model.model.stack).final_norm->kind);
    recording.gamma = norm.gamma;
    recording.beta = norm.beta;
    std::vector<Tensor> deviations;
    std::vector<float> stream;
    Array best = Array::from_shape({positions, candidates});
    for (std::size_t position = 0; position < positions; ++position) {
        const Ids ids = make_batch({text[position]}, 0).inputs;
        const Reading reading = read_through(model.model, ids, Weights::none);
        recording.parts.clear();
        for (const StreamPart& part : parts_of_stream(reading)) {
            recording.parts.push_back(part.name);
            stream.insert(stream.end(), part.values.begin(), part.values.end());
        }
        deviations.push_back(sqrt(variance(last_position(reading.streams.back()), -1) + norm.eps));  // (1)
        const Tensor logits = lens(model.model, reading.streams.back());
        const std::vector<std::size_t> likeliest =
            largest_of(logits.values().subspan(logits.size() - logits.size(-1)), candidates);
        for (std::size_t i = 0; i < candidates; ++i) best(position, i) = static_cast<float>(likeliest[i]);
        recording.texts.push_back(text_before(model.tokenizer, ids, ids.size() - 1, recorded_text));
    }
    recording.stream = Tensor::from({positions, recording.parts.size(), model.config.d_model}, stream);
    recording.deviations = concat(deviations, 0);
    recording.candidates = Tensor(best);
}

}  // namespace

CharacterRecording recorded(const TextTransformer& model, const Corpus& corpus) {
    const NoGrad no_grad;
    const std::vector<Example> text = some_held_out_windows(corpus, model.config.max_len, windows);
    require_shipped(model, text);
    CharacterRecording recording;
    for (const std::string& token : model.tokenizer.tokens()) recording.characters += token;
    recording.table = model.model.embedding.weight;
    record_units(recording, model, make_batch(text, 0).inputs);
    record_stream(recording, model, text);
    return recording;
}

}  // namespace tfs
