// common/io/weights.cpp · where they are; a recording is tensors and texts of a safetensors file
#include "common/io/weights.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/io/safetensors.hpp"

namespace tfs {

namespace {

std::vector<std::string> pieces_of(const std::string& all, std::size_t length) {
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < all.size(); i += length) pieces.push_back(all.substr(i, length));
    return pieces;
}

std::vector<std::string> lines_of(const std::string& all) {
    std::vector<std::string> lines;
    std::istringstream text(all);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

// Names and tensors of a recording, to be written or read.
template <class Recording>
auto tensors_of(Recording& recording) {
    return std::array{std::pair{"units.strengths", &recording.strengths},
                      std::pair{"units.values", &recording.values},
                      std::pair{"table", &recording.table},
                      std::pair{"stream.parts", &recording.stream},
                      std::pair{"stream.deviations", &recording.deviations},
                      std::pair{"final_norm.gamma", &recording.gamma},
                      std::pair{"final_norm.beta", &recording.beta},
                      std::pair{"logits.candidates", &recording.candidates}};
}

}  // namespace

std::filesystem::path weights_folder() { return TFS_WEIGHTS_FOLDER; }

std::filesystem::path weights_file(const std::string& name) {
    return weights_folder() / (name + ".safetensors");
}

std::filesystem::path shipped_corpus() {
    return weights_folder().parent_path() / "common/text/data/shakespeare.txt";
}

CharacterRecording load_recording(const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const auto fail = [&](const std::string& why) {
        throw FileError(fmt::format("{}: it is no recording of the characters, {}", file.string(), why));
    };
    const auto text = [&](const char* name) {
        const auto found = loaded.metadata.find(name);
        if (found == loaded.metadata.end()) fail(fmt::format("\"{}\" is missing", name));
        return found->second;
    };
    CharacterRecording recording;
    recording.characters = text("characters");
    recording.units = lines_of(text("units"));
    recording.contexts = pieces_of(text("contexts"), recorded_context);
    recording.texts = pieces_of(text("texts"), recorded_text);
    recording.parts = lines_of(text("parts"));
    for (const auto& one : tensors_of(recording)) {
        const auto found = std::find_if(loaded.tensors.begin(), loaded.tensors.end(),
                                        [&](const NamedTensor& tensor) { return tensor.name == one.first; });
        if (found == loaded.tensors.end()) fail(fmt::format("\"{}\" is missing", one.first));
        *one.second = found->tensor;
    }
    for (const auto& [name, length] : {std::pair{"contexts", recorded_context}, {"texts", recorded_text}})
        if (text(name).size() % length != 0) fail(fmt::format("\"{}\" is cut", name));
    if (recording.table.rank() != 2 || recording.candidates.rank() != 2)
        fail("table and candidates have two axes");
    const std::size_t units = recording.units.size(), vocab = recording.characters.size(),
                      positions = recording.texts.size(), d_model = recording.table.size(-1);
    const auto has_shape = [&](const char* name, const Tensor& tensor, const Shape& shape) {
        if (tensor.shape() != shape)
            fail(fmt::format("{} is {}, not {}", name, to_string(tensor.shape()), to_string(shape)));
    };
    has_shape("units.strengths", recording.strengths, {units, recording.contexts.size()});
    has_shape("units.values", recording.values, {units, d_model});
    has_shape("table", recording.table, {vocab, d_model});
    has_shape("stream.parts", recording.stream, {positions, recording.parts.size(), d_model});
    has_shape("stream.deviations", recording.deviations, {positions});
    has_shape("final_norm.gamma", recording.gamma, {d_model});
    has_shape("final_norm.beta", recording.beta, {d_model});
    has_shape("logits.candidates", recording.candidates, {positions, recording.candidates.size(-1)});
    for (const float id : recording.candidates.values())
        if (!(id >= 0.0f && id < static_cast<float>(vocab)))
            fail(fmt::format("there is no character {}", id));
    return recording;
}

void save_recording(const std::filesystem::path& file, const CharacterRecording& recording) {
    Parameters tensors;
    for (const auto& [name, tensor] : tensors_of(recording)) tensors.push_back({name, *tensor});
    save_safetensors(file, tensors,
                     {{"made_by", "tools/record_characters"},
                      {"characters", recording.characters},
                      {"units", fmt::format("{}", fmt::join(recording.units, "\n"))},
                      {"contexts", fmt::format("{}", fmt::join(recording.contexts, ""))},
                      {"texts", fmt::format("{}", fmt::join(recording.texts, ""))},
                      {"parts", fmt::format("{}", fmt::join(recording.parts, "\n"))}},
                     Precision::f16);
}

}  // namespace tfs
