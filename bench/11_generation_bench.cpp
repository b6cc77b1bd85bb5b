// bench/11_generation_bench.cpp · one more token with the keys and values kept, beside a plain read of the weights; the prompt
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/table.hpp"
#include "chapters/07_block/cost.hpp"
#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "chapters/11_generation/generation.hpp"
#include "common/kernels/lane_sums.hpp"

// As in tensor_bench.cpp.
extern "C" void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                            const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);

namespace tfs::bench {

namespace {

constexpr std::size_t prompt = 256, room = prompt + 1;

// GPT-2 small with weights drawn at random: 0.5 GB.
struct Writer {
    TransformerConfig config = preset("gpt2");
    Rng rng{1};
    Transformer model{config, rng};
    KeyValueCache cache{room};
    std::vector<Tensor> parameters;  // what a token reads of the model: all but the table of positions

    Writer() {
        for (const auto& [name, tensor] : model.parameters())
            if (tensor.shape() != Shape{config.max_len(), config.block.d_model}) parameters.push_back(tensor);
    }

    void keep_first(std::size_t positions) {
        const std::size_t there = cache.next_position().largest();
        if (there > positions) cache.drop({there - positions});
    }

    void write(std::size_t positions) {
        const NoGrad no_grad;
        const std::size_t before = cache.next_position().largest();
        Ids ids = Ids::from_shape({1, positions});
        for (std::size_t i = 0; i < positions; ++i) ids(0, i) = static_cast<std::int64_t>(before + i) * 19;
        keep(model(ids, {.offset = before, .earlier = &cache}).logits.values().data());
    }

    // The token after `earlier` positions.
    void write_after(std::size_t earlier) {
        keep_first(earlier);
        const std::size_t there = cache.next_position().largest();
        if (there < earlier) write(earlier - there);
        write(1);
    }
};

// The sum of all that a token reads, by both threads. It reads four streams of addresses at once, as the fastest of the ways
// that were tried: 27 GB/s where one stream gave 22.
float plain_read(const std::vector<Tensor>& all) {
    constexpr std::size_t streams = 4, piece = 1 << 15;
    float total = 0.0f;
#pragma omp parallel reduction(+ : total)
    for (const Tensor& x : all) {
        const float* const values = x.values().data();
        const std::size_t whole = x.size() / piece;
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < whole; ++i) {
            const float* const first = values + i * piece;
            total += kernels::lane_sum(piece / streams, [=](std::size_t j) {
                return (first[j] + first[j + piece / streams]) +
                       (first[j + 2 * piece / streams] + first[j + 3 * piece / streams]);
            });
        }
#pragma omp single nowait
        total += kernels::lane_sum(x.size() - whole * piece,
                                   [=](std::size_t j) { return values[whole * piece + j]; });
    }
    return total;
}

// All products of a pass over `seq` positions, in full, also where the causal mask makes half of the scores superfluous.
double prefill_flops(const TransformerConfig& config, std::size_t seq) {
    const std::size_t block =
        attention_flops(config.block, 1, seq, seq).total() + feed_forward_flops(config.block, 1, seq);
    return static_cast<double>(config.num_layers * block +
                               2 * seq * config.block.d_model * config.vocab_size);
}

void add_sgemm_line(Table& table, const std::string& name) {
    constexpr std::size_t m = 256, k = 768, n = 3072;
    Rng rng(0);
    const Tensor a(rng.normal_array({m, k})), b(rng.normal_array({k, n}));
    table.add({.name = name, .amount = 2.0 * m * k * n}, [a, b, c = std::vector<float>(m * n)]() mutable {
        cblas_sgemm(101, 111, 111, m, n, k, 1.0f, a.values().data(), k, b.values().data(), n, 0.0f, c.data(),
                    n);
        keep(c.data());
    });
}

}  // namespace

void add_generation_lines(Table& table) {
    const TransformerConfig config = preset("gpt2");
    const auto shared = std::make_shared<std::unique_ptr<Writer>>();  // made when the first line needs it
    const auto writer = [shared]() -> Writer& {
        if (!*shared) *shared = std::make_unique<Writer>();
        return **shared;
    };
    // A token reads every parameter but the table of positions, of which it takes a row. The table of the tokens counts once: it
    // is read for the logits. What is kept of earlier positions does not count; after 256 it is 4 % more.
    const TransformerParameters count = transformer_parameters(config);
    const double bytes = sizeof(float) * static_cast<double>(count.total() - count.positions);
    const std::string read = std::string(plain_read_line) + ", GPT-2 small",
                      product = "sgemm 256 x 768 x 3072";
    table.add({.name = read, .amount = bytes, .work = Work::bytes}, [writer] {
        const float total = plain_read(writer().parameters);
        keep(&total);
    });
    for (const std::size_t earlier : {std::size_t{32}, prompt}) {
        table.add({.name = fmt::format("token, GPT-2 small, after {}", earlier),
                   .amount = bytes,
                   .work = Work::bytes,
                   .baseline = read,
                   .goal = 0.80},
                  [writer, earlier] { writer().write_after(earlier); });
    }
    add_sgemm_line(table, product);
    table.add({.name = fmt::format("prefill, GPT-2 small, {} tokens", prompt),
               .amount = prefill_flops(config, prompt),
               .baseline = product,
               .goal = 0.80},
              [writer] {
                  writer().keep_first(0);
                  writer().write(prompt);
              });
}

}  // namespace tfs::bench
