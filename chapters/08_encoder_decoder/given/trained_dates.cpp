// chapters/08_encoder_decoder/given/trained_dates.cpp · an encoder-decoder that chapter 10 trained to read dates, given
#include "chapters/08_encoder_decoder/given/trained_dates.hpp"

#include <algorithm>
#include <cmath>

#include "chapters/08_encoder_decoder/given/date_characters.hpp"

namespace tfs {

namespace {

StackConfig date_stack(std::size_t layers, std::size_t heads) {
    return {.block = {.d_model = date_width, .num_heads = heads, .d_ff = 4 * date_width},
            .num_layers = layers};
}

Ids one_row(const std::vector<std::int64_t>& ids) {
    Ids row = Ids::from_shape({1, ids.size()});
    std::copy(ids.begin(), ids.end(), row.begin());
    return row;
}

// The id with the largest score at the last position: x (1, seq, d_model).
std::int64_t next_character(const TrainedDates& dates, const Tensor& x) {
    const Tensor scores = linear(slice(x, 1, x.size(1) - 1, x.size(1)), dates.embedding.weight);
    const auto values = scores.values();
    return std::max_element(values.begin(), values.end()) - values.begin();
}

}  // namespace

TrainedDates::TrainedDates(std::size_t layers, std::size_t heads, Rng& rng)
    : embedding(date_characters().size() + first_date_character, date_width, rng),
      positions(date_width, date_text_length),
      model(date_stack(layers, heads), rng) {}

Tensor TrainedDates::embed(const Ids& ids) const {
    return positions(embedding(ids) * std::sqrt(static_cast<float>(date_width)));
}

Parameters TrainedDates::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    append(all, "", model.parameters());
    return all;
}

TrainedDates load_trained_dates(const std::filesystem::path& file) {
    return load_date_model<TrainedDates>(file);
}

DateAnswer read_date(const TrainedDates& dates, const std::string& text) {
    const NoGrad no_grad;
    const Memory memory = dates.model.encode(dates.embed(one_row(date_text_ids(text))));
    DateAnswer written;
    std::vector<std::int64_t> target = {date_start_id};
    while (written.answer.size() < date_answer_length) {
        written.maps = dates.model.decode(dates.embed(one_row(target)), memory, std::nullopt, with_weights);
        target.push_back(next_character(dates, written.maps.output));
        written.answer += date_character(target.back());
    }
    return written;
}

}  // namespace tfs
