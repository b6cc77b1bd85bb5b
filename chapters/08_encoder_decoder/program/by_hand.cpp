// chapters/08_encoder_decoder/program/by_hand.cpp · means over what each kind of attention may see: the lesson's example
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

// Attention whose scores are all 0: every query takes the mean of the values that it may see.
//   values (1, 1, key, 1) -> (1, 1, query, 1)
Tensor means(const Tensor& values, std::size_t queries, const std::optional<Mask>& mask) {
    const std::size_t keys = values.size(2);
    const Tensor q = Tensor::zeros({1, 1, queries, 1}), k = Tensor::zeros({1, 1, keys, 1});
    return scaled_dot_product_attention(q, k, values, mask).output;
}

// "0, 1.5, 4.33"
std::string listed(const Tensor& values) {
    std::vector<std::string> numbers;
    for (const float value : values.values()) numbers.push_back(format(value, significant(3)));
    return fmt::format("{}", fmt::join(numbers, ", "));
}

// The last value of the source is `last`.
std::vector<std::string> column_for(float last) {
    const Tensor source = Tensor::from({1, 1, 3, 1}, {0.0f, 6.0f, last});
    const auto encoder = self_attention_mask(StackKind::encoder, 3);
    const auto decoder = self_attention_mask(StackKind::decoder, 3);
    const Tensor back = means(source, 3, decoder);
    return {listed(source), listed(means(source, 3, encoder)), listed(back), listed(means(back, 3, decoder)),
            listed(means(source, 2, std::nullopt))};
}

Report show_means(const Request&) {
    const std::vector<std::string> names{"values of the source", "encoder: all words",
                                         "decoder: words so far", "  the same once more",
                                         "cross: 2 target words"};
    const std::vector<std::string> first = column_for(12.0f), second = column_for(24.0f);
    Table table{.columns = {{""}, {"with 12"}, {"with 24"}}};
    for (std::size_t i = 0; i < names.size(); ++i) table.add({names[i], first[i], second[i]});
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand: each word takes the mean of what it may see", show_means}};
}

}  // namespace tfs
