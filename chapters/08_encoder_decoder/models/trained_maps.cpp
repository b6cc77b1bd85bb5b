// chapters/08_encoder_decoder/models/trained_maps.cpp · who looks at whom in three models that chapter 10 trained
#include "chapters/08_encoder_decoder/models/trained_maps.hpp"

namespace tfs {

Stack encoder_of(const ItReader& reader) {
    Rng none = Rng::zeros();
    Stack encoder(StackKind::encoder, {reader.blocks.front().config, reader.blocks.size()}, none);
    encoder.blocks = reader.blocks;
    encoder.final_norm = reader.final_norm;
    return encoder;
}

std::vector<Tensor> encoder_maps(const ItReader& reader, const std::vector<std::string>& sentence) {
    const NoGrad no_grad;
    const Ids ids = reader.encode(sentence);
    (void)place_of_it(sentence);
    return encoder_of(reader)(reader.embed(ids), std::nullopt, with_weights).weights;
}

std::vector<std::string> labels_of(const std::string& text, const std::string& space) {
    std::vector<std::string> letters;
    for (const char letter : text) letters.push_back(letter == ' ' ? space : std::string(1, letter));
    return letters;
}

}  // namespace tfs
