// chapters/08_encoder_decoder/models/date_translator.cpp · a network of this chapter for weights that chapter 10 trained
#include "chapters/08_encoder_decoder/models/date_translator.hpp"

#include <algorithm>
#include <cmath>

#include "chapters/07_block/models/it_reader.hpp"

namespace tfs {

DateTranslator::DateTranslator(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng)
    : config(sizes),
      tokenizer(tokens),
      embedding(tokens.size(), sizes.d_model, rng),
      positions(sizes.d_model, sizes.max_len),
      model({.block = block_config(sizes), .num_layers = sizes.layers}, rng) {}

Tensor DateTranslator::embed(const Ids& ids) const {
    return positions(embedding(ids) * std::sqrt(static_cast<float>(config.d_model)));
}

Parameters DateTranslator::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    append(all, "", model.parameters());
    return all;
}

CrossStackOutput date_maps(const DateTranslator& dates, const std::string& text, const std::string& answer) {
    const NoGrad no_grad;
    const Memory memory = dates.model.encode(dates.embed(dates.tokenizer.encode(text, dates.config.max_len)));
    Ids target = dates.tokenizer.encode(answer, dates.config.max_len);
    std::copy_backward(target.begin(), target.end() - 1, target.end());  // the last one is read by nobody
    target(0, 0) = date_start;
    return dates.model.decode(dates.embed(target), memory, std::nullopt, with_weights);
}

}  // namespace tfs
