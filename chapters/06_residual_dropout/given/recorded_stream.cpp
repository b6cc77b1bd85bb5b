// chapters/06_residual_dropout/given/recorded_stream.cpp · one position of the recording of the characters
#include "chapters/06_residual_dropout/given/recorded_stream.hpp"

#include <fmt/format.h>

#include "common/program/recording.hpp"
#include "common/program/weights.hpp"

namespace tfs {

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
