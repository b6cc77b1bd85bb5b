// chapters/08_encoder_decoder/given/trained_writer.cpp · a decoder that chapter 10 trained to write Shakespeare, given
#include "chapters/08_encoder_decoder/given/trained_writer.hpp"

#include <utility>

namespace tfs {

namespace {

StackConfig writer_stack(const CharacterSizes& sizes) {
    return {.block = {.d_model = sizes.d_model, .num_heads = sizes.heads, .d_ff = 4 * sizes.d_model},
            .num_layers = sizes.layers};
}

}  // namespace

TrainedWriter::TrainedWriter(std::vector<std::string> vocabulary, const CharacterSizes& sizes, Rng& rng)
    : characters(std::move(vocabulary)),
      embedding(characters.size(), sizes.d_model, rng),
      positions(sizes.d_model, sizes.context, rng),
      decoder(StackKind::decoder, writer_stack(sizes), rng) {}

Parameters TrainedWriter::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    append(all, "positions", positions.parameters());
    append(all, "", decoder.parameters());
    return all;
}

std::vector<Tensor> writer_maps(const TrainedWriter& writer, const std::string& text) {
    if (text.empty()) throw ValueError("the trained model needs a text of at least one character");
    const NoGrad no_grad;
    const Tensor x = writer.positions(writer.embedding(character_ids(writer.characters, text)));
    return writer.decoder(x, std::nullopt, with_weights).weights;
}

}  // namespace tfs
