// tests/09_transformer/counted_parts.cpp · the parameters of a model by part, and what is often counted in their place
#include "tests/09_transformer/counted_parts.hpp"

#include <functional>

namespace tfs::test {
namespace {

// Each part against what it is, and against what is often counted in its place.
struct Parts {
    TransformerConfig c;
    TransformerParameters expected;
    TransformerParameters counted = transformer_parameters(c);
    BlockParameters one = block_parameters(c.block);
    bool both = c.architecture == Architecture::encoder_decoder;
    std::size_t sides = both ? 2 : 1, layers = c.num_layers, d_model = c.block.d_model;
    std::size_t table = c.vocab_size * d_model, last = c.final_norm ? 1 : 0, first = c.embedding_norm ? 1 : 0;
    std::string no_layers = "the layers are forgotten: this is one block";
    std::string one_side = "only one of the two sides is counted; num_layers are on each";
    std::string half = "half of the layers are counted; num_layers are on each of the two sides";
    std::string with_norms = "norms of the blocks are counted here too; they belong to `block_norms` alone";
    std::string layer_norms = "a norm counted as 2 d_model: RMSNorm has no beta (BlockParameters::norm)";

    using Part = std::size_t TransformerParameters::*;
    using Add = std::function<void(const std::string&, Part, const std::vector<WrongCount>&)>;

    void add_tables(const Add& add) const {
        using P = TransformerParameters;
        const bool learned = c.block.uses<LearnedPositions>();
        const std::size_t rows = c.max_len() * d_model, any_segments = c.num_segments > 0 ? 1 : 0;
        add("embedding", &P::embedding, {{"source and target share one table", sides * table}});
        const std::string not_learned =
            "only learned positions are parameters; sinusoids and rotations are computed";
        add("positions", &P::positions,
            {{not_learned, rows},
             {not_learned, c.block.uses<Rotary>() ? 0 : rows},
             {"the learned positions are forgotten: a row for each of max_len", 0},
             {"a position counted for each token; there are max_len of them", learned ? table : 0},
             {"source and target share one table of positions", learned ? sides * rows : 0}});
        const std::string number = "num_segments is not looked at: it is the number of rows";
        add("segments", &P::segments,
            {{"the segments are forgotten: a row for each of num_segments", 0},
             {number, 2 * d_model},
             {number, any_segments * 2 * d_model},
             {number, any_segments * d_model},
             {"a row counted for each position; there are num_segments of them", any_segments * rows},
             {"segments do not depend on embedding_norm; num_segments alone tells how many there are",
              first * c.num_segments * d_model}});
        add("output", &P::output,
            {{"a tied output is counted twice: it has no weights of its own", table},
             {"an untied output has a table of its own", 0},
             {"tied_output is asked the wrong way round: a tied output has no weights of its own",
              c.tied_output ? table : 0},
             {"the decoder alone has an output", c.tied_output ? 0 : sides * table},
             {"the output has no bias", c.tied_output ? 0 : table + c.vocab_size},
             {"the output has no bias", c.tied_output ? c.vocab_size : table + c.vocab_size}});
        const std::size_t pooler = d_model * d_model + d_model;
        add("pooler", &P::pooler,
            {{"the pooler is not counted", 0},
             {"the pooler has a bias", c.pooler ? d_model * d_model : 0},
             {"not every encoder has a pooler: ask config.pooler",
              c.architecture == Architecture::encoder_only ? pooler : 0},
             {"the pooler is counted though the config has none", pooler}});
    }

    void add_norms(const Add& add) const {
        using P = TransformerParameters;
        const std::size_t norms = both ? 5 : 2, pre = c.block.norm_position == NormPosition::pre ? 1 : 0;
        const std::string position =
            "the final norm does not depend on pre- or post-norm: ask config.final_norm";
        add("norms", &P::norms,
            {{"the norms outside of the blocks are forgotten: of the embedding, and the final one", 0},
             {"both sides have a final norm", one.norm * (last + first)},
             {"the norm of the embedding is one, as its table: both sides share it",
              one.norm * sides * (last + first)},
             {"final_norm is not looked at: not every model has one", one.norm * (sides + first)},
             {position, one.norm * (sides * pre + first)},
             {position, one.norm * (sides * pre * last + first)},
             {"embedding_norm is not looked at: only some models have one", one.norm * (sides * last + 1)},
             {"the norm of the embedding is forgotten", one.norm * sides * last},
             {"the final norms are forgotten", one.norm * first},
             {"the norm of the embedding is counted as 2 d_model: it is of the blocks' kind, and RMSNorm has "
              "no "
              "beta (BlockParameters::norm)",
              one.norm * sides * last + 2 * d_model * first},
             {layer_norms, 2 * d_model * (sides * last + first)}});
        add("block_norms", &P::block_norms,
            {{"one norm for each block: BlockParameters::norm is ONE norm, a block has two",
              one.norm * layers * sides},
             {no_layers, one.norm * norms},
             {one_side, one.norm * layers * 2},
             {half, one.norm * layers * norms / sides},
             {"the third norm of the decoder's blocks is not counted", one.norm * layers * 2 * sides},
             {"a block of the encoder has two norms; the third one is the decoder's",
              one.norm * layers * (both ? 6 : 2)},
             {"the final norms are not those of blocks: they belong to `norms`",
              one.norm * (layers * norms + sides * last)},
             {layer_norms, 2 * d_model * layers * norms}});
    }

    void add_sublayers(const Add& add) const {
        using P = TransformerParameters;
        const std::size_t attentions = both ? 3 : 1, d_ff = c.block.d_ff, square = d_model * d_model;
        const bool decoder = c.architecture == Architecture::decoder_only;
        add("attention", &P::attention,
            {{no_layers, one.attention * attentions},
             {one_side, one.attention * layers},
             {half, one.attention * layers * attentions / sides},
             {with_norms, (one.attention + one.norm) * layers * attentions},
             {"cross-attention is not counted: a block of the decoder has two attentions",
              one.attention * layers * sides},
             {"a block of the encoder has one attention; cross-attention is the decoder's",
              one.attention * layers * (both ? 4 : 1)},
             {"a decoder alone has no cross-attention: its blocks have one attention",
              one.attention * layers * (decoder ? 2 : attentions)},
             {"BlockParameters::attention is that of all heads together",
              one.attention * c.block.num_heads * layers * attentions},
             {"the biases are forgotten: BlockParameters::attention has those of the config",
              4 * square * layers * attentions},
             {"biases are counted that the config leaves out: BlockParameters::attention has those of the "
              "config",
              4 * (square + d_model) * layers * attentions}});
        const std::string own_formula =
            "BlockParameters::feed_forward counts the network of the config: its biases, or the three "
            "matrices of "
            "SwiGLU";
        add("feed_forward", &P::feed_forward,
            {{no_layers, one.feed_forward * sides},
             {half, one.feed_forward * layers},
             {with_norms, (one.feed_forward + one.norm) * layers * sides},
             {with_norms, (one.feed_forward + 2 * one.norm) * layers * sides},
             {own_formula, 2 * d_model * d_ff * layers * sides},
             {own_formula, (2 * d_model * d_ff + d_model + d_ff) * layers * sides},
             {"d_ff is not 4 d_model in every config (BlockParameters::feed_forward)",
              (8 * square + 5 * d_model) * layers * sides},
             {"a block of the decoder has two attentions, but one feed-forward network",
              one.feed_forward * layers * attentions}});
    }
};

}  // namespace

void add_parts(CountsOfParts& counts, const std::string& name, const TransformerConfig& config,
               const TransformerParameters& expected) {
    const Parts parts{config, expected};
    const auto add = [&](const std::string& part, Parts::Part count, const std::vector<WrongCount>& wrong) {
        counts[part].add(name + ": " + part, parts.counted.*count, expected.*count, wrong);
    };
    parts.add_tables(add);
    parts.add_norms(add);
    parts.add_sublayers(add);
}

}  // namespace tfs::test
