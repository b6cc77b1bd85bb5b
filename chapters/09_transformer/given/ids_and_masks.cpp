// chapters/09_transformer/given/ids_and_masks.cpp · ids made, masks made, given
#include "chapters/09_transformer/given/ids_and_masks.hpp"

#include <algorithm>
#include <utility>

#include "common/base/array.hpp"

namespace tfs {

StackConfig stack_config(const TransformerConfig& config) {
    return {.block = config.block, .num_layers = config.num_layers, .final_norm = config.final_norm};
}

Ids all_in_segment_0(const Ids& ids) {
    Ids segments = Ids::from_shape(ids.shape());
    std::fill(segments.begin(), segments.end(), 0);
    return segments;
}

namespace {

// Where rows of the batch have different numbers of earlier keys: the columns before the first key of a row are hidden.
std::optional<Mask> keys_that_are_there(const Pass& pass, std::size_t seq) {
    const Offset before = pass.earlier->lengths(pass.layer);
    const std::size_t keys = pass.keys(seq);
    bool equal = true;
    for (std::size_t row = 0; row < before.rows(); ++row) equal = equal && before[row] == before.largest();
    if (equal) return std::nullopt;
    xt::xarray<bool> there = xt::xarray<bool>::from_shape({before.rows(), 1, 1, keys});
    for (std::size_t row = 0; row < before.rows(); ++row)
        for (std::size_t j = 0; j < keys; ++j) there(row, 0, 0, j) = j >= before.largest() - before[row];
    return Mask(std::move(there));  // (batch, 1, 1, key)
}

// Which keys are padding, those of earlier positions included, true = may attend: the caller who keeps keys keeps this, too, as if it
// were a layer more, of width 1. So it is dropped and picked with them.
Mask kept_padding(const TransformerConfig& config, const Ids& ids, const Pass& pass) {
    if (pass.earlier->lengths(pass.layer).largest() == 0)
        (void)padding_mask(ids, *config.pad_id);  // refuses a text of padding alone
    Array own = make_array({ids.shape()[0], 1, ids.shape()[1], 1});
    std::transform(ids.begin(), ids.end(), own.data(),
                   [&](std::int64_t id) { return id == *config.pad_id ? 1.0f : 0.0f; });
    const Tensor is_padding(std::move(own));
    const Tensor all =
        pass.earlier->append(config.num_layers, {is_padding, is_padding}).keys;  // (batch, 1, key, 1)
    xt::xarray<bool> allowed = make_array<bool>({all.size(0), 1, 1, all.size(2)});
    std::transform(all.values().begin(), all.values().end(), allowed.begin(),
                   [](float padding) { return padding == 0.0f; });
    return Mask(std::move(allowed));
}

}  // namespace

std::optional<Mask> padding_of(const TransformerConfig& config, const Ids& ids, const Pass& pass) {
    if (!pass.earlier) return config.pad_id ? std::optional(padding_mask(ids, *config.pad_id)) : std::nullopt;
    const std::optional<Mask> there = keys_that_are_there(pass, ids.shape()[1]);
    std::optional<Mask> padding = pass.padding;
    if (!padding && config.pad_id) padding = kept_padding(config, ids, pass);
    if (!there || !padding) return there ? there : padding;
    return *there & *padding;
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
