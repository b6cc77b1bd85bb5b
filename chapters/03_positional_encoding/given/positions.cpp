// chapters/03_positional_encoding/given/positions.cpp · checks, the angles of rotary positions, their two layouts, ALiBi, learned rows
#include "chapters/03_positional_encoding/given/position_checks.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "common/base/array.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_width(std::string_view what, const Tensor& x, std::size_t width) {
    require_shapes(what, {{"x", x, "... seq width"}}, {{"width", width, "the table"}});
}

void require_positions(std::string_view what, std::size_t offset, std::size_t seq, std::size_t max_len) {
    if (seq <= max_len && offset <= max_len - seq) return;
    throw ValueError(fmt::format(
        "{}: {} positions from {} on don't fit the table of max_len = {} positions; make it longer, or cut "
        "the text",
        what, seq, offset, max_len));
}

void require_rotary(const Tensor& x, const RotaryEmbedding& rotary, std::size_t offset) {
    require_width("apply_rotary", x, 2 * rotary.cos.size(-1));
    require_positions("apply_rotary", offset, x.size(-2), rotary.cos.size(0));
}

std::size_t pairs_of_columns(const Tensor& x) {
    if (x.rank() == 0 || x.size(-1) == 0 || x.size(-1) % 2 != 0)
        throw ShapeError(fmt::format("the columns of x {} don't make pairs", to_string(x.shape())));
    return x.size(-1) / 2;
}

std::pair<Tensor, Tensor> cosines_and_sines(const std::vector<double>& frequencies, std::size_t max_len) {
    const std::size_t pairs = frequencies.size();
    Array cosines = Array::from_shape({max_len, pairs}), sines = Array::from_shape({max_len, pairs});
    for (std::size_t pos = 0; pos < max_len; ++pos) {
        for (std::size_t i = 0; i < pairs; ++i) {
            const double angle = static_cast<double>(pos) * frequencies[i];
            cosines(pos, i) = static_cast<float>(std::cos(angle));
            sines(pos, i) = static_cast<float>(std::sin(angle));
        }
    }
    return {Tensor(std::move(cosines)), Tensor(std::move(sines))};
}

RotaryEmbedding::RotaryEmbedding(std::size_t d_k, std::size_t max_len, double theta) {
    if (d_k == 0 || max_len == 0 || !std::isfinite(theta) || theta <= 0.0) {
        throw ValueError(fmt::format(
            "RotaryEmbedding({}, {}, {:g}): both sizes must be at least 1, and theta positive and finite",
            d_k, max_len, theta));
    }
    require_addressable({max_len, d_k});
    if (d_k % 2 != 0) {
        throw ValueError(fmt::format("RotaryEmbedding: d_k = {} is odd; columns are turned in pairs", d_k));
    }
    std::vector<double> frequencies;
    for (std::size_t i = 0; i < d_k / 2; ++i)
        frequencies.push_back(std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(d_k)));
    std::tie(cos, sin) = cosines_and_sines(frequencies, max_len);
}

Tensor alibi_slopes(std::size_t num_heads) {
    if (num_heads == 0) throw ValueError("alibi_slopes: 0 heads; there must be at least 1 to have a slope");
    Array slopes = make_array({num_heads});  // (heads)
    const std::size_t power = std::bit_floor(num_heads);
    for (std::size_t head = 0; head < num_heads; ++head) {
        const std::size_t k =
            head < power ? 2 * (head + 1) : 2 * (head - power) + 1;  // counted in steps of 2p heads
        slopes(head) =
            static_cast<float>(std::exp2(-8.0 * static_cast<double>(k) / static_cast<double>(2 * power)));
    }
    return Tensor(std::move(slopes));
}

Tensor alibi_bias(std::size_t num_heads, std::size_t queries, std::size_t keys, const Offset& offset) {
    if (num_heads == 0 || queries == 0 || keys == 0) {
        throw ValueError(
            fmt::format("alibi_bias: {} heads, {} queries, {} keys; there must be at least 1 of each",
                        num_heads, queries, keys));
    }
    require_addressable({offset.rows(), num_heads, queries, keys});
    Array distance = Array::from_shape({offset.rows(), 1, queries, keys});
    for (std::size_t row = 0; row < offset.rows(); ++row)
        for (std::size_t i = 0; i < queries; ++i)
            for (std::size_t j = 0, at = i + offset[row]; j < keys; ++j)
                distance(row, 0, i, j) = j < at ? static_cast<float>(at - j) : 0.0f;
    const Tensor slopes = reshape(alibi_slopes(num_heads), {1, num_heads, 1, 1});
    return -slopes * Tensor(std::move(distance));  // (1, heads, query, key), or (batch, …)
}

LearnedPositionalEmbedding::LearnedPositionalEmbedding(std::size_t d_model, std::size_t max_len, Rng& rng)
    : embedding(max_len, d_model, rng) {}

Tensor LearnedPositionalEmbedding::operator()(const Tensor& x, std::size_t offset) const {
    require_width("LearnedPositionalEmbedding", x, embedding.weight.size(-1));
    require_positions("LearnedPositionalEmbedding", offset, x.size(-2), embedding.weight.size(0));
    Ids positions = Ids::from_shape({x.size(-2)});
    std::iota(positions.begin(), positions.end(), static_cast<std::int64_t>(offset));
    return x + embedding(positions);  // (…, seq, d_model) + (seq, d_model)
}

Parameters LearnedPositionalEmbedding::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    return all;
}

namespace {

// The columns of x (…, from * to) are seen as a table (from, to) and read along its other side.
Tensor regrouped_columns(const Tensor& x, std::size_t from, std::size_t to) {
    Shape table = x.shape();
    table.back() = from;
    table.push_back(to);
    return reshape(transpose(reshape(x, table), -1, -2), x.shape());
}

// The rows of each head, d_k of them, in the order that `columns` gives to columns.
Tensor regrouped_rows(const Tensor& rows, std::size_t num_heads, Tensor (*columns)(const Tensor&)) {
    if (rows.rank() == 0 || num_heads == 0 || rows.size(0) % (2 * num_heads) != 0) {
        throw ValueError(fmt::format("rotary layout: the rows of {} can't be shared out to {} heads of pairs",
                                     to_string(rows.shape()), num_heads));
    }
    const Tensor heads = reshape(rows, {num_heads, rows.size(0) / num_heads, rows.size() / rows.size(0)});
    return reshape(transpose(columns(transpose(heads, 1, 2)), 1, 2), rows.shape());
}

}  // namespace

Tensor even_columns_first(const Tensor& x) { return regrouped_columns(x, pairs_of_columns(x), 2); }

Tensor even_columns_back(const Tensor& x) { return regrouped_columns(x, 2, pairs_of_columns(x)); }

Tensor interleaved_to_half_split(const Tensor& rows, std::size_t num_heads) {
    return regrouped_rows(rows, num_heads, even_columns_first);
}

Tensor half_split_to_interleaved(const Tensor& rows, std::size_t num_heads) {
    return regrouped_rows(rows, num_heads, even_columns_back);
}

}  // namespace tfs
