// chapters/09_transformer/program/walk.cpp · a model runs on a text: shapes, maps, scores, and what it writes
#include "chapters/09_transformer/program/walk.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/given/parts.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

using Axes = std::vector<std::string>;

const Axes& hidden_axes() {
    static const Axes axes{"batch", "seq", "d_model"};
    return axes;
}

// The sum of embeddings, one part after the other, and then as `embed` gives it.
void trace_embedding(Trace& trace, const Transformer& model, const Ids& ids) {
    const TransformerConfig& c = model.config;
    const Tensor tokens = model.embedding(ids);
    trace.step("embedding", tokens, hidden_axes(), "one row for each token");
    if (c.scale_embedding)
        trace.step("scaled", tokens * std::sqrt(static_cast<float>(c.block.d_model)), hidden_axes(),
                   fmt::format("x sqrt({})", c.block.d_model));
    std::string note = c.positions == Positions::rotary ? "positions come in every block" : "and positions";
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
    const Tensor chances = softmax(run.logits);
    trace.step("softmax(logits)", chances, {"batch", "seq", "vocab"});
    trace.check_rows_sum_to_one("softmax(logits)", chances);
}

// <start>, and all tokens but the last: what the decoder has read when it writes them.
Ids shifted_right(const Ids& ids) {
    Ids target = Ids::from_shape(ids.shape());
    target.data()[0] = TextIds::start;
    std::copy(ids.begin(), ids.end() - 1, target.begin() + 1);
    return target;
}

}  // namespace

TextIds number_tokens(const Tokens& tokens) {
    const Vocabulary vocabulary = build_vocabulary(tokens);
    TextIds text{{"<pad>", "<start>", "<end>"}, vocabulary.ids, tokens};
    for (std::int64_t& id : text.ids) id += static_cast<std::int64_t>(text.words.size());
    text.words.insert(text.words.end(), vocabulary.words.begin(), vocabulary.words.end());
    return text;
}

Walk trace_model(Trace& trace, const Transformer& model, const TextIds& text) {
    const NoGrad no_grad;
    trace.note(fmt::format("ids (batch 1, seq {}): {}", text.ids.size(), fmt::join(text.ids, " ")));
    trace_embedding(trace, model, text.ids);
    Walk walk;
    if (model.config.architecture == Architecture::encoder_decoder) {
        const Memory memory = model.encode(text.ids);
        trace.step("memory", memory.output, {"batch", "source", "d_model"}, "encode: once for a source");
        const Ids target = shifted_right(text.ids);
        trace.note("the target is <start> and the text without its last token");
        walk = {model.decode(target, memory), memory.weights};
        trace_weights(trace, "encoder weights", walk.encoder_weights, "source", "source");
    } else {
        walk.output = model(text.ids);
    }
    trace_weights(trace, "self weights", walk.output.self_weights, "query", "key");
    if (!walk.output.cross_weights.empty())
        trace_weights(trace, "cross weights", walk.output.cross_weights, "target", "source");
    trace_end(trace, walk.output);
    if (model.pooler)
        trace.step("pooled", model.pooled(walk.output.hidden), {"batch", "d_model"}, "of position 0");
    return walk;
}

void print_guesses(std::ostream& out, const TransformerOutput& run, const TextIds& text) {
    const Tensor chances = softmax(run.logits);
    const std::size_t vocab = chances.size(-1);
    std::size_t itself = 0;
    fmt::print(out, "  {:<12} {:<12} {:>11}\n", "position", "best token", "probability");
    for (std::size_t t = 0; t < text.tokens.size(); ++t) {
        const auto row = chances.values().subspan(t * vocab, vocab);
        const auto best = std::max_element(row.begin(), row.end());
        const std::string& guess = text.words[static_cast<std::size_t>(best - row.begin())];
        itself += guess == text.tokens[t] ? 1 : 0;
        if (t < 12)
            out << "  " << pad(truncate(text.tokens[t], 12, "~"), 12) << ' '
                << pad(truncate(guess, 12, "~"), 12) << fmt::format(" {:>11.3f}\n", *best);
    }
    fmt::print(out, "  {} of {} positions prefer the token that stands there; a guess at random has {:.3f}\n",
               itself, text.tokens.size(), 1.0 / static_cast<double>(vocab));
}

HeatMapFigure draw_maps(const Walk& walk, const Transformer& model, const TextIds& text,
                        const std::string& name) {
    const bool both = model.config.architecture == Architecture::encoder_decoder;
    HeatMapFigure figure{.name = "maps",
                         .title = fmt::format("{}: every layer and head", name),
                         .panels_per_row = model.config.block.num_heads};
    Tokens target = text.tokens;
    if (both) {
        target.pop_back();
        target.insert(target.begin(), "<start>");
        figure.row_axis = "query or target";
        figure.column_axis = "key or source";
    }
    const auto add = [&](const std::string& kind, const std::vector<Tensor>& layers, const Tokens& rows,
                         const Tokens& columns, const std::optional<Mask>& mask) {
        for (std::size_t layer = 0; layer < layers.size(); ++layer)
            for (std::size_t head = 0; head < layers[layer].size(1); ++head) {
                const std::string title = fmt::format("{}layer {} head {}", kind, layer + 1, head + 1);
                figure.panels.push_back(attention_panel(title, layers[layer], head, rows, columns, mask));
            }
    };
    const Tokens& reader = both ? target : text.tokens;
    const bool causal = model.config.architecture != Architecture::encoder_only;
    if (both) add("encoder ", walk.encoder_weights, text.tokens, text.tokens, std::nullopt);
    add(both ? "self " : "", walk.output.self_weights, reader, reader,
        causal ? std::optional(causal_mask(reader.size())) : std::nullopt);
    if (both) add("cross ", walk.output.cross_weights, target, text.tokens, std::nullopt);
    return figure;
}

HeatMapFigure draw_scores(const TransformerOutput& run, const TextIds& text, const std::string& name) {
    const Tensor chances = softmax(run.logits);
    const Array map = reshape(chances, {chances.size(1), chances.size(2)}).array();
    return {
        .name = "scores",
        .title = fmt::format("{}: the probability of each next token", name),
        .row_axis = "position",
        .column_axis = "next token",
        .panels =
            {{"softmax(logits)", map, text.tokens, text.words, {}, ColourScale::probability, "probability"}},
        .panels_per_row = 1};
}

namespace {

// The smallest period with which the last tokens repeat, at least twice over; 0 where they don't.
std::size_t period_of(const std::vector<std::int64_t>& tokens) {
    for (std::size_t period = 1; 2 * period <= tokens.size(); ++period)
        if (std::equal(tokens.end() - static_cast<std::ptrdiff_t>(period), tokens.end(),
                       tokens.end() - static_cast<std::ptrdiff_t>(2 * period)))
            return period;
    return 0;
}

}  // namespace

void write_on(std::ostream& out, const Transformer& model, const TextIds& text, std::size_t new_tokens) {
    const bool both = model.config.architecture == Architecture::encoder_decoder;
    const Ids all = both ? translate_greedy(model, text.ids, TextIds::start, new_tokens, TextIds::end)
                         : generate_greedy(model, text.ids, new_tokens, TextIds::end);
    const std::size_t given = both ? 1 : text.ids.size();
    std::vector<std::int64_t> added(all.begin() + static_cast<std::ptrdiff_t>(given), all.end());
    std::vector<std::string> words;
    for (const std::int64_t id : added) words.push_back(text.words[static_cast<std::size_t>(id)]);
    const std::string line = fmt::format(
        "{} | {}", both ? "<start>" : fmt::format("{}", fmt::join(text.tokens, " ")), fmt::join(words, " "));
    for (const std::string& part : wrap(line, screen_columns - 2)) out << "  " << part << '\n';
    const std::size_t period = period_of(added);
    if (period > 0)
        fmt::print(out, "  it repeats itself with period {}", period);
    else
        out << "  it does not repeat itself yet";
    out << "\n";
}

}  // namespace tfs
