// tests/03_positional_encoding/rotary_embedding_test.cpp · the tables of RotaryEmbedding, which are given: PyTorch's values
#include "tests/03_positional_encoding/checklist.hpp"

#include <cmath>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(rotary_embedding, equals_pytorch) {
    const RotaryEmbedding rotary(8, 16), slower(8, 16, 500000.0);
    EXPECT_TRUE(close(rotary.cos, golden()["rotary.cos"], {1e-5, 1e-6}));
    EXPECT_TRUE(close(rotary.sin, golden()["rotary.sin"], {1e-5, 1e-6}));
    EXPECT_TRUE(close(slower.cos, golden()["rotary.theta.cos"], {1e-5, 1e-6}));
    EXPECT_TRUE(close(slower.sin, golden()["rotary.theta.sin"], {1e-5, 1e-6}));
    EXPECT_FALSE(rotary.cos.requires_grad() || rotary.sin.requires_grad());
}

TEST(rotary_embedding, is_right_far_out) {
    const RotaryEmbedding rotary(6, 20001);
    EXPECT_TRUE(right_far_out("cos", slice(rotary.cos, 0, 19997, 20001), golden()["rotary.far.cos"]));
    EXPECT_TRUE(right_far_out("sin", slice(rotary.sin, 0, 19997, 20001), golden()["rotary.far.sin"]));
}

TEST(rotary_embedding, refuses_what_makes_no_table) {
    EXPECT_TRUE(has_shape(RotaryEmbedding(2, 3).sin, {3, 1}));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(7, 16); }, {"7"}, "d_k 7"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 0); }, {}, "max_len 0"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, 0.0); }, {}, "theta 0"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, INFINITY); }, {"inf"}, "theta infinity"));
    EXPECT_TRUE(refuses<ValueError>([] { RotaryEmbedding(8, 16, NAN); }, {"nan"}, "theta NaN"));
    EXPECT_TRUE(refuses<ShapeError>([] { RotaryEmbedding(1ull << 32, 1ull << 32); }, {},
                                    "tables larger than any memory"));
}

}  // namespace
}  // namespace tfs::test
