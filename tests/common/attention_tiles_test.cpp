// tests/common/attention_tiles_test.cpp · attention in tiles: the numbers of plain loops in double precision, whatever is hidden
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "common/base/parallel.hpp"
#include "common/base/rng.hpp"
#include "common/kernels/attention_tiles.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

using kernels::AttentionTiles, kernels::Sight, kernels::tile_keys;
using Sees = std::function<bool(std::size_t query, std::size_t key)>;

struct TileInputs {
    AttentionTiles tiles;
    Array q, k, v, upstream;

    TileInputs(std::size_t heads, std::size_t query, std::size_t key, std::size_t d_k, std::size_t d_v,
               const Sees& sees)
        : tiles{heads, query, key, d_k, d_v, 1.0f / std::sqrt(static_cast<float>(d_k))} {
        Rng rng(query + 1000 * key);
        q = rng.normal_array({heads, query, d_k});
        k = rng.normal_array({heads, key, d_k});
        v = rng.normal_array({heads, key, d_v});
        upstream = rng.normal_array({heads, query, d_v});
        std::vector<char> seen;
        for (std::size_t i = 0; i < query; ++i)
            for (std::size_t j = 0; j < key; ++j) seen.push_back(sees(i, j));
        tiles.sight = [=](std::size_t row, std::size_t rows, std::size_t first, std::size_t keys) {
            Sight sight{0, true};
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t j = 0; j < keys; ++j) {
                    const char one = seen.data()[(row + r) % query * key + first + j];
                    if (one && sight.keys <= j) sight.keys = j + 1;
                    sight.all = sight.all && one;
                }
            return sight;
        };
        tiles.adjust_scores = [=](std::size_t row, std::size_t rows, std::size_t first, std::size_t keys,
                                  float* scores, std::size_t row_step) {
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t j = 0; j < keys; ++j)
                    if (!seen.data()[(row + r) % query * key + first + j])
                        scores[r * row_step + j] = -INFINITY;
        };
    }
};

struct TileResults {
    Array output, dq, dk, dv;
    std::size_t computed = 0;
};

TileResults in_tiles(const TileInputs& x) {
    TileResults r{Array::from_shape(x.upstream.shape()), Array::from_shape(x.q.shape()),
                  Array::from_shape(x.k.shape()), Array::from_shape(x.v.shape())};
    std::vector<float> log_sums(x.tiles.heads * x.tiles.query);
    r.computed = kernels::attention_forward(x.tiles, x.q.data(), x.k.data(), x.v.data(), r.output.data(),
                                            log_sums.data());
    kernels::attention_backward(x.tiles, x.q.data(), x.k.data(), x.v.data(), r.output.data(), log_sums.data(),
                                x.upstream.data(), r.dq.data(), r.dk.data(), r.dv.data());
    return r;
}

// What falls on a weight where a test says so.
float factor_of(std::size_t row, std::size_t key) { return (3 * row + key) % 4 == 0 ? 0.0f : 1.25f; }

// The definition, with all weights of a row: p = softmax(scale q k), ds = p (m dO v - sum(dO output)).
// Of output and dq every so many rows; dk and dv need all of them. By pointers, because an index that is checked takes most of the time.
TileResults in_loops(const TileInputs& x, const Sees& sees, std::size_t every = 1) {
    const auto& [heads, query, key, d_k, d_v, scale, sight, scores, always, weights] = x.tiles;
    TileResults r{xt::zeros<float>(x.upstream.shape()), xt::zeros<float>(x.q.shape()),
                  xt::zeros<float>(x.k.shape()), xt::zeros<float>(x.v.shape())};
    xt::xarray<double> dk = xt::zeros<double>(x.k.shape()), dv = xt::zeros<double>(x.v.shape());
    const auto dot = [](const float* a, const float* b, std::size_t width) {
        double sum = 0.0;
        for (std::size_t c = 0; c < width; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
        return sum;
    };
    const auto add = [](double* sum, double factor, const float* row, std::size_t width) {
        for (std::size_t c = 0; c < width; ++c) sum[c] += factor * static_cast<double>(row[c]);
    };
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = every - 1; i < query; i += every) {
            const float *q = &x.q(h, i, 0), *d_output = &x.upstream(h, i, 0);
            std::vector<double> p(key), ds(key), output(d_v), dq(d_k);
            double largest = -INFINITY, sum = 0.0, along = 0.0;
            for (std::size_t j = 0; j < key; ++j) {
                p[j] = sees(i, j) ? dot(q, &x.k(h, j, 0), d_k) * static_cast<double>(scale) : -INFINITY;
                largest = std::max(largest, p[j]);
            }
            if (largest == -INFINITY) continue;
            for (double& one : p) sum += one = std::exp(one - largest);
            for (std::size_t j = 0; j < key; ++j) {
                p[j] /= sum;
                const double m = weights ? static_cast<double>(factor_of(h * query + i, j)) : 1.0;
                ds[j] = m * dot(d_output, &x.v(h, j, 0), d_v);
                add(output.data(), m * p[j], &x.v(h, j, 0), d_v);
                add(&dv(h, j, 0), m * p[j], d_output, d_v);
                along += p[j] * ds[j];
            }
            for (std::size_t j = 0; j < key; ++j) {
                const double d = static_cast<double>(scale) * p[j] * (ds[j] - along);
                add(dq.data(), d, &x.k(h, j, 0), d_k);
                add(&dk(h, j, 0), d, q, d_k);
            }
            for (std::size_t c = 0; c < d_v; ++c) r.output(h, i, c) = static_cast<float>(output[c]);
            for (std::size_t c = 0; c < d_k; ++c) r.dq(h, i, c) = static_cast<float>(dq[c]);
        }
    r.dk = xt::cast<float>(dk);
    r.dv = xt::cast<float>(dv);
    return r;
}

void expect_same(const TileResults& tiles, const TileResults& loops) {
    EXPECT_TRUE(close(Tensor(tiles.output), Tensor(loops.output), {1e-5, 1e-5}));
    EXPECT_TRUE(close(Tensor(tiles.dq), Tensor(loops.dq), {1e-5, 1e-5}));
    EXPECT_TRUE(close(Tensor(tiles.dk), Tensor(loops.dk), {1e-5, 1e-5}));
    EXPECT_TRUE(close(Tensor(tiles.dv), Tensor(loops.dv), {1e-5, 1e-5}));
}

const Sees sees_all = [](std::size_t, std::size_t) { return true; };
const Sees sees_earlier = [](std::size_t i, std::size_t j) { return j <= i; };

TEST(attention_in_tiles, has_the_numbers_of_plain_loops_whatever_is_hidden_and_whatever_the_lengths) {
    const std::pair<const char*, Sees> kinds[] = {
        {"everything", sees_all},
        {"causal", sees_earlier},
        {"a window", [](std::size_t i, std::size_t j) { return j <= i && i < j + 30; }},
        {"a window far ahead", [](std::size_t i, std::size_t j) { return j >= i + 70 && j < i + 170; }},
        {"with gaps", [](std::size_t i, std::size_t j) { return (i * 7 + j * 5) % 11 < 4; }},
        {"some rows see nothing", [](std::size_t i, std::size_t j) { return i % 5 != 2 && j <= i; }},
        {"nothing", [](std::size_t, std::size_t) { return false; }}};
    struct Size {
        std::size_t heads, query, key, d_k, d_v;
    };
    for (const auto& [heads, query, key, d_k, d_v] : {Size{1, 1, 1, 1, 1},
                                                      {2, 1, 200, 16, 16},
                                                      {2, 97, 1, 3, 5},
                                                      {2, 30, 129, 20, 16},
                                                      {1, 100, 257, 32, 33}})
        for (const auto& [name, sees] : kinds) {
            SCOPED_TRACE(
                fmt::format("{} queries, {} keys, widths {} and {}, {}", query, key, d_k, d_v, name));
            const TileInputs x(heads, query, key, d_k, d_v, sees);
            expect_same(in_tiles(x), in_loops(x, sees));
        }
}

TEST(attention_in_tiles, has_the_numbers_of_plain_loops_also_of_thousands_of_keys) {
    for (const auto& [query, key] : {std::pair(2048u, 2048u), {208u, 8192u}}) {
        const Sees sees = [a = query, b = key](std::size_t i, std::size_t j) { return j * a <= i * b; };
        const TileInputs x(1, query, key, 16, 16, sees);
        const std::size_t every = query / 16;
        const TileResults tiles = in_tiles(x), loops = in_loops(x, sees, every);
        SCOPED_TRACE(fmt::format("{} queries, {} keys", query, key));
        for (std::size_t i = every - 1; i < query; i += every)
            for (std::size_t c = 0; c < 16; ++c) {
                EXPECT_NEAR(tiles.output(0, i, c), loops.output(0, i, c), 1e-5);
                EXPECT_NEAR(tiles.dq(0, i, c), loops.dq(0, i, c), 1e-5);
            }
    }
}

TEST(attention_in_tiles, computes_no_tile_of_which_nothing_is_seen) {
    constexpr std::size_t length = 5 * tile_keys;
    const std::size_t blocks = (length + kernels::tile_queries - 1) / kernels::tile_queries;
    EXPECT_EQ(in_tiles({1, length, length, 16, 16, sees_all}).computed, 5 * blocks);
    std::size_t seen = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t last = std::min(length, (block + 1) * kernels::tile_queries) - 1;
        seen += last / tile_keys + 1;
    }
    EXPECT_EQ(in_tiles({1, length, length, 16, 16, sees_earlier}).computed, seen);
}

TEST(attention_in_tiles, is_the_same_to_the_bit_for_any_number_of_threads) {
    const TileInputs x(3, 300, 300, 24, 24, sees_earlier);
    const auto with = [&](int threads) {
        const Threads some(threads);
        return in_tiles(x);
    };
    const TileResults one = with(1), four = with(4);
    EXPECT_TRUE(one.output == four.output && one.dq == four.dq && one.dk == four.dk && one.dv == four.dv);
}

TEST(attention_in_tiles, a_score_far_above_the_others_does_not_overflow) {
    TileInputs x(1, 100, 300, 16, 16, sees_all);
    x.k *= 300.0f;
    const TileResults tiles = in_tiles(x), loops = in_loops(x, sees_all);
    // Scores of several thousand are rounded to 3e-4, and so are the exponents.
    EXPECT_TRUE(close(Tensor(tiles.output), Tensor(loops.output), {1e-3, 1e-4}));
}

// From tile to tile by more than is computed with a stale shift, and by less.
TEST(attention_in_tiles, scores_that_rise_from_key_to_key_are_weighed_as_the_others) {
    for (const float rise : {0.01f, 0.04f, 0.3f}) {
        TileInputs x(1, 100, 3 * tile_keys + 5, 16, 16, sees_all);
        for (std::size_t i = 0; i < 100; ++i) x.q(0, i, 0) = 4.0f;  // beside the scale 1/4
        for (std::size_t j = 0; j < x.tiles.key; ++j) x.k(0, j, 0) = rise * static_cast<float>(j);
        const TileResults tiles = in_tiles(x), loops = in_loops(x, sees_all);
        SCOPED_TRACE(fmt::format("a rise of {} a key", rise));
        EXPECT_TRUE(close(Tensor(tiles.output), Tensor(loops.output), {1e-5, 3e-5}));
        EXPECT_TRUE(close(Tensor(tiles.dq), Tensor(loops.dq), {1e-4, 1e-4}));
        EXPECT_TRUE(close(Tensor(tiles.dk), Tensor(loops.dk), {1e-4, 1e-4}));
        EXPECT_TRUE(close(Tensor(tiles.dv), Tensor(loops.dv), {1e-5, 3e-5}));
    }
}

TEST(attention_in_tiles, weights_may_be_multiplied_after_the_softmax) {
    TileInputs x(2, 100, 257, 20, 16, sees_earlier);
    x.tiles.adjust_weights = [](std::size_t row, std::size_t rows, std::size_t key, std::size_t keys,
                                float* weights, std::size_t row_step) {
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t j = 0; j < keys; ++j) weights[r * row_step + j] *= factor_of(row + r, key + j);
    };
    expect_same(in_tiles(x), in_loops(x, sees_earlier));
}

}  // namespace
}  // namespace tfs::test
