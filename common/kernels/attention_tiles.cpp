// common/kernels/attention_tiles.cpp · products whose sums stay in registers, and the two passes over the tiles
#include "common/kernels/attention_tiles.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "common/kernels/exp.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/lane_sums.hpp"
#include "common/kernels/row_kernels.hpp"

namespace tfs::kernels {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// ---- products -------------------------------------------------------------------------------------------------------

#if defined(__AVX512F__)
constexpr std::size_t in_vector = 16, vectors = 4;  // 6 x 4 sums fill 24 of 32 registers
#elif defined(__AVX__)
constexpr std::size_t in_vector = 8, vectors = 2;  // 6 x 2 sums fill 12 of 16
#else
constexpr std::size_t in_vector = 4, vectors = 2;
#endif
constexpr std::size_t rows_at_once = 6;

using Vector __attribute__((vector_size(4 * in_vector))) = float;

Vector load(const float* from) {  // from anywhere in memory
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
}

// c = a b, or c += a b: a (rows, depth), its entry (i, p) at a[i * row_step + p * step]; b (depth, columns) and c (rows, columns) with
// contiguous rows, of which there are `columns`, a multiple of 16. Each entry is summed in the order of p.
struct TileProduct {
    std::size_t rows, columns, depth;
    std::size_t row_step, step;  // of a
    std::size_t ldb, ldc;
    bool add = false;
};

template <std::size_t rows, std::size_t wide>
void sums_in_registers(const TileProduct& t, const float* a, const float* b, float* c) {
    Vector sums[rows][wide] = {};
    for (std::size_t i = 0; t.add && i < rows; ++i)
        for (std::size_t v = 0; v < wide; ++v) sums[i][v] = load(c + i * t.ldc + v * in_vector);
    for (std::size_t p = 0; p < t.depth; ++p) {
        Vector row[wide];
        for (std::size_t v = 0; v < wide; ++v) row[v] = load(b + p * t.ldb + v * in_vector);
        for (std::size_t i = 0; i < rows; ++i) {
            const float factor = a[i * t.row_step + p * t.step];
            for (std::size_t v = 0; v < wide; ++v) sums[i][v] += factor * row[v];
        }
    }
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t v = 0; v < wide; ++v)
            std::memcpy(c + i * t.ldc + v * in_vector, &sums[i][v], sizeof(Vector));
}

template <std::size_t wide>
void strip(const TileProduct& t, const float* a, const float* b, float* c) {
    std::size_t i = 0;
    for (; i + rows_at_once <= t.rows; i += rows_at_once)
        sums_in_registers<rows_at_once, wide>(t, a + i * t.row_step, b, c + i * t.ldc);
    for (; i < t.rows; ++i) sums_in_registers<1, wide>(t, a + i * t.row_step, b, c + i * t.ldc);
}

void tile_product(const TileProduct& t, const float* a, const float* b, float* c) {
    std::size_t column = 0;
    for (; column + vectors * in_vector <= t.columns; column += vectors * in_vector)
        strip<vectors>(t, a, b + column, c + column);
    for (; column < t.columns; column += in_vector) strip<1>(t, a, b + column, c + column);
}

// ---- what the two passes share --------------------------------------------------------------------------------------

constexpr std::size_t padded(std::size_t width) { return (width + lanes - 1) / lanes * lanes; }

// Rows of `width` floats as rows of padded(width), the rest zeros, each times `scale`.
void copy_padded(const float* from, std::size_t rows, std::size_t width, float scale, float* to) {
    for (std::size_t i = 0; i < rows; ++i, from += width, to += padded(width)) {
#pragma omp simd
        for (std::size_t j = 0; j < width; ++j) to[j] = scale * from[j];
        std::fill(to + width, to + padded(width), 0.0f);
    }
}

// The rows padded; no copy is made where their width is already a multiple of 16.
class PaddedRows {
  public:
    PaddedRows(const float* from, std::size_t rows, std::size_t width) : rows_(from) {
        if (width == padded(width)) return;
        room_ = std::make_unique_for_overwrite<float[]>(rows * padded(width));
        copy_padded(from, rows, width, 1.0f, room_.get());
        rows_ = room_.get();
    }
    [[nodiscard]] const float* row(std::size_t i, std::size_t width) const {
        return rows_ + i * padded(width);
    }

  private:
    std::unique_ptr<float[]> room_;
    const float* rows_;
};

// A tile (width, tile_keys): the keys lie side by side. What stands after padded(keys) of them is not read.
void transpose_tile(const float* from, std::size_t keys, std::size_t width, float* to) {
    for (std::size_t d = 0; d < width; ++d, to += tile_keys) {
        for (std::size_t j = 0; j < keys; ++j) to[j] = from[j * width + d];
        std::fill(to + keys, to + padded(keys), 0.0f);
    }
}

// The room of this thread, handed out piece by piece.
class Scratch {
  public:
    explicit Scratch(std::size_t all) : next_(room_of_thread(all)) {}
    float* take(std::size_t size) { return std::exchange(next_, next_ + size); }
    float* zeros(std::size_t size) {
        std::fill_n(next_, size, 0.0f);
        return take(size);
    }

  private:
    float* next_;
};

std::size_t tiles_of(std::size_t size, std::size_t tile) { return (size + tile - 1) / tile; }

// Some queries of a block, counted in it, and how many keys of a tile they see.
struct Part {
    std::size_t begin, rows, keys;
};

// Computes the scores of a block of queries, from `row` on, with a tile of keys, in rows of tile_keys, and calls body(part): once
// where all is seen, else for a few queries at a time, since early ones may see less than late ones. Whether anything is seen.
template <class Body>
bool for_each_part(const AttentionTiles& a, std::size_t row, std::size_t rows, std::size_t key,
                   const float* q, const float* transposed, float* scores, const Body& body) {
    const auto seen = [&](std::size_t begin, std::size_t count) {
        const std::size_t keys = std::min(tile_keys, a.key - key);
        return a.sight ? a.sight(row + begin, count, key, keys) : Sight{keys, true};
    };
    const Sight of_all = seen(0, rows);
    if (of_all.keys == 0) return false;
    constexpr std::size_t few = 4 * rows_at_once;
    const std::size_t step = of_all.all ? rows : few;
    for (std::size_t begin = 0; begin < rows; begin += step) {
        const std::size_t count = std::min(step, rows - begin);
        const auto [keys, all] = of_all.all ? of_all : seen(begin, count);
        if (keys == 0) continue;
        float* some = scores + begin * tile_keys;
        tile_product({count, padded(keys), a.d_k, padded(a.d_k), 1, tile_keys, tile_keys},
                     q + begin * padded(a.d_k), transposed, some);
        if (a.adjust_scores && (a.always_adjust || !all))
            a.adjust_scores(row + begin, count, key, keys, some, tile_keys);
        body(Part{begin, count, keys});
    }
    return true;
}

// What a row of queries has met so far: the sum of exp(score - shift), in parts that are added at the end. No score is much larger
// than the shift.
struct RunningSum {
    float shift = -infinity, parts[lanes] = {};
};

// The row meets more scores, which become exponentials; `values` is the sum of values so far, weighted by the earlier ones.
void add_scores(float* scores, std::size_t keys, RunningSum& sum, float* values, std::size_t width) {
    float largest = -infinity;
#pragma omp simd reduction(max : largest)
    for (std::size_t j = 0; j < keys; ++j) largest = scores[j] > largest ? scores[j] : largest;
    // A shift that is a little stale saves most of the rescaling; exp(8) is far from too large, unless values are near 1e35.
    constexpr float rise = 8.0f;
    if (largest > sum.shift + rise) {
        const float factor = exp_or_zero(sum.shift - largest);
#pragma omp simd
        for (std::size_t lane = 0; lane < lanes; ++lane) sum.parts[lane] *= factor;
#pragma omp simd
        for (std::size_t c = 0; c < width; ++c) values[c] *= factor;
        sum.shift = largest;
    }
    const float shift = sum.shift == -infinity ? 0.0f : sum.shift;  // exp(-inf - -inf) would be NaN
    const std::size_t whole = keys / lanes * lanes;
    for (std::size_t j = 0; j < whole; j += lanes) {
#pragma omp simd
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sum.parts[lane] += scores[j + lane] = exp_or_zero(scores[j + lane] - shift);
    }
    for (std::size_t j = whole; j < keys; ++j)
        sum.parts[j - whole] += scores[j] = exp_or_zero(scores[j] - shift);
}

// Scores become weights, and their gradients those of the scores.
void weights_and_ds(float* p, float* d, std::size_t keys, float log_sum, float along) {
#pragma omp simd
    for (std::size_t j = 0; j < keys; ++j) {
        p[j] = exp_or_zero(p[j] - log_sum);
        d[j] = p[j] * (d[j] - along);
    }
}

// Padded rows, times `scale`, as rows of `width` from row `first` of `to` on, unless that is null.
void write_rows(const float* sums, std::size_t rows, std::size_t width, float scale, float* to,
                std::size_t first) {
    for (std::size_t i = 0; to != nullptr && i < rows; ++i)
        for (std::size_t c = 0; c < width; ++c)
            to[(first + i) * width + c] = scale * sums[i * padded(width) + c];
}

}  // namespace

std::size_t attention_forward(const AttentionTiles& a, const float* q, const float* k, const float* v,
                              float* output, float* log_sums) {
    const std::size_t tiles = tiles_of(a.key, tile_keys), blocks = tiles_of(a.query, tile_queries);
    const std::size_t tile_size = a.d_k * tile_keys, wide_k = padded(a.d_k), wide_v = padded(a.d_v);
    const auto transposed = std::make_unique_for_overwrite<float[]>(a.heads * tiles * tile_size);
    parallel_products(a.heads * tiles, tile_size, [&](std::size_t i) {
        const std::size_t head = i / tiles, key = i % tiles * tile_keys;
        transpose_tile(k + (head * a.key + key) * a.d_k, std::min(tile_keys, a.key - key), a.d_k,
                       transposed.get() + i * tile_size);
    });
    const PaddedRows values(v, a.heads * a.key, a.d_v);
    std::atomic<std::size_t> computed = 0;
    // Of each head the last block comes first: under a causal mask it takes longest.
    parallel_products(a.heads * blocks, tile_queries * a.key * (a.d_k + a.d_v), [&](std::size_t i) {
        const std::size_t head = i / blocks, first = (blocks - 1 - i % blocks) * tile_queries,
                          row = head * a.query + first, rows = std::min(tile_queries, a.query - first);
        Scratch scratch(tile_queries * (wide_k + tile_keys + wide_v));
        float *scaled = scratch.take(tile_queries * wide_k), *scores = scratch.take(tile_queries * tile_keys),
              *means = scratch.zeros(rows * wide_v);  // not divided yet
        RunningSum sums[tile_queries];
        copy_padded(q + row * a.d_k, rows, a.d_k, a.scale, scaled);
        for (std::size_t key = 0; key < a.key; key += tile_keys) {
            const auto meet = [&](const Part& part) {
                for (std::size_t r = part.begin; r < part.begin + part.rows; ++r)
                    add_scores(scores + r * tile_keys, part.keys, sums[r], means + r * wide_v, wide_v);
                if (a.adjust_weights)
                    a.adjust_weights(row + part.begin, part.rows, key, part.keys,
                                     scores + part.begin * tile_keys, tile_keys);
                tile_product({part.rows, wide_v, part.keys, tile_keys, 1, wide_v, wide_v, true},
                             scores + part.begin * tile_keys, values.row(head * a.key + key, a.d_v),
                             means + part.begin * wide_v);
            };
            const float* k_turned = transposed.get() + (head * tiles + key / tile_keys) * tile_size;
            if (for_each_part(a, row, rows, key, scaled, k_turned, scores, meet)) ++computed;
        }
        for (std::size_t r = 0; r < rows; ++r) {
            const float sum = added_in_halves(sums[r].parts), factor = sum == 0.0f ? 0.0f : 1.0f / sum;
            for (std::size_t c = 0; c < a.d_v; ++c)
                output[(row + r) * a.d_v + c] = factor * means[r * wide_v + c];
            log_sums[row + r] = sum == 0.0f ? infinity : sums[r].shift + std::log(sum);
        }
    });
    return computed;
}

void attention_backward(const AttentionTiles& a, const float* q, const float* k, const float* v,
                        const float* output, const float* log_sums, const float* d_output, float* dq,
                        float* dk, float* dv) {
    const std::size_t wide_k = padded(a.d_k), wide_v = padded(a.d_v);
    const PaddedRows k_rows(k, a.heads * a.key, a.d_k);
    // Head by head: all blocks of queries of a head add to the gradients of its keys.
    parallel_products(a.heads, a.query * a.key * (3 * a.d_k + 2 * a.d_v), [&](std::size_t head) {
        const float *k_head = k + head * a.key * a.d_k, *v_head = v + head * a.key * a.d_v;
        const std::size_t all_keys = tiles_of(a.key, tile_keys) * tile_keys;
        Scratch scratch(all_keys * (a.d_k + a.d_v) + a.key * (wide_k + wide_v) +
                        tile_queries * (2 * wide_k + wide_v + 2 * tile_keys));
        float *k_turned = scratch.take(all_keys * a.d_k), *v_turned = scratch.take(all_keys * a.d_v);
        for (std::size_t key = 0; key < a.key; key += tile_keys) {
            const std::size_t keys = std::min(tile_keys, a.key - key);
            transpose_tile(k_head + key * a.d_k, keys, a.d_k, k_turned + key * a.d_k);
            transpose_tile(v_head + key * a.d_v, keys, a.d_v, v_turned + key * a.d_v);
        }
        float *k_sums = scratch.zeros(a.key * wide_k), *v_sums = scratch.zeros(a.key * wide_v),
              *q_sums = scratch.take(tile_queries * wide_k), *scaled = scratch.take(tile_queries * wide_k),
              *arrived = scratch.take(tile_queries * wide_v),
              *weights = scratch.take(tile_queries * tile_keys), *ds = scratch.take(tile_queries * tile_keys);
        for (std::size_t first = 0; first < a.query; first += tile_queries) {
            const std::size_t row = head * a.query + first, rows = std::min(tile_queries, a.query - first);
            copy_padded(q + row * a.d_k, rows, a.d_k, a.scale, scaled);
            copy_padded(d_output + row * a.d_v, rows, a.d_v, 1.0f, arrived);
            std::fill_n(q_sums, rows * wide_k, 0.0f);
            float along[tile_queries];  // sum(dO output) of each row
            for (std::size_t r = 0; r < rows; ++r) {
                const float *from = output + (row + r) * a.d_v, *d = arrived + r * wide_v;
                along[r] = lane_sum(a.d_v, [=](std::size_t c) { return d[c] * from[c]; });
            }
            for (std::size_t key = 0; key < a.key; key += tile_keys) {
                const auto send_back = [&](const Part& part) {
                    const auto [begin, count, keys] = part;
                    const float *d_output_rows = arrived + begin * wide_v, *q_rows = scaled + begin * wide_k;
                    float *p = weights + begin * tile_keys, *d = ds + begin * tile_keys;
                    tile_product({count, padded(keys), a.d_v, wide_v, 1, tile_keys, tile_keys}, d_output_rows,
                                 v_turned + key * a.d_v, d);
                    if (a.adjust_weights) a.adjust_weights(row + begin, count, key, keys, d, tile_keys);
                    for (std::size_t r = 0; r < count; ++r)
                        weights_and_ds(p + r * tile_keys, d + r * tile_keys, keys, log_sums[row + begin + r],
                                       along[begin + r]);
                    if (a.adjust_weights) a.adjust_weights(row + begin, count, key, keys, p, tile_keys);
                    tile_product({count, wide_k, keys, tile_keys, 1, wide_k, wide_k, true}, d,
                                 k_rows.row(head * a.key + key, a.d_k), q_sums + begin * wide_k);
                    tile_product({keys, wide_v, count, 1, tile_keys, wide_v, wide_v, true}, p, d_output_rows,
                                 v_sums + key * wide_v);
                    tile_product({keys, wide_k, count, 1, tile_keys, wide_k, wide_k, true}, d, q_rows,
                                 k_sums + key * wide_k);
                };
                for_each_part(a, row, rows, key, scaled, k_turned + key * a.d_k, weights, send_back);
            }
            write_rows(q_sums, rows, a.d_k, a.scale, dq, row);
        }
        write_rows(k_sums, a.key, a.d_k, 1.0f, dk, head * a.key);
        write_rows(v_sums, a.key, a.d_v, 1.0f, dv, head * a.key);
    });
}

}  // namespace tfs::kernels
