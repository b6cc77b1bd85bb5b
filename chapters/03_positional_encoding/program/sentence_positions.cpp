// chapters/03_positional_encoding/program/sentence_positions.cpp · the sentence with positions: added to x, turning queries and keys, in the scores
#include "chapters/03_positional_encoding/program/sections.hpp"

namespace tfs {

void show_added(Show& show, const PositionedAttention& layer, const Tensor& x) {
    const SinusoidalPositionalEncoding sinusoids = layer.sinusoids();
    show.trace.step("sinusoids.table", sinusoids.table, {"position", "d_model"}, "fixed");
    show.trace.step("x + sinusoids", sinusoids(x), {"batch", "seq", "d_model"}, "rows 0 ... seq-1 added");
    const LearnedPositionalEmbedding learned = layer.learned();
    show.trace.step("learned.table", learned.embedding.weight, {"position", "d_model"}, "untrained");
    show.trace.step("x + learned", learned(x), {"batch", "seq", "d_model"}, "the same addition");
}

void show_turned(Show& show, const PositionedAttention& layer, const Tensor& x) {
    const Tensor q = split_heads(layer.attention.w_q(x), layer.attention.num_heads);
    const RotaryEmbedding rotary = layer.rotary();
    show.trace.step("rotary.cos", rotary.cos, {"position", "pair"}, "one angle a pair");
    show.trace.step("q", q, {"batch", "heads", "query", "d_k"}, "heads split");
    show.trace.step("q, turned", apply_rotary(q, rotary), {"batch", "heads", "query", "d_k"},
                    "k likewise, v not");
}

void show_bias(Show& show) {
    const std::size_t seq = show.tokens.size();
    show.trace.step("bias", alibi_bias(show.options.heads, seq, seq), {"batch", "heads", "query", "key"},
                    "added to the scores");
}

}  // namespace tfs
