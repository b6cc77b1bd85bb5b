// chapters/09_transformer/program/whole_model.cpp · a model runs on a text: its choices, the shapes from ids to logits, its maps; its first loss
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/program/options.hpp"
#include "common/base/array.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

Report cost_of_parts(const TransformerConfig& config, std::size_t seq) {
    const std::vector<PartCost> parts = transformer_costs(config, 1, seq, seq);
    Report report;
    report.add(cost_table(parts));
    report.note(size_of_weights(parts));
    report.add(part_or_gap([&] {
        const std::size_t formula = transformer_parameters(config).total();
        Report check;
        check.note(
            fmt::format("check transformer_parameters: {}, {}", with_separators(formula),
                        formula == total(parts).parameters ? "as in the table" : "NOT the sum of the table"));
        return check;
    }));
    return report;
}

using Axes = std::vector<std::string>;

const Axes hidden_axes{"batch", "seq", "d_model"};
constexpr std::size_t characters_in_a_map = 11;  // "The cat sat"; many more could not be read

// What one run of a model gives.
struct ModelRun {
    TransformerOutput output;
    std::vector<Tensor> encoder_weights = {};  // of an encoder-decoder
};

// The sum of embeddings, one part after the other, and then as `embed` gives it.
void trace_embedding(Report& trace, const Transformer& model, const Ids& ids) {
    const TransformerConfig& c = model.config;
    const Tensor tokens = model.embedding(ids);
    trace.step("embedding", tokens, hidden_axes, "one row for each token");
    if (c.scale_embedding)
        trace.step("scaled", tokens * std::sqrt(static_cast<float>(c.block.d_model)), hidden_axes,
                   fmt::format("x sqrt({})", c.block.d_model));
    std::string note = c.block.uses<Rotary>() ? "positions come in every block" : "and positions";
    if (c.num_segments > 0) note += ", segments";
    if (c.embedding_norm) note += ", a norm";
    trace.step("embed", model.embed(ids), hidden_axes, note);
}

void trace_weights(Report& trace, const char* name, const std::vector<Tensor>& weights, const char* queries,
                   const char* keys) {
    trace.step(name, weights.back(), {"batch", "heads", queries, keys},
               fmt::format("the last of {} layers", weights.size()));
    trace.check_rows_sum_to_one(name, weights.back());
}

// <start>, and all tokens but the last: what the decoder has read when it writes them.
Ids shifted_right(const Ids& ids) {
    Ids target = Ids::from_shape(ids.shape());
    target.data()[0] = TextIds::start;
    std::copy(ids.begin(), ids.end() - 1, target.begin() + 1);
    return target;
}

// A source is encoded, and the decoder reads its target.
ModelRun trace_two_sequences(Report& trace, const Transformer& model, const Ids& ids) {
    const Memory memory = model.encode(ids, with_weights);
    trace.step("memory", memory.output, {"batch", "source", "d_model"}, "encode: once for a source");
    const Ids target = shifted_right(ids);
    trace.note("the target is <start> and the text without its last token");
    const ModelRun run{model.decode(target, memory, with_weights), memory.weights};
    trace_weights(trace, "encoder weights", run.encoder_weights, "source", "source");
    return run;
}

// Shapes from ids to logits. An encoder-decoder reads the text and writes it after <start>.
ModelRun trace_model(Report& trace, const Transformer& model, const Ids& ids) {
    trace.note(fmt::format("ids (batch 1, seq {}): {}", ids.size(), fmt::join(ids, " ")));
    trace_embedding(trace, model, ids);
    const bool both = model.config.architecture == Architecture::encoder_decoder;
    const ModelRun run = both ? trace_two_sequences(trace, model, ids) : ModelRun{model(ids, with_weights)};
    trace_weights(trace, "self weights", run.output.self_weights, "query", "key");
    if (both) trace_weights(trace, "cross weights", run.output.cross_weights, "target", "source");
    trace.step("hidden", run.output.hidden, hidden_axes, "what the stack gave");
    trace.step("logits", run.output.logits, {"batch", "seq", "vocab"}, "a score for each token");
    if (model.pooler)
        trace.step("pooled", model.pooled(run.output.hidden), {"batch", "d_model"}, "of position 0");
    return run;
}

// Where the weights come from, and the file that they go to.
void note_weights(Report& report, const Request& request, const Transformer& model) {
    const std::string &load = request[options::load], &save = request[options::save];
    report.note(fmt::format(
        "weights {}: {} parameters in {} tensors",
        load.empty() ? fmt::format("drawn with seed {}", request[options::seed]) : "loaded from " + load,
        with_separators(count_parameters(model.parameters())), model.parameters().size()));
    if (const std::size_t bad = count_not_finite(model.parameters()); bad > 0)
        report.note(
            fmt::format("{} of its values are NaN or infinite, as after a training that diverged", bad));
    if (save.empty()) return;
    save_weights(model, save);
    report.note("saved as " + save);
}

void add_layers(std::vector<LayerMaps>& maps, const std::string& kind, const std::vector<Tensor>& layers,
                const Tokens& rows, const Tokens& columns) {
    for (std::size_t i = 0; i < layers.size(); ++i)
        maps.push_back({fmt::format("{}layer {}", kind, i + 1), layers[i], rows, columns});
}

std::vector<View> attention_maps(const ModelRun& run, Architecture architecture, const Tokens& source,
                                 const std::string& title, const std::string& remark) {
    HeatMapFigure frame{.name = "maps", .title = title};
    std::vector<LayerMaps> maps;
    if (architecture == Architecture::encoder_decoder) {
        Tokens target = source;
        target.pop_back();
        target.insert(target.begin(), "<start>");
        add_layers(maps, "encoder, ", run.encoder_weights, source, source);
        add_layers(maps, "decoder, ", run.output.self_weights, target, target);
        add_layers(maps, "cross, ", run.output.cross_weights, target, source);
        frame.row_axis = "query or target";
        frame.column_axis = "key or source";
        frame.caption =
            "Only the decoder's attention to itself is causal: there grey cells are masked. The encoder, "
            "and the target across, see the whole source.";
    } else {
        add_layers(maps, "", run.output.self_weights, source, source);
        frame.caption = architecture == Architecture::encoder_only
                            ? "A query sees all positions, earlier and later ones: no cell is masked."
                            : "A query sees itself and what comes before it; grey cells are masked.";
    }
    frame.caption += " Each row is a query, and its weights sum to 1." + remark;
    return attention_views(frame, maps);
}

// Two heads of the first layer that say something, on the first characters of the text.
HeatMapFigure character_maps(const TextTransformer& trained, const std::string& text) {
    const Ids all = trained.tokenizer.encode(text);
    Ids ids = Ids::from_shape({1, std::min(all.size(), characters_in_a_map)});
    std::copy_n(all.begin(), ids.size(), ids.begin());
    Tokens labels;
    for (const std::int64_t id : ids) labels.push_back(visible(trained.tokenizer.token(id)));
    const Tensor weights = trained.model(ids, with_weights).self_weights.front();
    const auto map = [&](const char* title, std::size_t head) {
        return blank_where_zero(attention_panel(title, weights, head, labels, labels));
    };
    HeatMapFigure figure{
        .name = "maps",
        .title = "For these characters one head looks one back, another one or two back",
        .panels = {map("head 1: one back", 0), map("head 3: one or two back", 2)},
        .caption =
            "Each row is a character: it shows how much it looks at itself and at those before it; ␣ is a "
            "space. Two heads of layer 1, of a decoder that chapter 10 trained on plays. Grey: later "
            "characters, hidden. We show only rows in which head 1 looks one back.",
        .largest = 1.0};
    const Array one_back = figure.panels[0].values;
    for (HeatMapPanel& panel : figure.panels)
        for (std::size_t i = 1; i < labels.size(); ++i) {
            if (one_back(i, i - 1) <= 0.5f) continue;
            panel.meant.push_back(i);
            panel.answers.push_back("looks at " +
                                    labels[largest_of({&panel.values(i, 0), labels.size()}, 1).front()]);
        }
    return figure;
}

// The model at work on the text; its maps, or those of a trained one.
void show_run(Report& report, const Request& request, const AskedModel& asked) {
    const NoGrad no_grad;
    const Transformer model = asked_weights(request, asked);
    note_weights(report, request, model);
    const ModelRun run = trace_model(report, model, asked.text.ids);
    if (asked.config.architecture == Architecture::encoder_only)
        report.note("an encoder writes nothing: its positions have seen what they should guess");
    const TextTransformer* const trained =
        wants_trained(request) ? trained_decoder(report, request, "so these weights are random") : nullptr;
    if (trained) {
        report.add(character_maps(*trained, request[options::text]));
        return;
    }
    const char* const remark =
        asked.from_file ? "" : " The model is untrained: the pattern means nothing yet.";
    report.add(attention_maps(run, asked.config.architecture, asked.text.tokens, asked.label, remark));
}

Report show_model(const Request& request) {
    const AskedModel asked = asked_model(request);
    Report report;
    report.add(config_in_words(asked));
    if (!small_enough(asked.config)) {
        report.add(cost_of_parts(asked.config, asked.text.ids.size()));
        report.note("Too large to run here: " + why_too_large(asked) +
                    " The table needs no weights: it is computed from the config.");
        return report;
    }
    // Where a step is missing, what came before it stays.
    report.add(part_or_gap([&] {
        show_run(report, request, asked);
        return Report();
    }));
    return report;
}

// --- the first loss: the sizes of tokens, positions and logits before training

constexpr std::size_t vocab_size = 1000, seq = 64, d_model = 512;

// A decoder with sinusoids and a tied output.
Transformer tied_decoder(std::uint64_t seed, NormPosition position, std::size_t layers) {
    TransformerConfig config{.vocab_size = vocab_size, .num_layers = layers};
    config.block = {.d_model = d_model,
                    .num_heads = 8,
                    .d_ff = 4 * d_model,
                    .norm_position = position,
                    .positions = Sinusoids{},
                    .max_len = seq};
    Rng rng(seed);
    return Transformer(config, rng);
}

// One sequence of random tokens: no model can know the next one, so that the best loss is ln(vocab_size).
Ids random_tokens(std::uint64_t seed) {
    Rng rng(seed);
    Ids ids = Ids::from_shape({1, seq});
    for (std::int64_t& id : ids) id = static_cast<std::int64_t>(rng.below(vocab_size));
    return ids;
}

// The positions whose largest logit is that of their own token.
std::size_t count_itself(const Tensor& logits, const Ids& ids) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < seq; ++t) {
        const auto row = logits.values().subspan(t * vocab_size, vocab_size);
        count += largest_of(row, 1).front() == static_cast<std::size_t>(ids.data()[t]) ? 1 : 0;
    }
    return count;
}

Report show_embedding_scale(const Request& request) {
    const NoGrad no_grad;
    const std::uint64_t seed = request[options::seed];
    const double root = std::sqrt(static_cast<double>(d_model));
    const Ids ids = random_tokens(seed + 1);
    Table table{.columns = {{"rows drawn from"},
                            {"factor"},
                            {"blocks"},
                            {"tokens : positions", fixed(2)},
                            {"first loss", fixed(2)},
                            {"own token is best", whole(fmt::format(" of {}", seq))}}};
    // Draws the table of the tokens anew, and sets the factor or not.
    const auto add = [&](Transformer& model, const char* blocks, const char* rows, double deviation,
                         bool scaled) {
        Rng rng(seed);
        model.embedding.weight.mutable_array() = rng.normal_array({vocab_size, d_model}, 0.0, deviation);
        model.config.scale_embedding = scaled;
        const Tensor logits = model(ids).logits;
        const float factor = scaled ? static_cast<float>(root) : 1.0f;
        const double positions = root_mean_square(slice(model.sinusoids->table, 0, 0, seq).values());
        table.add({rows, scaled ? "sqrt(512)" : "none", blocks,
                   root_mean_square((model.embedding(ids) * factor).values()) / positions,
                   next_token_loss(logits, ids), count_itself(logits, ids)});
    };
    Transformer pre = tied_decoder(seed, NormPosition::pre, 2);
    add(pre, "2, pre-norm", "N(0, 1/512)", 1.0 / root, true);
    add(pre, "2, pre-norm", "N(0, 1/512)", 1.0 / root, false);
    add(pre, "2, pre-norm", "N(0, 0.02^2)", 0.02, false);
    add(pre, "2, pre-norm", "N(0, 1)", 1.0, false);
    add(pre, "2, pre-norm", "N(0, 1)", 1.0, true);
    Transformer post = tied_decoder(seed, NormPosition::post, 6);
    add(post, "6, post-norm", "N(0, 1)", 1.0, true);
    Report report;
    report.note(
        fmt::format("d_model {}, {} tokens, tied; {} random tokens: a uniform guess costs ln({}) = {:.2f}",
                    d_model, vocab_size, seq, vocab_size, std::log(static_cast<double>(vocab_size))));
    report.add(table);
    return report;
}

}  // namespace

double next_token_loss(const Tensor& logits, const Ids& ids) {
    const std::size_t texts = ids.shape()[0], length = ids.shape()[1], vocab = logits.size(-1);
    double loss = 0.0;
    for (std::size_t i = 0; i < texts; ++i)
        for (std::size_t t = 0; t + 1 < length; ++t) {
            const auto row = logits.values().subspan((i * length + t) * vocab, vocab);
            const float best = *std::max_element(row.begin(), row.end());
            double total = 0.0;
            for (const float score : row) total += std::exp(static_cast<double>(score - best));
            const float right = row[static_cast<std::size_t>(ids(i, t + 1))];
            loss += (std::log(total) + static_cast<double>(best - right)) /
                    static_cast<double>(texts * (length - 1));
        }
    return loss;
}

Sections whole_model_sections() {
    return {{"model", "The whole model: {model}", show_model, options::of_any_model},
            {"embedding-scale",
             "The first loss: how the table is drawn, and the factor sqrt(d_model)",
             show_embedding_scale,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
