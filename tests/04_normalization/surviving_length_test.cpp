// tests/04_normalization/surviving_length_test.cpp · puzzle surviving_length: is each length read within 1 % after the norm?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "chapters/04_normalization/normalization.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

bool is_a_reader(const LengthReader& reader) {
    const Shape& shape = reader.weight.shape();
    const auto finite = [](float value) { return std::isfinite(value); };
    if (shape.size() != 1 || shape[0] < 2 || shape[0] > 16) return false;
    for (const Tensor* part : {&reader.weight, &reader.bias, &reader.readout})
        if (part->shape() != shape || !std::all_of(part->values().begin(), part->values().end(), finite))
            return false;
    return true;
}

// Of one row.
double deviation(const Tensor& row) { return std::sqrt(double{variance(row, -1).item()}); }

std::vector<float> lengths() {
    std::vector<float> all;
    for (float length = 1.0f; length <= longest_length; length += 0.5f) all.push_back(length);
    return all;
}

// What three lengths are read as, and of it what does not depend on the size of the numbers: that tells answers apart.
std::string what_is_read(const LengthReader& reader) {
    const float one = read_length(reader, 1.0f), ten = read_length(reader, 10.0f),
                most = read_length(reader, longest_length);
    const float unit = std::abs(one) > 1e-4f ? std::abs(one) : 1.0f;
    const auto is = [](bool it) { return it ? 1.0f : 0.0f; };
    const Tensor kind =
        Tensor::from({9}, {is(std::abs(one - 1.0f) <= 0.01f), is(reader.weight.size() == 2),
                           is(deviation(reader.weight) > 0.0),
                           is(sum(reader.bias * reader.bias).item() > 0.0f), is(deviation(reader.bias) > 0.0),
                           is(std::abs(sum(reader.readout * reader.weight).item()) > 1e-4f), one / unit,
                           ten / unit, most / unit});
    return fmt::format("1, 10 and {} are read as {:.4g}, {:.4g} and {:.4g}", longest_length, one, ten, most) +
           came(kind.array(), {0.01, 0.01});
}

TEST(surviving_length, has_three_rows_of_the_same_size) {
    const LengthReader reader = surviving_length();
    const bool same =
        reader.bias.shape() == reader.weight.shape() && reader.readout.shape() == reader.weight.shape();
    EXPECT_TRUE(is_a_reader(reader))
        << fmt::format(
               "weight {}, bias {} and readout {} must have the same 2 to 16 features, and finite numbers",
               to_string(reader.weight.shape()), to_string(reader.bias.shape()),
               to_string(reader.readout.shape()))
        << came(same ? "numbers" : "sizes");
}

TEST(surviving_length, gets_no_help_from_eps) {
    const LengthReader reader = surviving_length();
    if (!is_a_reader(reader)) GTEST_SKIP() << "three rows of the same size come first";
    double smallest = 1e9;
    for (const float length : lengths())
        smallest = std::min(smallest, deviation(reader.weight * length + reader.bias));
    EXPECT_GE(smallest, 0.1) << "the smallest standard deviation of a row" << came("small rows");
}

TEST(surviving_length, reads_each_length_within_one_percent_after_the_norm) {
    const LengthReader reader = surviving_length();
    if (!is_a_reader(reader)) GTEST_SKIP() << "three rows of the same size come first";
    double worst = 0.0;
    for (const float length : lengths())
        worst = std::max(worst, std::abs(double{read_length(reader, length)} - length) / length);
    EXPECT_LE(worst, 0.01) << "the largest error, as a share of the length: " << what_is_read(reader);
}

}  // namespace
}  // namespace tfs::test
