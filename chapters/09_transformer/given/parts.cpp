// chapters/09_transformer/given/parts.cpp · ids made, masks made, given
#include "chapters/09_transformer/given/parts.hpp"

#include <algorithm>

namespace tfs {

StackConfig stack_config(const TransformerConfig& config) {
    return {.block = config.block, .num_layers = config.num_layers, .final_norm = config.final_norm};
}

Ids all_in_segment_0(const Ids& ids) {
    Ids segments = Ids::from_shape(ids.shape());
    std::fill(segments.begin(), segments.end(), 0);
    return segments;
}

std::optional<Mask> padding_of(const TransformerConfig& config, const Ids& ids, const Pass& pass) {
    if (pass.with_earlier) return pass.padding;
    return config.pad_id ? std::optional(padding_mask(ids, *config.pad_id)) : std::nullopt;
}

Ids one_token(std::int64_t token) {
    Ids ids = Ids::from_shape({1, 1});
    ids.data()[0] = token;
    return ids;
}

Ids appended(const Ids& ids, std::int64_t token) {
    Ids longer = Ids::from_shape({1, ids.size() + 1});
    std::copy(ids.begin(), ids.end(), longer.begin());
    longer.data()[ids.size()] = token;
    return longer;
}

}  // namespace tfs
