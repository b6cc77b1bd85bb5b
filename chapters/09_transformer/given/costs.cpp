// chapters/09_transformer/given/costs.cpp · what each part of the whole model costs, given
#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/given/ids_and_masks.hpp"
#include "chapters/09_transformer/given/model_checks.hpp"
#include "common/base/array.hpp"

namespace tfs {

namespace {

using Parts = std::vector<PartCost>;

// The lines of one sum of embeddings, (batch, seq, d_model) each. `kept` results of that shape lie on the
// tape.
struct EmbeddingLines {
    const TransformerConfig& config;
    std::string name;
    std::size_t batch, seq;
    Parts parts = {};

    PartCost& add(const char* part, std::size_t kept = 1) {
        parts.push_back(part_with_result(join_path(name, part), {batch, seq, config.block.d_model},
                                         {"batch", "seq", "d_model"}, kept));
        return parts.back();
    }

    // Of the tables, `shared` ones are counted where they come first.
    Parts lines(bool shared) {
        const std::size_t d_model = config.block.d_model;
        const auto owned = [&](PartCost& part, std::size_t parameters) {
            part.parameters = shared ? 0 : parameters;
            if (shared && parameters > 0) part.note = "the table of the source";
        };
        owned(add("token"), config.vocab_size * d_model);
        if (config.scale_embedding) add("scaled").note = "x sqrt(d_model)";
        if (config.block.uses<Sinusoids>()) add("positions").note = "sinusoids";
        if (config.block.uses<LearnedPositions>()) {
            owned(add("positions"), config.max_len() * d_model);
            parts.back().bytes += sizeof(float) * seq * d_model;  // its rows, the same for all of the batch
        }
        if (config.num_segments > 0) owned(add("segments", 2), config.num_segments * d_model);
        if (config.embedding_norm) {
            parts.push_back(norm_cost(config.block, join_path(name, "norm"), batch, seq));
            owned(parts.back(), parts.back().parameters);
        }
        return parts;
    }
};

PartCost pooler_line(const TransformerConfig& c, std::size_t batch) {
    const std::size_t d_model = c.block.d_model;
    PartCost cost = part_with_result("pooler", {batch, d_model}, {"batch", "d_model"},
                                     3);  // cut out, projected, tanh
    cost.parameters = d_model * d_model + d_model;
    cost.flops = checked_product({2, batch, d_model, d_model});
    return cost;
}

PartCost logits_line(const TransformerConfig& c, std::size_t batch, std::size_t seq) {
    const std::size_t d_model = c.block.d_model;
    PartCost cost = part_with_result("logits", {batch, seq, c.vocab_size}, {"batch", "seq", "vocab"});
    cost.parameters = c.tied_output ? 0 : c.vocab_size * d_model;
    cost.flops = checked_product({2, batch, seq, d_model, c.vocab_size});
    cost.note = c.tied_output ? "tied: the table of the tokens" : "";
    return cost;
}

}  // namespace

std::vector<PartCost> transformer_costs(const TransformerConfig& config, std::size_t batch, std::size_t seq,
                                        std::size_t target) {
    require_valid("transformer_costs", config);
    require_length("transformer_costs", "seq", config, seq);
    const StackConfig stack = stack_config(config);
    Parts all;
    if (config.architecture == Architecture::encoder_decoder) {
        require_length("transformer_costs", "target", config, target);
        append(all, EmbeddingLines{config, "source", batch, seq}.lines(false));
        append(all, stack_costs(stack, "encoder", batch, seq));
        append(all, EmbeddingLines{config, "target", batch, target}.lines(true));
        append(all, cross_stack_costs(stack, "decoder", batch, seq, target));
        all.push_back(logits_line(config, batch, target));
        return all;
    }
    append(all, EmbeddingLines{config, "embedding", batch, seq}.lines(false));
    append(all, stack_costs(stack, "", batch, seq));
    if (config.pooler) all.push_back(pooler_line(config, batch));
    all.push_back(logits_line(config, batch, seq));
    return all;
}

}  // namespace tfs
