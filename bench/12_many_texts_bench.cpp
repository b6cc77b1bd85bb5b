// bench/12_many_texts_bench.cpp · one more token with the keys and values kept, beside a plain read of the weights; the prompt
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/race.hpp"
#include "chapters/07_block/cost.hpp"
#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "chapters/12_many_texts/many_texts.hpp"
#include "common/kernels/lane_sums.hpp"

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
        benchmark::DoNotOptimize(model(ids, {.offset = before, .earlier = &cache}).logits.values().data());
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

}  // namespace

void add_generation(Benchmarks& all) {
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
    const Baseline read{"read", "plain read, GPT-2 small"};
    all.push_back({read.name, bytes, "bytes", {}, [writer] {
                       benchmark::DoNotOptimize(plain_read(writer().parameters));
                   }});
    for (const std::size_t earlier : {std::size_t{32}, prompt}) {
        all.push_back(
            {fmt::format("token, GPT-2 small, after {}", earlier), bytes, "bytes", {read}, [writer, earlier] {
                 writer().write_after(earlier);
             }});
    }
    const Baseline product = sgemm(all, 256, 768, 3072);
    all.push_back({fmt::format("prefill, GPT-2 small, {} tokens", prompt),
                   prefill_flops(config, prompt),
                   "FLOP",
                   {product},
                   [writer] {
                       writer().keep_first(0);
                       writer().write(prompt);
                   }});
}

}  // namespace tfs::bench
