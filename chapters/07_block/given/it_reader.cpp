// chapters/07_block/given/it_reader.cpp · an encoder that is asked at "it" which animal that is, given
#include "chapters/07_block/given/it_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/io/metadata.hpp"
#include "common/text/display.hpp"
#include "common/text/words.hpp"

namespace tfs {

namespace {

BlockConfig block_of(const ItReader::Sizes& sizes) {
    return {.d_model = sizes.d_model,
            .num_heads = sizes.heads,
            .d_ff = sizes.d_ff,
            .activation = Activation::gelu};
}

std::vector<TransformerBlock> blocks_of(const ItReader::Sizes& sizes, Rng& rng) {
    std::vector<TransformerBlock> blocks;
    for (std::size_t i = 0; i < sizes.layers; ++i) blocks.emplace_back(block_of(sizes), rng);
    return blocks;
}

}  // namespace

ItReader::ItReader(std::vector<std::string> vocabulary, const Sizes& sizes, Rng& rng)
    : words(std::move(vocabulary)),
      embedding(words.size(), sizes.d_model, rng),
      positions(sizes.d_model, it_longest),
      blocks(blocks_of(sizes, rng)),
      final_norm(block_of(sizes)),
      output(sizes.d_model, words.size(), rng) {}

Tensor ItReader::embed(const Ids& ids) const { return positions(embedding(ids)); }

ItReader::Reading ItReader::read(const Tensor& embedded, const std::optional<Mask>& visible) const {
    Tensor x = embedded;  // (batch, seq, d_model)
    std::vector<Tensor> maps;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const AttentionOutput layer = blocks[i](x, visible, with_weights.in_layer(i));
        x = layer.output;
        maps.push_back(layer.weights);
    }
    return {output(final_norm(x)), maps};
}

Tensor ItReader::logits(const Ids& ids) const {
    return read(embed(ids), padding_mask(ids, it_padding)).logits;
}

Ids ItReader::ids_of(const std::vector<std::string>& sentence) const {
    if (sentence.empty() || sentence.size() > it_longest)
        throw ValueError(
            fmt::format("the trained model reads 1 to {} words, not {}", it_longest, sentence.size()));
    Ids ids = Ids::from_shape({1, sentence.size()});
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const std::optional<std::int64_t> id = id_of(words, sentence[i]);
        if (!id || *id == it_padding)
            throw ValueError(
                fmt::format("the trained model does not know the word \"{}\"", harmless(sentence[i])));
        ids(0, i) = *id;
    }
    return ids;
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

void save_it_reader(const ItReader& model, const std::filesystem::path& file,
                    std::map<std::string, std::string> metadata) {
    const BlockConfig& block = model.blocks.at(0).config;
    metadata["words"] = fmt::format("{}", fmt::join(model.words, " "));
    metadata["d_model"] = std::to_string(block.d_model);
    metadata["heads"] = std::to_string(block.num_heads);
    metadata["d_ff"] = std::to_string(block.d_ff);
    metadata["layers"] = std::to_string(model.blocks.size());
    save_safetensors(file, model.parameters(), metadata, Precision::f16);
}

ItReader load_it_reader(const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file, "not the weights of an encoder for \"it\"");
    const auto number = [&](const char* name) { return entries.count(name, 1, 9999); };
    const ItReader::Sizes sizes{number("d_model"), number("heads"), number("d_ff"), number("layers")};
    Rng none = Rng::zeros();
    ItReader model(split_words(entries.text("words")), sizes, none);
    copy_tensors_into(model.parameters(), loaded.tensors, file);
    return model;
}

}  // namespace tfs
