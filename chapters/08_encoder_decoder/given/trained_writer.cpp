// chapters/08_encoder_decoder/given/trained_writer.cpp · a decoder that chapter 10 trained to write Shakespeare, given
#include "chapters/08_encoder_decoder/given/trained_writer.hpp"

#include <fmt/format.h>

#include "common/io/metadata.hpp"
#include "common/io/safetensors.hpp"
#include "common/text/display.hpp"

namespace tfs {

namespace {

StackConfig writer_stack(const TrainedWriter::Sizes& sizes) {
    return {.block = {.d_model = sizes.d_model, .num_heads = sizes.heads, .d_ff = 4 * sizes.d_model},
            .num_layers = sizes.layers};
}

Ids writer_ids(const TrainedWriter& writer, const std::string& text) {
    Ids ids = Ids::from_shape({1, text.size()});
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t id = writer.characters.find(text[i]);
        if (id == std::string::npos)
            throw ValueError(fmt::format("the trained model does not know the character \"{}\"",
                                         harmless(std::string(1, text[i]))));
        ids(0, i) = static_cast<std::int64_t>(id);
    }
    return ids;
}

}  // namespace

TrainedWriter::TrainedWriter(std::string vocabulary, const Sizes& sizes, Rng& rng)
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

TrainedWriter load_trained_writer(const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file, "not the weights of a character model");
    const TrainedWriter::Sizes sizes{entries.count("layers", 1, 99), entries.count("d_model", 1, 9999),
                                     entries.count("heads", 1, 99), entries.count("context", 1, 99'999)};
    if (sizes.d_model % sizes.heads != 0)
        entries.refuse(fmt::format(": {} heads don't divide {}", sizes.heads, sizes.d_model));
    Rng none = Rng::zeros();
    TrainedWriter writer(entries.text("characters"), sizes, none);
    copy_tensors_into(writer.parameters(), loaded.tensors, file);
    return writer;
}

std::vector<Tensor> writer_maps(const TrainedWriter& writer, const std::string& text) {
    if (text.empty()) throw ValueError("the trained model needs a text of at least one character");
    const NoGrad no_grad;
    return writer.decoder(writer.positions(writer.embedding(writer_ids(writer, text)))).weights;
}

}  // namespace tfs
