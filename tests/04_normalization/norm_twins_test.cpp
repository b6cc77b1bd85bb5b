// tests/04_normalization/norm_twins_test.cpp · puzzle norm_twins: what the norms see of the two pairs
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "common/measure/measures.hpp"
#include "tests/04_normalization/checklist.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr double equal = 1e-5, apart = 0.1;

double difference(const Tensor& a, const Tensor& b) { return largest_difference(a.array(), b.array()); }

// How far apart a norm leaves the two rows. With eps 0: what it would be for rows of any size.
double after_layer_norm(const RowPair& pair, float eps = 1e-5f) {
    return difference(normalised(pair.first, eps), normalised(pair.second, eps));
}
double after_rms_norm(const RowPair& pair, float eps = 1e-6f) {
    return difference(pair.first / rms_of(pair.first, eps), pair.second / rms_of(pair.second, eps));
}

bool is_a_row(const Tensor& x) {
    return x.rank() == 1 && x.size() >= 2 && x.size() <= 16 &&
           std::all_of(x.values().begin(), x.values().end(),
                       [](float value) { return std::isfinite(value); });
}
bool are_rows(const RowPair& pair) {
    return is_a_row(pair.first) && is_a_row(pair.second) && pair.first.size() == pair.second.size();
}

// Why a norm tells apart two rows that it should not, where it can be said.
std::string why_told_apart(const RowPair& pair, double (*after)(const RowPair&, float)) {
    const RowPair mirrored{pair.first, pair.second * -1.0f};
    const bool small = after(pair, 0.0f) <= equal;
    return likely_if(small, "the rows are so small that eps counts; larger numbers will do") +
           likely_if(!small && after(mirrored, 1e-6f) <= equal,
                     "the sign is turned: dividing by a deviation or a root mean square keeps the sign");
}

TEST(norm_twins, are_two_pairs_of_different_rows) {
    const NormTwins twins = norm_twins();
    for (const auto& [name, pair] :
         {std::pair{"for_layer_norm", twins.for_layer_norm}, std::pair{"for_both", twins.for_both}}) {
        ASSERT_TRUE(are_rows(pair)) << name << ": shapes " << to_string(pair.first.shape()) << " and "
                                    << to_string(pair.second.shape())
                                    << "; both must be (d_model), with 2 to 16 finite features";
        const double differ = difference(pair.first, pair.second);
        EXPECT_GE(differ, apart) << name
                                 << likely_if(differ < apart,
                                              "the two rows are the same row; nothing can tell them apart");
        for (const Tensor& row : {pair.first, pair.second}) {
            const float deviation = deviation_of(row, 0.0f).item();
            EXPECT_GE(deviation, apart)
                << name
                << likely_if(deviation < apart,
                             "a row is constant, or nearly: LayerNorm leaves only beta of it");
        }
    }
}

TEST(norm_twins, layer_norm_cannot_tell_the_first_pair_apart) {
    const RowPair pair = norm_twins().for_layer_norm;
    if (!are_rows(pair)) GTEST_SKIP() << "rows come first";
    EXPECT_LE(after_layer_norm(pair), equal) << why_told_apart(pair, after_layer_norm);
}

TEST(norm_twins, rms_norm_can_tell_the_first_pair_apart) {
    const RowPair pair = norm_twins().for_layer_norm;
    if (!are_rows(pair)) GTEST_SKIP() << "rows come first";
    const double after = after_rms_norm(pair);
    EXPECT_GE(after, apart) << likely_if(
        after < apart && difference(pair.first, pair.second) >= apart,
        "the second row is the first one stretched, or nearly: RMSNorm forgets this, too");
}

TEST(norm_twins, neither_can_tell_the_second_pair_apart) {
    const RowPair pair = norm_twins().for_both;
    if (!are_rows(pair)) GTEST_SKIP() << "rows come first";
    const double layer = after_layer_norm(pair), root = after_rms_norm(pair);
    EXPECT_LE(layer, equal) << "after LayerNorm" << why_told_apart(pair, after_layer_norm);
    EXPECT_LE(root, equal) << "after RMSNorm"
                           << (layer <= equal
                                   ? likely_if(root > 1e-3,
                                               "the second row is a shifted one: RMSNorm sees the shift")
                                   : why_told_apart(pair, after_rms_norm));
}

}  // namespace
}  // namespace tfs::test
