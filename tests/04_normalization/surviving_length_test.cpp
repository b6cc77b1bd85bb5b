// tests/04_normalization/surviving_length_test.cpp · puzzle surviving_length: is each length read within 1 % after the norm?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/04_normalization/checklist.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr double smallest_deviation = 0.1;

bool is_a_reader(const LengthReader& reader) {
    const Shape& shape = reader.weight.shape();
    if (shape.size() != 1 || shape[0] < 2 || shape[0] > 16) return false;
    for (const Tensor* part : {&reader.weight, &reader.bias, &reader.readout}) {
        if (part->shape() != shape) return false;
        if (!std::all_of(part->values().begin(), part->values().end(),
                         [](float value) { return std::isfinite(value); }))
            return false;
    }
    return true;
}

std::vector<float> lengths() {
    std::vector<float> all;
    for (float length = 1.0f; length <= longest_length; length += 0.5f) all.push_back(length);
    return all;
}

// In double, from the three vectors alone: no check of this step needs layer_norm.
double read_by(const LengthReader& reader, double length, double eps = 1e-5) {
    const std::size_t features = reader.weight.size();
    const auto entry = [&](std::size_t i) {
        return length * double{reader.weight.values()[i]} + double{reader.bias.values()[i]};
    };
    double mean = 0.0, variance = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < features; ++i) mean += entry(i) / static_cast<double>(features);
    for (std::size_t i = 0; i < features; ++i)
        variance += std::pow(entry(i) - mean, 2) / static_cast<double>(features);
    for (std::size_t i = 0; i < features; ++i)
        sum += double{reader.readout.values()[i]} * (entry(i) - mean) / std::sqrt(variance + eps);
    return sum;
}

double deviation_at(const LengthReader& reader, float length) {
    return std::sqrt(variance_of(reader.weight * length + reader.bias).item());
}

// Why a length is read wrongly, where it can be said.
std::string why_off(const LengthReader& reader) {
    const double one = read_by(reader, 1.0), ten = read_by(reader, 10.0),
                 most = read_by(reader, longest_length);
    const double small = one,
                 hundredth = ten / 10.0;  // of a reading in proportion to the length they are equal
    const bool two =
        reader.weight.size() == 2;  // then the norm leaves (1, -1) or (-1, 1), whatever stays the same
    const bool removed = sum(reader.bias * reader.bias).item() > 0.0f &&
                         variance_of(reader.bias).item() < 1e-6f * mean_of(reader.bias * reader.bias).item();
    // read = slope * length + offset
    const double slope = (most - one) / (longest_length - 1.0), offset = one - slope;
    const bool shifted = std::abs(ten - one - 9.0 * slope) <= 0.05 * std::abs(9.0 * slope) &&
                         std::abs(offset) > 0.1 * std::abs(slope);
    const bool same = std::abs(most - one) <= 0.02 * std::abs(one);
    const bool constant = deviation_at({reader.weight, reader.weight * 0.0f, reader.readout}, 1.0f) < 1e-6;
    const bool turned = std::abs(one + 1.0) <= 0.01;
    const bool scaled =
        one > 0.0 && std::abs(ten / one - 10.0) <= 0.1 && std::abs(most / one - longest_length) <= 1.0;
    const bool saturates =
        std::abs(one - 1.0) <= 0.01 && most < 0.99 * longest_length && most > 0.0 && small >= hundredth;
    return likely_if(constant,
                     "no feature depends on the length, but for a shift of the whole row: the norm takes "
                     "that away") +
           likely_if(two,
                     "of two features LayerNorm leaves (1, -1) or (-1, 1), whatever they are: take more") +
           likely_if(removed && !constant,
                     "the bias is the same in all features: the norm takes their mean away, and with it the "
                     "bias") +
           likely_if(shifted,
                     fmt::format("what is read is in proportion to the length, but for a number that stays "
                                 "the same, {:.4g}: it "
                                 "comes from the bias, through the mean that the norm takes away, or through "
                                 "the readout",
                                 offset)) +
           likely_if(same && !constant && !two && !removed,
                     "each length is read as the same number: where the row is only stretched, LayerNorm "
                     "forgets by "
                     "how much; what of the row could stay, whatever the length is?") +
           likely_if(turned, "the sign is turned: a length of 1 is read as -1") +
           likely_if(!turned && scaled && std::abs(one - 1.0) > 0.01,
                     "what is read is in proportion to the length, but by the wrong factor: what does the "
                     "norm divide "
                     "by, and does the readout multiply by it?") +
           likely_if(saturates && !same,
                     "short lengths are right, and long ones are read as too short: there the length itself "
                     "makes the "
                     "deviation larger");
}

TEST(surviving_length, has_three_rows_of_the_same_size) {
    const LengthReader reader = surviving_length();
    ASSERT_TRUE(is_a_reader(reader)) << fmt::format(
        "weight {}, bias {} and readout {} must have the same 2 to 16 features, and finite numbers",
        to_string(reader.weight.shape()), to_string(reader.bias.shape()), to_string(reader.readout.shape()));
}

TEST(surviving_length, gets_no_help_from_eps) {
    const LengthReader reader = surviving_length();
    if (!is_a_reader(reader)) GTEST_SKIP() << "three rows of the same size come first";
    for (const float length : lengths()) {
        const double deviation = deviation_at(reader, length);
        ASSERT_GE(deviation, smallest_deviation)
            << "the standard deviation of the row of length " << length
            << likely_if(true,
                         "the rows are so small that eps counts: it would take the place of what must stay; "
                         "larger numbers will do");
    }
}

TEST(surviving_length, reads_each_length_within_one_percent_after_the_norm) {
    const LengthReader reader = surviving_length();
    if (!is_a_reader(reader)) GTEST_SKIP() << "three rows of the same size come first";
    for (const float length : lengths()) {
        const double read = read_length(reader, length);
        ASSERT_LE(std::abs(read - length), 0.01 * length)
            << fmt::format("a length of {} is read as {:.4g}", length, read) << why_off(reader);
    }
}

}  // namespace
}  // namespace tfs::test
