// chapters/09_transformer/program/describe.cpp · a config in words, and the table of the whole model
#include "chapters/09_transformer/program/describe.hpp"
#include "chapters/09_transformer/cost.hpp"

#include <fmt/ostream.h>
#include <unistd.h>

#include "common/show/summary.hpp"

namespace tfs {

namespace {

const char* kind_of(Architecture architecture) {
    if (architecture == Architecture::encoder_only) return "encoder only";
    return architecture == Architecture::decoder_only ? "decoder only" : "encoder and decoder";
}

const char* name_of(Activation activation) {
    switch (activation) {
        case Activation::relu:
            return "ReLU";
        case Activation::gelu:
            return "GELU";
        case Activation::gelu_tanh:
            return "GELU by tanh";
        case Activation::gelu_sigmoid:
            return "GELU by sigmoid";
        case Activation::silu:
            return "SiLU";
    }
    return "";
}

std::string positions_of(const TransformerConfig& c) {
    if (c.positions == Positions::learned) return fmt::format("{} learned positions", c.max_len);
    if (c.positions == Positions::sinusoidal) return fmt::format("sinusoids for {} positions", c.max_len);
    return fmt::format("rotary, {} positions", c.max_len);
}

std::string biases_of(const BlockConfig& block) {
    if (block.attention_bias == AttentionBias::none) return "none in attention";
    return block.attention_bias == AttentionBias::qkv ? "on q, k, v" : "on q, k, v, o";
}

double memory_of_this_machine() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void print_config(std::ostream& out, const std::string& name, const TransformerConfig& c) {
    const BlockConfig& block = c.block;
    const bool swiglu = block.feed_forward == FeedForwardKind::swiglu;
    const auto line = [&](const char* what, const std::string& text) {
        fmt::print(out, "  {:<11} {}\n", what, text);
    };
    line("model", fmt::format("{}: {}, {} layers{}", name, kind_of(c.architecture), c.num_layers,
                              c.architecture == Architecture::encoder_decoder ? " on each side" : ""));
    line("block",
         fmt::format("d_model {}, {} heads of {}, d_ff {} ({}), biases {}, dropout {}", block.d_model,
                     block.num_heads, block.d_model / block.num_heads, block.d_ff,
                     swiglu ? "SwiGLU" : name_of(block.activation), biases_of(block), block.dropout));
    line("norms",
         fmt::format("{}, {}, eps {:g}{}{}", block.norm_position == NormPosition::pre ? "pre" : "post",
                     block.norm == NormKind::layer_norm ? "LayerNorm" : "RMSNorm", block.norm_eps,
                     c.embedding_norm ? ", one on the embedding" : "",
                     c.final_norm ? ", one at the end" : ", none at the end"));
    line("embedding", fmt::format("{} tokens{}, {}{}", with_separators(c.vocab_size),
                                  c.scale_embedding ? " x sqrt(d_model)" : "", positions_of(c),
                                  c.num_segments > 0 ? fmt::format(", {} segments", c.num_segments) : ""));
    line("output", fmt::format("logits by {}{}",
                               c.tied_output ? "the table of the tokens (tied)" : "a table of their own",
                               c.pooler ? ", and a pooler" : ""));
}

void print_model_table(std::ostream& out, const TransformerConfig& config, std::size_t seq,
                       std::size_t target) {
    const std::vector<PartCost> parts = transformer_costs(config, 1, seq, target);
    print_summary(out, parts);
    const std::size_t formula = transformer_parameters(config).total();
    fmt::print(out, "  check transformer_parameters: {}, {}\n", with_separators(formula),
               formula == total(parts).parameters ? "as in the table" : "NOT the sum of the table");
}

double weights_in_bytes(const TransformerConfig& config) {
    return static_cast<double>(sizeof(float) * transformer_parameters(config).total());
}

bool small_enough(const TransformerConfig& config) {
    return weights_in_bytes(config) <= static_cast<double>(largest_weights);
}

void print_shares(std::ostream& out, const std::vector<std::string>& models) {
    fmt::print(out, "{:>12} {:>14} | {:>9} {:>9} {:>9} {:>9} | {:>16}\n", "", "parameters", "tables",
               "attention", "FFN", "the rest", "one table is");
    for (const std::string& name : models) {
        const TransformerConfig config = preset(name);
        const TransformerParameters p = transformer_parameters(config);
        const auto share = [&](std::size_t part) {
            return 100.0 * static_cast<double>(part) / static_cast<double>(p.total());
        };
        const std::size_t tables = p.embedding + p.positions + p.segments + p.output;
        fmt::print(out, "{:>12} {:>14} | {:>7.1f} % {:>7.1f} % {:>7.1f} % {:>7.1f} % | {:>6.1f} % {}\n", name,
                   with_separators(p.total()), share(tables), share(p.attention), share(p.feed_forward),
                   share(p.total() - tables - p.attention - p.feed_forward), share(p.embedding),
                   config.tied_output ? "tied" : "untied");
    }
}

void print_memory(std::ostream& out, const std::vector<std::string>& models) {
    std::string fitting;
    fmt::print(out, "{:>12} {:>14} | {:>11} {:>11} {:>22}\n", "", "parameters", "float32", "float16",
               "training (AdamW)");
    for (const std::string& name : models) {
        const double bytes = weights_in_bytes(preset(name));
        fmt::print(out, "{:>12} {:>14} | {:>11} {:>11} {:>22}\n", name,
                   with_separators(transformer_parameters(preset(name)).total()), in_bytes(bytes),
                   in_bytes(bytes / 2.0), in_bytes(4.0 * bytes));
        if (bytes < memory_of_this_machine()) fitting += (fitting.empty() ? "" : ", ") + name;
    }
    fmt::print(out, "  training: weights, gradients and two moments as float32, without any activation\n");
    fmt::print(out, "  this machine has {}: of these it could hold as float32: {}\n",
               in_bytes(memory_of_this_machine()), fitting.empty() ? "none" : fitting);
}

}  // namespace tfs
