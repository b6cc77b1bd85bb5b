// chapters/06_residual_dropout/given/residual_dropout.cpp
#include "chapters/06_residual_dropout/given/residual_dropout.hpp"

#include <fmt/format.h>

#include "common/io/weights.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_rate(std::string_view operation, double p) {
    if (p >= 0.0 && p < 1.0) return;
    throw ValueError(
        fmt::format("{}: p = {} is not in [0, 1); p is the probability to drop an entry, and what is kept is "
                    "divided by 1 - p",
                    operation, p));
}

void require_same_shape(std::string_view operation, const Tensor& x, const Tensor& from_sublayer) {
    if (from_sublayer.shape() == x.shape()) return;
    throw ShapeError(
        fmt::format("{}: the sublayer turned {} into {}; what is added to x must have the shape of x",
                    operation, to_string(x.shape()), to_string(from_sublayer.shape())));
}

void require_stream(const Tensor& parts, const FinalNorm& norm, const Tensor& table) {
    require_shapes("logit_shares", {{"parts", parts, "parts d_model"},
                                    {"gamma", norm.gamma, "d_model"},
                                    {"beta", norm.beta, "d_model"},
                                    {"table", table, "vocab d_model"}});
}

void require_shares(const Tensor& shares) {
    require_shapes("deciding_part", {{"shares", shares, "parts vocab"}});
    if (shares.size(0) == 0 || shares.size(1) < 2)
        throw ValueError(fmt::format("deciding_part: {} has no part, or fewer than two characters",
                                     to_string(shares.shape())));
}

RecordedStream recorded_stream(std::size_t position) {
    static const CharacterRecording all = load_recording(weights_file("characters_recording"));
    if (position >= all.texts.size())
        throw ValueError(
            fmt::format("recorded_stream: there is no position {}, only {}", position, all.texts.size()));
    RecordedStream one{
        .text = all.texts[position],
        .names = all.parts,
        .parts =
            reshape(slice(all.stream, 0, position, position + 1), {all.stream.size(1), all.stream.size(2)}),
        .norm = {.gamma = all.gamma, .beta = all.beta, .deviation = all.deviations.at({position})},
        .table = all.table,
        .characters = all.characters,
        .likeliest = {}};
    one.names.push_back("beta");
    for (std::size_t i = 0; i < all.candidates.size(1); ++i)
        one.likeliest.push_back(static_cast<std::size_t>(all.candidates.at({position, i})));
    return one;
}

}  // namespace tfs
