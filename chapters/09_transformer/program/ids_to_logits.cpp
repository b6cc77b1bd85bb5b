// chapters/09_transformer/program/ids_to_logits.cpp · a model runs on a text: the shapes from ids to logits
#include "chapters/09_transformer/program/ids_to_logits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/program/sections.hpp"

namespace tfs {

namespace {

using Axes = std::vector<std::string>;

const Axes& hidden_axes() {
    static const Axes axes{"batch", "seq", "d_model"};
    return axes;
}

std::string added_positions(const TransformerConfig& c) {
    if (adds_positions(c)) return "and positions";
    return c.block.uses<NoPositions>() ? "no positions" : "positions come in every block";
}

// The sum of embeddings, one part after the other, and then as `embed` gives it.
void trace_embedding(Trace& trace, const Transformer& model, const Ids& ids) {
    const TransformerConfig& c = model.config;
    const Tensor tokens = model.embedding(ids);
    trace.step("embedding", tokens, hidden_axes(), "one row for each token");
    if (c.scale_embedding)
        trace.step("scaled", tokens * std::sqrt(static_cast<float>(c.block.d_model)), hidden_axes(),
                   fmt::format("x sqrt({})", c.block.d_model));
    std::string note = added_positions(c);
    if (c.num_segments > 0) note += ", segments";
    if (c.embedding_norm) note += ", a norm";
    trace.step("embed", model.embed(ids), hidden_axes(), note);
}

void trace_weights(Trace& trace, const char* name, const std::vector<Tensor>& weights, const char* queries,
                   const char* keys) {
    trace.step(name, weights.back(), {"batch", "heads", queries, keys},
               fmt::format("the last of {} layers", weights.size()));
    trace.check_rows_sum_to_one(name, weights.back());
}

void trace_end(Trace& trace, const TransformerOutput& run) {
    trace.step("hidden", run.hidden, hidden_axes(), "what the stack gave");
    trace.step("logits", run.logits, {"batch", "seq", "vocab"}, "a score for each token");
}

// <start>, and all tokens but the last: what the decoder has read when it writes them.
Ids shifted_right(const Ids& ids) {
    Ids target = Ids::from_shape(ids.shape());
    target.data()[0] = TextIds::start;
    std::copy(ids.begin(), ids.end() - 1, target.begin() + 1);
    return target;
}

// A source is encoded, and the decoder reads its target.
ModelRun trace_two_sequences(Trace& trace, const Transformer& model, const Ids& ids) {
    const Memory memory = model.encode(ids, with_weights);
    trace.step("memory", memory.output, {"batch", "source", "d_model"}, "encode: once for a source");
    const Ids target = shifted_right(ids);
    trace.note("the target is <start> and the text without its last token");
    const ModelRun run{model.decode(target, memory, with_weights), memory.weights};
    trace_weights(trace, "encoder weights", run.encoder_weights, "source", "source");
    return run;
}

}  // namespace

ModelRun trace_model(Show& show, const Transformer& model, const TextIds& text) {
    const NoGrad no_grad;
    Trace& trace = show.trace;
    trace.note(fmt::format("ids (batch 1, seq {}): {}", text.ids.size(), fmt::join(text.ids, " ")));
    trace_embedding(trace, model, text.ids);
    const bool both = model.config.architecture == Architecture::encoder_decoder;
    const ModelRun run =
        both ? trace_two_sequences(trace, model, text.ids) : ModelRun{model(text.ids, with_weights), {}};
    trace_weights(trace, "self weights", run.output.self_weights, "query", "key");
    if (both) trace_weights(trace, "cross weights", run.output.cross_weights, "target", "source");
    trace_end(trace, run.output);
    if (model.pooler)
        trace.step("pooled", model.pooled(run.output.hidden), {"batch", "d_model"}, "of position 0");
    return run;
}

}  // namespace tfs
