// chapters/10_training/given/date_reader.cpp · an encoder-decoder that reads a date, given
#include "chapters/10_training/given/date_reader.hpp"

#include <algorithm>

namespace tfs {

namespace {

TransformerConfig date_reader_config(std::size_t layers, std::size_t heads) {
    return {.architecture = Architecture::encoder_decoder,
            .vocab_size = date_characters().size() + first_date_character,
            .num_layers = layers,
            .block = {.d_model = date_width,
                      .num_heads = heads,
                      .d_ff = 4 * date_width,
                      .positions = Sinusoids{},
                      .max_len = DateReader::source_length},
            .pad_id = DateReader::pad_id};
}

// For each row the character with the largest logit at the position `at`.
std::vector<std::int64_t> greedy_tokens(const Tensor& logits, std::size_t at) {
    const std::size_t rows = logits.size(0), seq = logits.size(1), vocab = logits.size(2);
    const auto scores = logits.values();
    std::vector<std::int64_t> tokens;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto first = scores.begin() + static_cast<std::ptrdiff_t>((row * seq + at) * vocab);
        tokens.push_back(std::max_element(first, first + static_cast<std::ptrdiff_t>(vocab)) - first);
    }
    return tokens;
}

}  // namespace

DateReader::DateReader(std::size_t layers, std::size_t heads, Rng& rng)
    : model(date_reader_config(layers, heads), rng) {}

Ids DateReader::sources_of(const std::vector<std::string>& texts) {
    Ids sources = Ids::from_shape({texts.size(), source_length});
    sources.fill(pad_id);
    for (std::size_t row = 0; row < texts.size(); ++row) {
        const std::vector<std::int64_t> ids = date_text_ids(texts[row]);
        std::copy(ids.begin(), ids.end(), sources.data() + row * source_length);
    }
    return sources;
}

Example DateReader::example_of(const WrittenDate& date) {
    const std::vector<std::int64_t> answer = date_ids(date.answer);
    Example example{{start_id}, answer, date_text_ids(date.text)};
    example.input.insert(example.input.end(), answer.begin(), answer.end() - 1);
    return example;
}

Tensor DateReader::logits(const Batch& batch, Rng* rng) const {
    return model(batch.source.value(), batch.inputs, {.rng = rng}).logits;
}

DateReading read_dates(const DateReader& reader, const std::vector<std::string>& texts) {
    const NoGrad no_grad;
    const Memory memory = reader.model.encode(DateReader::sources_of(texts));
    DateReading reading{std::vector<std::string>(texts.size()), {}};
    Ids target = Ids::from_shape({texts.size(), DateReader::answer_length});
    std::fill(target.begin(), target.end(), DateReader::start_id);
    for (std::size_t i = 0; i < DateReader::answer_length; ++i) {
        // The positions after i are not written yet; the causal mask hides them.
        const TransformerOutput output = reader.model.decode(target, memory, with_weights);
        const std::vector<std::int64_t> tokens = greedy_tokens(output.logits, i);
        for (std::size_t row = 0; row < texts.size(); ++row) {
            reading.answers[row] += date_character(tokens[row]);
            if (i + 1 < DateReader::answer_length) target(row, i + 1) = tokens[row];
        }
        reading.cross_weights = output.cross_weights;
    }
    return reading;
}

void save_date_reader(const DateReader& reader, const std::filesystem::path& file,
                      std::map<std::string, std::string> metadata) {
    metadata["layers"] = std::to_string(reader.model.config.num_layers);
    metadata["heads"] = std::to_string(reader.model.config.block.num_heads);
    save_safetensors(file, reader.parameters(), metadata, Precision::f16);
}

DateReader load_date_reader(const std::filesystem::path& file) { return load_date_model<DateReader>(file); }

}  // namespace tfs
