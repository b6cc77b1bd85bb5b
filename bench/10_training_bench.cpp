// bench/10_training_bench.cpp · a whole step of training: forward, loss, backward, clipping, AdamW
#include <memory>

#include "bench/race.hpp"
#include "chapters/07_block/cost.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs::bench {

namespace {

// A decoder of GPT-2's kind (pre-norm, LayerNorm, GELU by tanh, biases, learned positions, tied output), without dropout.
struct Sizes {
    const char* name;
    std::size_t vocab, seq, d_model, heads, layers, batch;
};

TransformerConfig config_of(const Sizes& sizes) {
    TransformerConfig config = preset("gpt2");
    config.vocab_size = sizes.vocab;
    config.block.max_len = sizes.seq;
    config.num_layers = sizes.layers;
    config.block.d_model = sizes.d_model;
    config.block.num_heads = sizes.heads;
    config.block.d_ff = 4 * sizes.d_model;
    config.block.dropout = 0.0;
    return config;
}

// All products are counted in full, those of the backward pass as twice the forward's. All else counts nothing.
double flops_of(const Sizes& s) {
    const TransformerConfig config = config_of(s);
    const std::size_t block = attention_flops(config.block, s.batch, s.seq, s.seq).total() +
                              feed_forward_flops(config.block, s.batch, s.seq);
    return 3.0 * static_cast<double>(s.layers * block + 2 * s.batch * s.seq * s.d_model * s.vocab);
}

struct Training {
    Rng rng{1};
    Transformer transformer;
    AdamW optimizer;
    Batch batch;

    explicit Training(const Sizes& sizes)
        : transformer(config_of(sizes), rng),
          optimizer(transformer.parameters()),
          batch(random_batch(sizes, rng)) {}

    static Batch random_batch(const Sizes& sizes, Rng& rng) {
        std::vector<Example> examples;
        for (std::size_t i = 0; i < sizes.batch; ++i) {
            std::vector<std::int64_t> ids(sizes.seq + 1);
            for (std::int64_t& id : ids) id = static_cast<std::int64_t>(rng.below(sizes.vocab));
            examples.push_back(text_window(ids, 0, ids.size() - 1));
        }
        return make_batch(examples, 0);
    }

    void step() {
        const Model model = [this](const Batch& asked, Rng* dropout) {
            return transformer(asked.inputs, {.rng = dropout}).logits;
        };
        const StepReport report = training_step(model, batch, optimizer, 1e-3, rng);
        benchmark::DoNotOptimize(&report);
    }
};

}  // namespace

void add_training(Benchmarks& all) {
    for (const Sizes& sizes : {Sizes{"training step, 16 x 64 x 128, 4 layers", 65, 64, 128, 4, 4, 16},
                               Sizes{"training step, 8 x 128 x 256, 6 layers", 65, 128, 256, 8, 6, 8}}) {
        all.push_back({sizes.name,
                       flops_of(sizes),
                       "FLOP",
                       {sgemm(all)},
                       [training = std::make_shared<Training>(sizes)] { training->step(); }});
    }
    const Sizes gpt2{"training step, GPT-2 small, 1 x 1024", 50257, 1024, 768, 12, 12, 1};
    all.push_back({gpt2.name,
                   flops_of(gpt2),
                   "FLOP",
                   {sgemm(all)},
                   [gpt2, training = std::shared_ptr<Training>()]() mutable {
                       if (!training)
                           training = std::make_shared<Training>(gpt2);  // 3 GB, if it is asked for
                       training->step();
                   },
                   true});
}

}  // namespace tfs::bench
