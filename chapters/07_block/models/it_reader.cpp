// chapters/07_block/models/it_reader.cpp · the blocks of trained models, and an encoder that is asked at "it" which animal that is
#include "chapters/07_block/models/it_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tfs {

namespace {

PositionChoice positions_of(PositionKind kind) {
    switch (kind) {
        case PositionKind::sinusoidal:
            return Sinusoids{};
        case PositionKind::learned:
            return LearnedPositions{};
        case PositionKind::rotary:
            return Rotary{};
        case PositionKind::alibi:
            return Alibi{};
        case PositionKind::none:
            break;
    }
    return NoPositions{};
}

std::vector<TransformerBlock> blocks_of(const ModelConfig& sizes, Rng& rng) {
    std::vector<TransformerBlock> blocks;
    for (std::size_t i = 0; i < sizes.layers; ++i) blocks.emplace_back(block_config(sizes), rng);
    return blocks;
}

}  // namespace

BlockConfig block_config(const ModelConfig& model) {
    return {.d_model = model.d_model,
            .num_heads = model.heads,
            .d_ff = model.feed_forward_size(),
            .dropout = model.dropout,
            .positions = positions_of(model.positions),
            .max_len = model.max_len};
}

const ModelKind& it_reader_kind() {
    static const ModelKind kind{.name = "an encoder for \"it\"",
                                .entries = {"d_model", "heads", "d_ff", "layers", "words"},
                                .otherwise = {.max_len = it_longest, .positions = PositionKind::sinusoidal},
                                .tokenizer = {Cut::words, {}, {.padding = it_padding}}};
    return kind;
}

ModelConfig it_reader_config() {
    ModelConfig config = it_reader_kind().otherwise;
    config.layers = 2;
    config.d_model = 96;
    config.heads = 4;
    config.d_ff = 192;
    return config;
}

ItReader::ItReader(const Tokenizer& words, const ModelConfig& sizes, Rng& rng)
    : config(sizes),
      tokenizer(words),
      embedding(words.size(), sizes.d_model, rng),
      positions(sizes.d_model, sizes.max_len),
      blocks(blocks_of(sizes, rng)),
      final_norm(block_config(sizes)),
      output(sizes.d_model, words.size(), rng) {}

Tensor ItReader::embed(const Ids& ids) const { return positions(embedding(ids)); }

ItReader::Reading ItReader::read(const Tensor& embedded, const std::optional<Mask>& visible,
                                 const Pass& pass) const {
    Tensor x = embedded;  // (batch, seq, d_model)
    std::vector<Tensor> maps;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const AttentionOutput layer = blocks[i](x, visible, pass.in_layer(i));
        x = layer.output;
        maps.push_back(layer.weights);
    }
    return {output(final_norm(x)), maps};
}

Tensor ItReader::logits(const Ids& ids) const {
    return read(embed(ids), padding_mask(ids, it_padding)).logits;
}

Parameters ItReader::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    for (std::size_t i = 0; i < blocks.size(); ++i)
        append(all, fmt::format("encoder.blocks.{}", i), blocks[i].parameters());
    append(all, "encoder.final_norm", final_norm.parameters());
    append(all, "output", output.parameters());
    return all;
}

std::size_t place_of_it(const std::vector<std::string>& sentence) {
    const auto it = std::find(sentence.begin(), sentence.end(), "it");
    if (it == sentence.end()) throw ValueError("the trained encoder needs the word \"it\"");
    return static_cast<std::size_t>(it - sentence.begin());
}

}  // namespace tfs
