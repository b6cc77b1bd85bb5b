// tests/09_transformer_test.cpp · the checklist of chapter 09: values of PyTorch, properties, diagnosis
//
// Run it on your steps with ./tutorial check 9. The golden models (tests/golden/area_transformer.py) are made
// of torch.nn's own layers. What a step should give is put together here from the operations of the tensor
// layer and from chapter 08.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "chapters/09_transformer/given/parts.hpp"
#include "common/io/safetensors.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/close.hpp"
#include "tests/support/counts.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradients_reach.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const Golden& golden() {
    static const Golden file("09_transformer.safetensors");
    return file;
}

constexpr Tolerance whole_model{1e-4, 1e-5};

Ids golden_ids(const std::string& name) {
    const Tensor values = golden()[name];
    Ids ids = Ids::from_shape(values.shape());
    std::copy(values.values().begin(), values.values().end(), ids.begin());
    return ids;
}

// The configs of the golden models.
TransformerConfig golden_config(const std::string& name) {
    TransformerConfig c{.vocab_size = 11, .max_len = 10, .num_layers = 2};
    c.block = {.d_model = 8, .num_heads = 2, .d_ff = 12};
    c.positions = Positions::learned;
    c.scale_embedding = false;
    if (name == "gpt2") c.block.activation = Activation::gelu_tanh;
    if (name == "bert") {
        c.architecture = Architecture::encoder_only;
        c.block.norm_position = NormPosition::post;
        c.block.norm_eps = 1e-12f;
        c.final_norm = false;
        c.embedding_norm = c.pooler = true;
        c.num_segments = 2;
        c.pad_id = 0;
    }
    if (name == "original") {
        c.architecture = Architecture::encoder_decoder;
        c.block.norm_position = NormPosition::post;
        c.block.activation = Activation::relu;
        c.positions = Positions::sinusoidal;
        c.scale_embedding = true;
        c.pad_id = 0;
    }
    if (name == "llama") {
        c.block = llama_block(8, 2, 12, 10);
        c.positions = Positions::rotary;
        c.tied_output = false;
    }
    return c;
}

Transformer made(const TransformerConfig& config, std::uint64_t seed = 1) {
    Rng rng(seed);
    return Transformer(config, rng);
}

Transformer golden_model(const std::string& name, double dropout = 0.0) {
    TransformerConfig config = golden_config(name);
    config.block.dropout = dropout;
    const Transformer model = made(config);
    for (NamedTensor p : model.parameters())
        p.tensor.mutable_array() = golden()[name + ".w." + p.name].array();
    return model;
}

// A small model of the notes' kind: sinusoids, scale, tied. Its table is not that of a new model, so that
// what is forgotten is seen.
TransformerConfig notes_config(Architecture architecture = Architecture::decoder_only) {
    TransformerConfig c{.architecture = architecture, .vocab_size = 13, .max_len = 12, .num_layers = 2};
    c.block = {.d_model = 16, .num_heads = 2, .d_ff = 24};
    return c;
}

const Ids two_rows{{3, 1, 4, 1, 5}, {9, 2, 6, 5, 3}};

Ids all_ones(std::size_t batch, std::size_t seq) {
    Ids ids = Ids::from_shape({batch, seq});
    std::fill(ids.begin(), ids.end(), 1);
    return ids;
}

Tensor normal(const Shape& shape, std::uint64_t seed) { return Tensor(Rng(seed).normal_array(shape)); }

// d sum(result * weights) / d each parameter, with fixed weights; zeros where none arrived.
std::vector<Tensor> gradients_of(const Transformer& m, const Tensor& result) {
    clear_grads(m.parameters());
    sum(result * normal(result.shape(), 77)).backward();
    std::vector<Tensor> all;
    for (const NamedTensor& p : m.parameters())
        all.push_back(p.tensor.has_grad() ? Tensor(p.tensor.grad()) : Tensor::zeros(p.tensor.shape()));
    return all;
}

// --- 9.1 embed ---------------------------------------------------------------------------------------------

// Step 9.1 from the operations of the tensor layer; `wrong` does one thing wrong.
Tensor embedded(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds = std::nullopt,
                const std::string& wrong = "") {
    const TransformerConfig& c = m.config;
    const std::size_t seq = ids.shape()[1], d_model = c.block.d_model;
    const float root = std::sqrt(static_cast<float>(d_model));
    const bool scaled = c.scale_embedding != (wrong == "the other scale");
    const auto first_rows = [&](const Tensor& table) { return slice(table, 0, 0, seq); };
    Tensor places = Tensor::zeros({seq, d_model});
    if (m.sinusoids) places = first_rows(m.sinusoids->table);
    if (m.learned_positions) places = first_rows(m.learned_positions->embedding.weight);
    Tensor x = embedding(m.embedding.weight, ids);
    if (wrong == "added first") return (x + places) * root;
    if (wrong == "segments first") return (x + embedding(m.segments->weight, *kinds)) * root + places;
    if (wrong == "norm first") x = (*m.embedding_norm)(x);
    if (wrong == "added once more") x = x + x;
    if (scaled) x = wrong == "divided" ? x / root : wrong == "d_model" ? x * root * root : x * root;
    if (wrong != "no positions") x = x + places;
    if (wrong == "positions twice") x = x + places;
    const Ids zeros = all_in_segment_0(ids);
    if (m.segments && wrong != "no segments")
        x = x + embedding(m.segments->weight, kinds && wrong != "segment 0" ? *kinds : zeros);
    return m.embedding_norm && wrong != "no norm" && wrong != "norm first" ? (*m.embedding_norm)(x) : x;
}

std::vector<Suspect> embed_suspects(const Transformer& m, const Ids& ids,
                                    const std::optional<Ids>& kinds = {}) {
    const auto with = [=](const std::string& wrong) {
        return [=] { return embedded(m, ids, kinds, wrong); };
    };
    const std::string other = m.config.scale_embedding
                                  ? "the embedding is not scaled by sqrt(d_model)"
                                  : "the embedding is scaled although scale_embedding is false";
    std::vector<Suspect> all{
        {"the positions are missing", with("no positions")},
        {"the positions are added twice: the encoding adds its rows to what it is given",
         with("positions twice")},
        {"positions add their rows to what they are given, and the result was added once "
         "more: write x = (*sinusoids)(x)",
         with("added once more")},
        {other, with("the other scale")}};
    if (m.config.scale_embedding) {
        all.push_back(
            {"the positions are added before the scaling, so that they are scaled too", with("added first")});
        all.push_back({"the embedding is divided by sqrt(d_model), not multiplied", with("divided")});
        all.push_back({"the embedding is scaled by d_model, not by its root", with("d_model")});
    }
    if (m.segments) {
        all.push_back({"the segments are missing", with("no segments")});
        all.push_back({"segment_ids are ignored: all positions are in segment 0", with("segment 0")});
    }
    if (m.segments && m.config.scale_embedding && kinds) {
        all.push_back({"the segments are added before the scaling, so that they are scaled too",
                       with("segments first")});
    }
    if (m.embedding_norm) {
        all.push_back({"the norm of the sum is missing", with("no norm")});
        all.push_back(
            {"the norm comes before positions and segments; it is that of the sum", with("norm first")});
    }
    return all;
}

TEST(Step_9_1_embed, equals_pytorch_for_tokens_positions_and_segments) {
    const Transformer m = golden_model("bert");
    const Ids ids = golden_ids("bert.ids"), kinds = golden_ids("bert.segment_ids");
    EXPECT_TRUE(close(m.embed(ids, nullptr, kinds), golden()["bert.embedded"], {1e-5, 1e-6},
                      embed_suspects(m, ids, kinds)));
    EXPECT_TRUE(close_named("without segment_ids", m.embed(ids), golden()["bert.one_segment.embedded"],
                            {1e-5, 1e-6}, embed_suspects(m, ids)));
}

TEST(Step_9_1_embed, scales_the_tokens_and_not_the_positions) {
    TransformerConfig c = notes_config();
    for (const Positions positions : {Positions::sinusoidal, Positions::learned}) {
        c.positions = positions;
        const Transformer m = made(c);
        EXPECT_TRUE(
            close(m.embed(two_rows), embedded(m, two_rows), {1e-5, 1e-6}, embed_suspects(m, two_rows)));
    }
    c.num_segments = 2;
    const Transformer m = made(c);
    const Ids kinds{{0, 0, 1, 1, 1}, {0, 1, 1, 1, 1}};
    EXPECT_TRUE(close_named("with segments", m.embed(two_rows, nullptr, kinds), embedded(m, two_rows, kinds),
                            {1e-5, 1e-6}, embed_suspects(m, two_rows, kinds)));
}

TEST(Step_9_1_embed, adds_only_what_the_config_has) {
    for (const std::string name : {"gpt2", "llama"}) {
        const Transformer m = golden_model(name);
        EXPECT_TRUE(close_named(name, m.embed(two_rows), embedded(m, two_rows), {1e-5, 1e-6},
                                embed_suspects(m, two_rows)));
    }
}

TEST(Step_9_1_embed, drops_the_sum_in_training_alone) {
    TransformerConfig c = golden_config("bert");
    c.block.dropout = 0.4;
    const Transformer m = made(c);
    const Tensor x = embedded(m, two_rows);
    const auto dropped = [&](const Tensor& what, float kept = 0.6f) {
        return what * Tensor(Rng(5).bernoulli_array(x.shape(), kept)) / kept;
    };
    Rng rng(5);
    EXPECT_TRUE(close_named(
        "training", m.embed(two_rows, &rng), dropped(x), {1e-5, 1e-6},
        {{"nothing is dropped in training: the sum goes through dropout, with the rate of the blocks",
          [&] { return x; }},
         {"the rate is 0.1 whatever the config says: it is config.block.dropout",
          [&] { return dropped(x, 0.9f); }},
         {"the sum is dropped before the norm; the norm comes first",
          [&] { return (*m.embedding_norm)(dropped(embedded(m, two_rows, {}, "no norm"))); }}}));
    EXPECT_TRUE(close_named("evaluation", m.embed(two_rows), x));
}

TEST(Step_9_1_embed, sends_the_gradient_to_all_tables) {
    const Transformer m = golden_model("bert");
    const Ids ids = golden_ids("bert.ids"), kinds = golden_ids("bert.segment_ids");
    const auto found = gradients_of(m, m.embed(ids, nullptr, kinds)),
               expected = gradients_of(m, embedded(m, ids, kinds));
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(close_named("gradient of " + m.parameters()[i].name, found[i], expected[i]));
}

TEST(Step_9_1_embed, refuses_what_is_no_text_of_this_model) {
    const Transformer m = golden_model("bert"), plain = golden_model("gpt2");
    ASSERT_EQ(m.embed(two_rows).shape(), (Shape{2, 5, 8}));
    const auto embeds = [&](const Ids& ids) { return [&m, ids] { m.embed(ids); }; };
    EXPECT_TRUE(refuses<ValueError>(embeds(all_ones(1, 14)), {"14", "10"}, "a sequence longer than max_len"));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, 11}}), {"11", "0 ... 10"}, "an id beyond the table"));
    EXPECT_TRUE(refuses<ValueError>(embeds({{1, -1}}), {"-1", "11"}, "a negative id"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(Ids{1, 2, 3}), {"(3)"}, "ids without a batch"));
    EXPECT_TRUE(refuses<ShapeError>(embeds(all_ones(1, 0)), {"(1, 0)", "no token"}, "an empty sequence"));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            m.embed(two_rows, nullptr, Ids{{0, 1}, {0, 1}});
        },
        {"(2, 5)", "(2, 2)"}));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            m.embed({{1, 2}}, nullptr, Ids{{0, 2}});
        },
        {"segment 2", "0 ... 1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { plain.embed({{1, 2}}, nullptr, Ids{{0, 0}}); }, {"no segments"}));
}

// --- 9.2 logits --------------------------------------------------------------------------------------------

TEST(Step_9_2_logits, tied_logits_are_products_with_the_table_of_the_tokens) {
    const Transformer m = golden_model("gpt2"), notes = made(notes_config());
    EXPECT_TRUE(close_named("gpt2", m.logits(golden()["gpt2.hidden"]), golden()["gpt2.logits"]));
    const Tensor hidden = normal({2, 3, 16}, 3), right = matmul(hidden, notes.embedding.weight, Transpose::b);
    EXPECT_TRUE(
        close_named("scaled embedding", notes.logits(hidden), right, {1e-5, 1e-6},
                    {{"the logits are scaled by sqrt(d_model) as well; only what enters the first block is",
                      [&] { return right * 4.0f; }},
                     {"the logits are divided by sqrt(d_model)", [&] { return right / 4.0f; }},
                     {"the logits are scores, before any softmax", [&] { return softmax(right); }}}));
}

TEST(Step_9_2_logits, an_untied_model_uses_the_table_of_its_output) {
    const Transformer m = golden_model("llama");
    const Tensor hidden = normal({2, 3, 8}, 3);
    EXPECT_TRUE(close(m.logits(hidden), matmul(hidden, m.output->weight, Transpose::b), {1e-5, 1e-6},
                      {{"the table of the embedding is used although the model has one for its output",
                        [&] { return matmul(hidden, m.embedding.weight, Transpose::b); }}}));
}

TEST(Step_9_2_logits, send_the_gradient_to_hidden_and_table) {
    const Tensor hidden(normal({1, 3, 8}, 4).array(), true), weights = normal({1, 3, 11}, 5);
    for (const std::string name : {"gpt2", "llama"}) {
        const Transformer m = golden_model(name);
        const Tensor table = m.output ? m.output->weight : m.embedding.weight;
        Parameters both{{"hidden", hidden}, {"table", table}};
        clear_grads(both);
        ASSERT_TRUE(send_back(m.logits(hidden), weights));
        EXPECT_TRUE(gradient_close("the table", table,
                                   matmul(reshape(weights, {3, 11}), reshape(hidden, {3, 8}), Transpose::a)));
        EXPECT_TRUE(gradient_close("hidden", hidden, matmul(weights, table)));
    }
}

// --- 9.3 one sequence --------------------------------------------------------------------------------------

Tensor reference_logits(const Transformer& m, const Tensor& hidden) {
    return matmul(hidden, m.output ? m.output->weight : m.embedding.weight, Transpose::b);
}

// In training the logits are those of `hidden`, with nothing in between. `plain`: the same in evaluation.
testing::AssertionResult logits_of_hidden(const Transformer& m, const TransformerOutput& result,
                                          const TransformerOutput& plain) {
    testing::AssertionResult found =
        close_named("logits in training", result.logits, reference_logits(m, result.hidden), whole_model);
    return found << likely_if(!found && close(plain.logits, reference_logits(m, plain.hidden), whole_model),
                              "the hidden states are dropped once more before the logits");
}

// The hidden states of a model of one sequence, from chapter 08; `wrong` does one thing wrong.
Tensor reference_hidden(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds = {},
                        const std::string& wrong = "") {
    const auto padding = wrong == "no padding" ? std::nullopt : padding_of(m.config, ids);
    Tensor x = embedded(m, ids, kinds, wrong);
    if (wrong == "no stack") return x;
    const auto run = [&](const auto& stack) {
        if (wrong != "no final norm") return stack(x, padding).output;
        for (const auto& block : stack.blocks) x = block(x, padding).output;
        return x;
    };
    const auto* encoder = std::get_if<Encoder>(&m.stack);
    return encoder ? run(*encoder) : run(std::get<Decoder>(m.stack));
}

std::vector<Suspect> one_sequence_suspects(const Transformer& m, const Ids& ids,
                                           const std::optional<Ids>& kinds, bool hidden) {
    std::vector<Suspect> all;
    const auto add = [&](const std::string& message, const std::string& wrong) {
        all.push_back({message, [=] {
                           const Tensor h = reference_hidden(m, ids, kinds, wrong);
                           return hidden ? h : reference_logits(m, h);
                       }});
    };
    add("the final norm is left out: call the stack, not its blocks", "no final norm");
    add("the padding is not hidden: hand the stack padding_of(config, ids)", "no padding");
    add("segment_ids are not passed on to embed", "segment 0");
    add("the positions are missing: begin with embed, not with the table", "no positions");
    add("this is what embed gave; it has to go through the stack", "no stack");
    return all;
}

TEST(Step_9_3_one_sequence, equals_pytorch) {
    for (const std::string name : {"gpt2", "bert", "llama"}) {
        const Transformer m = golden_model(name);
        const Ids ids = golden_ids(name + ".ids");
        const auto kinds = m.segments ? std::optional(golden_ids(name + ".segment_ids")) : std::nullopt;
        const TransformerOutput result = m(ids, nullptr, kinds);
        EXPECT_TRUE(close_named(name + ": logits", result.logits, golden()[name + ".logits"], whole_model,
                                one_sequence_suspects(m, ids, kinds, false)));
        EXPECT_TRUE(close_named(name + ": hidden", result.hidden, reference_hidden(m, ids, kinds),
                                whole_model, one_sequence_suspects(m, ids, kinds, true)));
        if (!m.pooler) continue;
        EXPECT_TRUE(close_named("pooled", m.pooled(result.hidden), golden()["bert.pooled"], whole_model));
    }
}

// Sends the golden weights back through the joined results, and compares the gradient of every parameter.
void expect_golden_gradients(const std::string& name, const Transformer& m,
                             const std::vector<Tensor>& results) {
    std::vector<Tensor> flat;
    for (const Tensor& result : results) flat.push_back(reshape(result, {result.size()}));
    ASSERT_TRUE(send_back(concat(flat, 0), golden()[name + ".grad_weights"])) << name;
    ASSERT_TRUE(gradients_reach(m.parameters())) << name;
    for (const NamedTensor& p : m.parameters())
        EXPECT_TRUE(
            gradient_close(name + " " + p.name, p.tensor, golden()[name + ".grad_" + p.name], {1e-4, 2e-5}));
}

TEST(Step_9_3_one_sequence, sends_the_gradients_of_pytorch_to_every_parameter) {
    for (const std::string name : {"gpt2", "bert", "llama"}) {
        const Transformer m = golden_model(name);
        const auto kinds = m.segments ? std::optional(golden_ids("bert.segment_ids")) : std::nullopt;
        const TransformerOutput result = m(golden_ids(name + ".ids"), nullptr, kinds);
        ASSERT_TRUE(has_shape(result.hidden, {2, result.logits.size(1), 8}));
        std::vector<Tensor> results{result.logits};
        if (m.pooler) results.push_back(m.pooled(result.hidden));
        expect_golden_gradients(name, m, results);
    }
}

TEST(Step_9_3_one_sequence, gives_the_weights_of_every_layer) {
    const Transformer m = golden_model("gpt2");
    const TransformerOutput result = m(two_rows);
    const StackOutput run = std::get<Decoder>(m.stack)(embedded(m, two_rows));
    ASSERT_EQ(result.self_weights.size(), 2u) << "one for each layer: those of the stack's result";
    for (std::size_t layer = 0; layer < 2; ++layer)
        EXPECT_TRUE(close_named(fmt::format("weights of layer {}", layer), result.self_weights[layer],
                                run.weights[layer]));
    EXPECT_TRUE(result.cross_weights.empty()) << "a model of one sequence has no cross-attention";
}

TEST(Step_9_3_one_sequence, logits_of_a_decoder_do_not_depend_on_later_tokens) {
    const Transformer decoder = golden_model("gpt2"), encoder = golden_model("bert");
    Ids changed = two_rows;
    changed(0, 3) = 7;
    const auto head = [](const Tensor& x) { return slice(slice(x, 0, 0, 1), 1, 0, 3); };  // before position 3
    EXPECT_TRUE(close(head(decoder(changed).logits), head(decoder(two_rows).logits), {0, 0}));
    EXPECT_FALSE(close(head(encoder(changed).logits), head(encoder(two_rows).logits)))
        << "an encoder's positions look ahead: std::get<Encoder>(stack) where the model is one";
}

TEST(Step_9_3_one_sequence, a_padded_sentence_gives_what_it_gives_alone) {
    const Transformer m = golden_model("bert");
    const Tensor together = m({{3, 1, 4, 1, 5}, {9, 2, 6, 0, 0}}).logits, alone = m({{9, 2, 6}}).logits;
    ASSERT_TRUE(has_shape(together, {2, 5, 11}));
    EXPECT_TRUE(close(slice(slice(together, 0, 1, 2), 1, 0, 3), alone, whole_model));
}

TEST(Step_9_3_one_sequence, hides_padding_in_a_decoder_too) {
    TransformerConfig c = notes_config();
    c.pad_id = 0;
    const Transformer m = made(c);
    const Ids ids{{0, 3, 1, 0, 4}};  // before the text, so that the causal mask does not hide it anyway
    EXPECT_TRUE(close(
        m(ids).hidden, reference_hidden(m, ids), whole_model,
        {{"the padding is not hidden from the decoder: it matters where padding stands before real tokens",
          [&] { return reference_hidden(m, ids, {}, "no padding"); }}}));
}

TEST(Step_9_3_one_sequence, drops_in_the_embedding_and_in_every_block) {
    TransformerConfig c = notes_config();
    c.block.dropout = 0.3;
    const Transformer m = made(c);
    const auto run = [&](bool in_embedding, bool in_blocks) {
        Rng rng(6);
        const Tensor x = dropout(embedded(m, two_rows), 0.3, in_embedding ? &rng : nullptr);
        return std::get<Decoder>(m.stack)(x, std::nullopt, in_blocks ? &rng : nullptr);
    };
    Rng rng(6);
    const TransformerOutput result = m(two_rows, &rng);
    const std::string lost = "rng is not passed on to ";
    EXPECT_TRUE(close_named("training", result.hidden, run(true, true).output, whole_model,
                            {{lost + "embed and the stack", [&] { return run(false, false).output; }},
                             {lost + "embed", [&] { return run(false, true).output; }},
                             {lost + "the stack", [&] { return run(true, false).output; }}}));
    EXPECT_TRUE(logits_of_hidden(m, result, m(two_rows)));
    ASSERT_EQ(result.self_weights.size(), 2u);
    EXPECT_TRUE(
        close_named("weights in training", result.self_weights[1], run(true, true).weights[1], whole_model,
                    {{"these are of another run, in evaluation: take those of the run that gave the logits",
                      [&] { return run(false, false).weights[1]; }}}));
}

TEST(Step_9_3_one_sequence, refuses_a_model_of_two_sequences) {
    ASSERT_EQ(golden_model("gpt2")(two_rows).logits.shape(), (Shape{2, 5, 11}));
    EXPECT_TRUE(refuses<ValueError>([] { golden_model("original")(two_rows); }, {"encoder-decoder"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { golden_model("gpt2")(two_rows, nullptr, all_in_segment_0(two_rows)); },
                            {"no segments"}, "segment_ids for a model without segments"));
}

// --- 9.4 two sequences -------------------------------------------------------------------------------------

const Ids source_rows{{3, 1, 4, 0, 0}, {9, 2, 6, 5, 3}}, target_rows{{1, 7, 7, 2, 8}, {1, 3, 10, 0, 0}};

// The hidden states of the decoder, from chapter 08. `paddings`: of the encoder, of the memory's keys, of the
// target.
Tensor reference_decoded(const Transformer& m, const Ids& source, const Ids& target,
                         const std::vector<std::optional<Mask>>& paddings) {
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const Tensor memory = stack.encode(embedded(m, source), paddings[0]).output;
    return stack.decode(embedded(m, target), memory, paddings[1], paddings[2]).output;
}

std::vector<Suspect> two_sequence_suspects(const Transformer& m, const Ids& source, const Ids& target) {
    const auto s = padding_of(m.config, source), t = padding_of(m.config, target);
    const std::optional<Mask> none;
    std::vector<Suspect> all;
    const auto add = [&](const std::string& message, const std::vector<std::optional<Mask>>& paddings) {
        all.push_back(
            {message, [=] { return reference_logits(m, reference_decoded(m, source, target, paddings)); }});
    };
    add("the source's padding is not hidden from the encoder", {none, s, t});
    add("the source's padding is not hidden from cross-attention", {s, none, t});
    add("the source's padding is hidden nowhere", {none, none, t});
    add("the target's padding is not hidden from self-attention", {s, s, none});
    add("no padding is hidden", {none, none, none});
    if (shape_of(source) != shape_of(target)) return all;
    add("the padding of the target is used for the source's keys: they are those of the source", {s, t, t});
    add("the paddings of source and target are exchanged", {s, t, s});
    add("the padding of the source is used for the target's keys", {s, s, s});
    const auto other = [&](const std::string& message, bool target_read, bool source_written) {
        all.push_back(
            {message, [=] {
                 const auto& stack = std::get<EncoderDecoder>(m.stack);
                 const Tensor memory =
                     stack.encode(embedded(m, target_read ? target : source), target_read ? t : s).output;
                 const Tensor x = embedded(m, source_written ? source : target);
                 return reference_logits(m, stack.decode(x, memory, s, t).output);
             }});
    };
    other("the encoder is given the target; it reads the source", true, false);
    other("the decoder is given the source; it reads the target", false, true);
    all.push_back({"source and target are exchanged: the decoder reads the target", [=] {
                       return reference_logits(m, reference_decoded(m, target, source, {t, t, s}));
                   }});
    all.push_back({"the memory is the embedded source; it has to go through the encoder", [=] {
                       const auto& stack = std::get<EncoderDecoder>(m.stack);
                       const Tensor memory = embedded(m, source);
                       return reference_logits(m, stack.decode(embedded(m, target), memory, s, t).output);
                   }});
    return all;
}

TEST(Step_9_4_two_sequences, equals_pytorch) {
    const Transformer m = golden_model("original");
    const Ids source = golden_ids("original.source"), target = golden_ids("original.target");
    EXPECT_TRUE(close(m(source, target).logits, golden()["original.logits"], whole_model,
                      two_sequence_suspects(m, source, target)));
}

TEST(Step_9_4_two_sequences, sends_the_gradients_of_pytorch_to_every_parameter) {
    const Transformer m = golden_model("original");
    const TransformerOutput result = m(golden_ids("original.source"), golden_ids("original.target"));
    expect_golden_gradients("original", m, {result.logits});
}

TEST(Step_9_4_two_sequences, each_padding_hides_its_own_keys) {
    const Transformer m = golden_model("original");
    const auto s = padding_of(m.config, source_rows), t = padding_of(m.config, target_rows);
    const Tensor hidden = reference_decoded(m, source_rows, target_rows, {s, s, t});
    const TransformerOutput result = m(source_rows, target_rows);
    EXPECT_TRUE(close_named("logits", result.logits, reference_logits(m, hidden), whole_model,
                            two_sequence_suspects(m, source_rows, target_rows)));
    EXPECT_TRUE(close_named("hidden", result.hidden, hidden, whole_model));
    const auto memory = std::get<EncoderDecoder>(m.stack).encode(embedded(m, source_rows), s).output;
    EXPECT_TRUE(close_named(
        "encode", m.encode(source_rows).output, memory, whole_model,
        {{"the padding of the source is not hidden from the encoder",
          [&] { return std::get<EncoderDecoder>(m.stack).encode(embedded(m, source_rows)).output; }}}));
}

TEST(Step_9_4_two_sequences, one_memory_serves_any_number_of_targets) {
    const Transformer m = golden_model("original");
    const StackOutput memory = m.encode(source_rows);
    EXPECT_TRUE(close(m.decode(target_rows, memory.output, source_rows).logits,
                      m(source_rows, target_rows).logits, {0, 0}));
    const Tensor doubled = memory.output * 2.0f;
    const auto s = padding_of(m.config, source_rows), t = padding_of(m.config, target_rows);
    EXPECT_TRUE(close_named(
        "another memory", m.decode(target_rows, doubled, source_rows).hidden,
        std::get<EncoderDecoder>(m.stack).decode(embedded(m, target_rows), doubled, s, t).output, whole_model,
        {{"decode does not use the memory that it is given: it encodes the source anew", [&] {
              return reference_decoded(m, source_rows, target_rows, {s, s, t});
          }}}));
    const Ids beginning{{1, 7, 7}, {1, 3, 10}};
    const Tensor shorter = m.decode(beginning, memory.output, source_rows).logits;
    const Tensor whole = m.decode(target_rows, memory.output, source_rows).logits;
    ASSERT_TRUE(has_shape(whole, {2, 5, 11}));
    EXPECT_TRUE(close_named("the first three of five", slice(whole, 1, 0, 3), shorter, whole_model));
}

TEST(Step_9_4_two_sequences, gives_both_kinds_of_weights_of_every_layer) {
    const Transformer m = golden_model("original");
    const TransformerOutput result = m(golden_ids("original.source"), golden_ids("original.target"));
    const std::string exchanged = "self- and cross-weights are exchanged";
    ASSERT_EQ(result.self_weights.size(), 2u);
    ASSERT_EQ(result.cross_weights.size(), 2u);
    EXPECT_EQ(result.self_weights[0].shape(), (Shape{2, 2, 5, 5}))
        << likely_if(result.self_weights[0].size(-1) == 6, exchanged);
    EXPECT_EQ(result.cross_weights[1].shape(), (Shape{2, 2, 5, 6}))
        << likely_if(result.cross_weights[1].size(-1) == 5, exchanged);
}

TEST(Step_9_4_two_sequences, drops_on_both_sides_in_training) {
    TransformerConfig c = notes_config(Architecture::encoder_decoder);
    c.block.dropout = 0.3;
    const Transformer m = made(c);
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    // Where rng is passed on (1) or not (0): embed, encoder, embed, decoder. The target may be embedded before
    // the encoder runs: that is as right, but the random draws are others.
    const auto expected = [&](const std::string& on, bool embedded_first = false) {
        Rng rng(8);
        const auto at = [&](std::size_t place) { return on[place] == '1' ? &rng : nullptr; };
        const Tensor x = dropout(embedded(m, two_rows), 0.3, at(0));
        Tensor memory, y;
        if (!embedded_first) memory = stack.encode(x, {}, at(1)).output;
        y = dropout(embedded(m, target_rows), 0.3, at(2));
        if (embedded_first) memory = stack.encode(x, {}, at(1)).output;
        return stack.decode(y, memory, {}, {}, at(3));
    };
    Rng rng(8);
    const TransformerOutput result = m(two_rows, target_rows, &rng);
    const bool embedded_first = bool(close(result.hidden, expected("1111", true).output, whole_model));
    std::vector<Suspect> suspects;
    const std::map<std::string, std::string> lost{
        {"0111", "the embed of encode"}, {"1011", "the encoder"}, {"1101", "the embed of decode"},
        {"1110", "the decoder"},         {"0011", "encode"},      {"1100", "decode"},
        {"0000", "either side"}};
    for (const auto& one : lost) {
        suspects.push_back({"rng is not passed on to " + one.second,
                            [&expected, on = one.first] { return expected(on).output; }});
    }
    EXPECT_TRUE(close(result.hidden, expected("1111", embedded_first).output, whole_model, suspects));
    EXPECT_TRUE(logits_of_hidden(m, result, m(two_rows, target_rows)));
    ASSERT_EQ(result.cross_weights.size(), 2u);
    EXPECT_TRUE(
        close_named("cross weights in training", result.cross_weights[1],
                    expected("1111", embedded_first).cross_weights[1], whole_model,
                    {{"these are of another run, in evaluation: take those of the run that gave the logits",
                      [&] { return expected("0000").cross_weights[1]; }}}));
}

TEST(Step_9_4_two_sequences, a_thousand_training_steps_keep_the_resident_size_flat) {
    TransformerConfig c = notes_config(Architecture::encoder_decoder);
    c.num_layers = 1;
    c.pad_id = 0;
    c.block.dropout = 0.1;
    Rng rng(1);
    const Transformer m(c, rng);
    const Parameters parameters = m.parameters();
    const auto step = [&](std::size_t i) {  // of several lengths, so that arrays of several sizes come and go
        const Tensor logits = m(all_ones(2, 2 + i % 9), all_ones(2, 2 + i % 7), &rng).logits;
        gradient_step(mean(logits * logits), parameters, 0.01f);
    };
    EXPECT_TRUE(resident_size_stays_flat(step, 200, 1000));
}

TEST(Step_9_4_two_sequences, refuses_what_does_not_belong_together) {
    const Transformer m = golden_model("original"), decoder = golden_model("gpt2");
    const Tensor memory = m.encode(source_rows).output;
    ASSERT_EQ(m.decode(target_rows, memory, source_rows).logits.shape(), (Shape{2, 5, 11}));
    const Ids three{{1, 2}, {3, 4}, {5, 6}}, longer{{3, 1, 4, 1, 5, 9}, {9, 2, 6, 5, 3, 5}};
    EXPECT_TRUE(refuses<ShapeError>([&] { m(source_rows, three); }, {"(2, 5)", "(3, 2)"},
                                    "two sources, three targets"));
    EXPECT_TRUE(refuses<ShapeError>([&] { m.decode(three, memory, source_rows); }, {"(2, 5)", "(3, 2)"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { m.decode(target_rows, memory, longer); }, {"(2, 5, 8)", "(2, 6)"},
                                    "a memory of another source"));
    EXPECT_TRUE(refuses<ValueError>([&] { m(all_ones(2, 12), target_rows); }, {"source", "12", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { m.encode({{1, 11}}); }, {"source", "11"}));
    EXPECT_TRUE(
        refuses<ValueError>([&] { m.decode(all_ones(2, 12), memory, source_rows); }, {"target", "12", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { decoder.encode(two_rows); }, {"a decoder"}));
    EXPECT_TRUE(refuses<ValueError>([&] { decoder(two_rows, two_rows); }, {"a decoder"}));
}

// --- 9.5 transformer_parameters ----------------------------------------------------------------------------

using CountsOfParts = std::map<std::string, Counts>;

// Each part against what it is, and against what is often counted in its place.
void add_parts(CountsOfParts& parts, const std::string& name, const TransformerConfig& c,
               const TransformerParameters& expected) {
    const TransformerParameters counted = transformer_parameters(c);
    const BlockParameters one = block_parameters(c.block);
    const bool both = c.architecture == Architecture::encoder_decoder;
    const std::size_t sides = both ? 2 : 1, layers = c.num_layers, d_model = c.block.d_model;
    const std::size_t table = c.vocab_size * d_model, last = c.final_norm ? 1 : 0;
    const std::size_t first = c.embedding_norm ? 1 : 0, attentions = both ? 3 : 1, norms = both ? 5 : 2;
    const std::string no_layers = "the layers are forgotten: this is one block",
                      one_side = "only one of the two sides is counted",
                      layer_norms =
                          "a norm counted as 2 d_model: RMSNorm has no beta (BlockParameters::norm)";
    const auto add = [&](const std::string& part, std::size_t TransformerParameters::*count,
                         const std::vector<WrongCount>& wrong) {
        parts[part].add(name + ": " + part, counted.*count, expected.*count, wrong);
    };
    using P = TransformerParameters;
    add("embedding", &P::embedding, {{"source and target share one table", sides * table}});
    add("positions", &P::positions,
        {{"only learned positions are parameters; sinusoids and rotations are computed",
          c.max_len * d_model}});
    add("segments", &P::segments, {{"the segments are forgotten: a row for each of num_segments", 0}});
    add("norms", &P::norms,
        {{"the norms outside of the blocks are forgotten: of the embedding, and the final one", 0},
         {"both sides have a final norm", one.norm * (last + first)},
         {"the norm of the embedding is one, as its table: both sides share it",
          one.norm * sides * (last + first)},
         {"final_norm is not looked at: not every model has one", one.norm * (sides + first)},
         {"embedding_norm is not looked at: only some models have one", one.norm * (sides * last + 1)},
         {"the norm of the embedding is forgotten", one.norm * sides * last},
         {layer_norms, 2 * d_model * (sides * last + first)}});
    add("attention", &P::attention,
        {{no_layers, one.attention * attentions},
         {one_side, one.attention * layers},
         {"cross-attention is not counted: a block of the decoder has two attentions",
          one.attention * layers * sides},
         {"the biases are forgotten: BlockParameters::attention has those of the config",
          4 * d_model * d_model * layers * attentions}});
    add("feed_forward", &P::feed_forward,
        {{no_layers, one.feed_forward * sides},
         {one_side, one.feed_forward * layers},
         {"a block of the decoder has two attentions, but one feed-forward network",
          one.feed_forward * layers * attentions}});
    add("block_norms", &P::block_norms,
        {{"one norm for each block: BlockParameters::norm is ONE norm, a block has two",
          one.norm * layers * sides},
         {no_layers, one.norm * norms},
         {one_side, one.norm * layers * 2},
         {"the third norm of the decoder's blocks is not counted", one.norm * layers * 2 * sides},
         {layer_norms, 2 * d_model * layers * norms}});
    add("pooler", &P::pooler,
        {{"the pooler is not counted", 0},
         {"the pooler has a bias", c.pooler ? d_model * d_model : 0},
         {"the pooler is counted though the config has none", d_model * d_model + d_model}});
    add("output", &P::output,
        {{"a tied output is counted twice: it has no weights of its own", table},
         {"an untied output has a table of its own", 0},
         {"the output has no bias", c.tied_output ? 0 : table + c.vocab_size}});
}

TEST(Step_9_5_transformer_parameters, models_to_the_unit) {
    CountsOfParts parts;
    add_parts(parts, "bert-base", preset("bert-base"),
              {.embedding = 23440896,
               .positions = 393216,
               .segments = 1536,
               .norms = 1536,
               .attention = 28348416,
               .feed_forward = 56669184,
               .block_norms = 36864,
               .pooler = 590592});
    add_parts(parts, "gpt2", preset("gpt2"),
              {.embedding = 38597376,
               .positions = 786432,
               .norms = 1536,
               .attention = 28348416,
               .feed_forward = 56669184,
               .block_norms = 36864});
    add_parts(parts, "llama-7b", preset("llama-7b"),
              {.embedding = 131072000,
               .norms = 4096,
               .attention = 2147483648,
               .feed_forward = 4328521728,
               .block_norms = 262144,
               .output = 131072000});
    TransformerConfig both = preset("original");
    both.final_norm = true;      // as torch.nn.Transformer has on both sides
    both.embedding_norm = true;  // of the one embedding
    add_parts(parts, "original with more norms", both,
              {.embedding = 18944000,
               .norms = 3072,
               .attention = 18874368,
               .feed_forward = 25196544,
               .block_norms = 30720});
    for (const auto& [part, counts] : parts) EXPECT_TRUE(counts.right());
    const std::vector<std::pair<std::string, std::size_t>> totals{
        {"bert-base", 109482240}, {"gpt2", 124439808}, {"llama-7b", 6738415616}, {"qwen-7b", 7721324544}};
    for (const auto& [name, expected] : totals)
        EXPECT_EQ(transformer_parameters(preset(name)).total(), expected) << name;
}

TEST(Step_9_5_transformer_parameters, equals_counting_for_every_kind_of_model) {
    std::vector<TransformerConfig> configs;
    for (const char* name : {"gpt2", "bert", "original", "llama"}) configs.push_back(golden_config(name));
    for (const char* name : {"tiny-encoder", "tiny-decoder", "tiny-llama", "tiny-encoder-decoder"})
        configs.push_back(preset(name));
    for (const Architecture architecture : {Architecture::decoder_only, Architecture::encoder_decoder}) {
        TransformerConfig c = notes_config(architecture);
        c.final_norm = c.tied_output = false;
        configs.push_back(c);
    }
    for (std::size_t i = 0; i < configs.size(); ++i) {
        const std::size_t formula = transformer_parameters(configs[i]).total();
        EXPECT_EQ(formula, count_parameters(made(configs[i]).parameters())) << "config " << i;
        const TransformerConfig& c = configs[i];
        EXPECT_EQ(total(transformer_costs(c, 2, 5, 4)).parameters, formula) << "the summary of config " << i;
    }
}

// --- 9.6 and 9.7 generation --------------------------------------------------------------------------------

std::vector<std::int64_t> list(const Ids& ids) { return {ids.begin(), ids.end()}; }

TEST(Step_9_6_generate_greedy, takes_the_largest_logit_of_the_last_position) {
    const Tensor logits = Tensor::from({1, 3, 4}, {5, 0, 0, 0, 0, 9, 0, 0, 1, 2, 4, 3});
    const std::int64_t token = greedy_token(logits);
    EXPECT_EQ(token, 2)
        << likely_if(token == 0,
                     "this is the token of the first position; the LAST one predicts what comes next")
        << likely_if(token == 1,
                     "this is the token of the position before the last, or of the largest logit of all "
                     "positions; only the LAST one predicts what comes next")
        << likely_if(token == 10 || token == 5,
                     "an index into all logits: it counts the positions before as well");
    const std::int64_t equal = greedy_token(Tensor::from({1, 1, 4}, {-3, -1, -1, -2}));
    EXPECT_EQ(equal, 1) << "of equal ones the smallest id; and logits may all be negative"
                        << likely_if(equal == 2, "of equal logits this is the last one")
                        << likely_if(equal == 0, "the search begins with 0, but all logits may be negative");
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)greedy_token(Tensor::zeros({2, 3, 4})); }, {"(2, 3, 4)"}));
}

const std::string dropout_is_on = "dropout is on: generating is no training, so no rng is passed on";

// The tokens of the golden model when each is taken from the position `back` before the last.
std::vector<std::int64_t> generated_from(const Transformer& m, Ids ids, std::size_t new_tokens,
                                         std::size_t back) {
    for (std::size_t i = 0; i < new_tokens; ++i) {
        const Tensor logits = reference_logits(m, reference_hidden(m, ids));
        const std::size_t at = logits.size(1) - 1 - std::min(back, logits.size(1) - 1);
        const auto row = logits.values().subspan(at * logits.size(2), logits.size(2));
        ids = appended(ids, std::max_element(row.begin(), row.end()) - row.begin());
    }
    return list(ids);
}

TEST(Step_9_6_generate_greedy, continues_the_prompt_as_pytorch_does) {
    const Transformer m = golden_model("gpt2", 0.5);  // generating is no training: nothing is dropped
    const Ids prompt = golden_ids("gpt2.prompt");
    const auto found = list(generate_greedy(m, prompt, 8)), expected = list(golden_ids("gpt2.generated"));
    const auto again = [&] {  // the tokens when the model sees nothing but the prompt
        auto all = list(prompt);
        all.resize(expected.size(), generated_from(m, prompt, 1, 0).back());
        return all;
    };
    const auto without_dropout = list(generate_greedy(golden_model("gpt2"), prompt, 8));
    EXPECT_EQ(found, expected) << likely_if(found == generated_from(m, prompt, 8, 1),
                                            "logits shifted by one: the position before the last is read")
                               << likely_if(found == generated_from(m, prompt, 8, 99),
                                            "the first position is read, not the last")
                               << likely_if(found == std::vector(expected.begin() + 2, expected.end()),
                                            "the prompt is missing: the result begins with it")
                               << likely_if(
                                      found == again(),
                                      "the model is run on the prompt again and again; it has to read the "
                                      "new tokens as well")
                               << likely_if(found.size() == expected.size() + 1, "this is one token too many")
                               << likely_if(found.size() + 1 == expected.size(), "this is one token too few")
                               << likely_if(found != expected && without_dropout == expected, dropout_is_on);
    EXPECT_EQ(list(generate_greedy(m, prompt, 0)), list(prompt));
}

TEST(Step_9_6_generate_greedy, ends_after_the_end_token) {
    const Transformer m = golden_model("gpt2");
    const Ids prompt = golden_ids("gpt2.prompt");
    const auto whole = list(golden_ids("gpt2.generated"));  // 3 7 | 10 10 9 9 9 6 9 6
    const auto cut = [&](long n) { return std::vector(whole.begin(), whole.begin() + n); };
    const auto found = list(generate_greedy(m, prompt, 8, 9));
    EXPECT_EQ(found, cut(5)) << likely_if(found == cut(4),
                                          "the end token is not added: it belongs to the text")
                             << likely_if(found == whole, "end_id is not looked at");
    EXPECT_EQ(list(generate_greedy(m, prompt, 3, 7)), cut(5)) << "an end token in the prompt ends nothing";
}

TEST(Step_9_6_generate_greedy, refuses_what_can_not_be_continued) {
    const Transformer m = golden_model("gpt2");
    const Ids prompt{{3, 7, 1}};
    ASSERT_EQ(generate_greedy(m, prompt, 7).size(), 10u) << "3 and 7 are max_len: that fits";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 8); }, {"3", "8", "10"}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)generate_greedy(m, two_rows, 1); }, {"(2, 5)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)generate_greedy(m, prompt, 1, 11); }, {"end_id 11", "10"}));
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)generate_greedy(golden_model("bert"), prompt, 1); }, {"an encoder"}));
}

// Eight tokens of the golden model; `wrong` does one thing wrong.
std::vector<std::int64_t> translated(const Transformer& m, const Ids& source, const std::string& wrong) {
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const auto s = padding_of(m.config, source);
    Tensor memory = embedded(m, source);
    if (wrong != "embedded") memory = stack.encode(memory, s).output;
    Ids target = one_token(1);
    for (std::size_t i = 0; i < 8; ++i) {
        const Tensor hidden =
            stack.decode(embedded(m, target), memory, s, padding_of(m.config, target)).output;
        const Tensor scores = wrong == "hidden" ? hidden : reference_logits(m, hidden);
        const auto row = scores.values().subspan(scores.size() - scores.size(2));
        const std::int64_t token = std::max_element(row.begin(), row.end()) - row.begin();
        target = i == 0 && wrong == "replaced" ? one_token(token) : appended(target, token);
    }
    return list(target);
}

TEST(Step_9_7_translate_greedy, writes_what_pytorch_writes) {
    const Transformer m = golden_model("original", 0.5);  // generating is no training: nothing is dropped
    const Ids all = golden_ids("original.source");
    Ids source = Ids::from_shape({1, 6});  // the first sentence, padding included
    std::copy_n(all.begin(), 6, source.begin());
    const auto whole = list(golden_ids("original.translated"));  // 1 | 3 3 3 3 5 7 7 7
    const auto cut = [&](long n) { return std::vector(whole.begin(), whole.begin() + n); };
    const auto few = list(translate_greedy(m, source, 1, 2));
    EXPECT_EQ(few, cut(3)) << likely_if(few == std::vector(whole.begin() + 1, whole.begin() + 3),
                                        "the start token is lost: the target begins with it")
                           << likely_if(few.size() == 8,
                                        "the target begins with the source; it begins with start_id alone");
    const auto found = list(translate_greedy(m, source, 1, 8));
    const auto without_dropout = list(translate_greedy(golden_model("original"), source, 1, 8));
    EXPECT_EQ(found, whole) << likely_if(found == translated(m, source, "embedded"),
                                         "the memory is the embedded source; it has to go through encode")
                            << likely_if(found == translated(m, source, "hidden"),
                                         "the largest of `hidden`, not of the logits")
                            << likely_if(found == translated(m, source, "replaced"),
                                         "the first token replaces start_id; it is appended to it")
                            << likely_if(found.size() == whole.size() + 1, "this is one token too many")
                            << likely_if(found.size() + 1 == whole.size(), "this is one token too few")
                            << likely_if(found != whole && without_dropout == whole, dropout_is_on);
    EXPECT_EQ(list(translate_greedy(m, source, 1, 0)), cut(1));
    const auto ended = list(translate_greedy(m, source, 1, 8, 5));
    EXPECT_EQ(ended, cut(6)) << likely_if(ended == cut(5),
                                          "the end token is not added: it belongs to the target")
                             << likely_if(ended == whole, "end_id is not looked at");
    EXPECT_EQ(list(translate_greedy(m, source, 1, 3, 1)), cut(4))
        << "a start token that is the end token ends nothing";
}

TEST(Step_9_7_translate_greedy, refuses_what_can_not_be_translated) {
    const Transformer m = golden_model("original");
    const Ids source{{3, 7, 1}};
    ASSERT_EQ(translate_greedy(m, source, 1, 9).size(), 10u) << "the start and 9 more are max_len: that fits";
    EXPECT_TRUE(
        refuses<ValueError>([&] { (void)translate_greedy(m, source, 1, 10); }, {"start_id", "max_len = 10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(m, source, 11, 0); }, {"start_id 11"}));
    EXPECT_TRUE(
        refuses<ShapeError>([&] { (void)translate_greedy(m, two_rows, 1, 1); }, {"source", "(2, 5)"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)translate_greedy(golden_model("gpt2"), source, 1, 1); },
                                    {"a decoder"}));
}

// --- what is given -----------------------------------------------------------------------------------------

TEST(Given, a_config_tells_all_that_does_not_fit_at_once) {
    TransformerConfig c = notes_config();
    c.vocab_size = 0;
    c.pooler = true;
    c.positions = Positions::rotary;
    c.block.num_heads = 3;
    c.block.dropout = 1.5;
    EXPECT_TRUE(refuses<ValueError>(
        [&] { made(c); }, {"vocab_size is 0", "pooler", "block.rotary is not set", "3 heads", "16", "1.5"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)transformer_parameters(c); }, {"vocab_size is 0", "1.5"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)preset("gpt5"); }, {"gpt5", "gpt2", "tiny-llama"}));
    for (const std::string& name : preset_names()) EXPECT_TRUE(problems(preset(name)).empty()) << name;
    c.num_layers = c.max_len = 0;
    EXPECT_TRUE(refuses<ValueError>([&] { made(c); }, {"num_layers is 0", "max_len is 0"}));
}

TEST(Given, pooler_and_costs_refuse_shapes_that_make_no_sense) {
    const Transformer m = golden_model("bert");
    EXPECT_TRUE(refuses<ShapeError>([&] { m.pooled(Tensor::zeros({2, 8})); }, {"(2, 8)", "d_model = 8"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)transformer_costs(preset("gpt2"), 1, 5000); }, {"5000", "1024"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)transformer_costs(preset("original"), 1, 30); }, {"target = 0"}));
}

// But for the copies that `reshape` makes where heads are split and merged: four for each attention (step
// 7.7).
TEST(Given, the_summary_counts_the_bytes_that_the_tape_keeps) {
    for (const std::string name : {"gpt2", "bert", "llama", "original"}) {
        const Transformer m = golden_model(name);
        const bool both = name == "original";
        const TransformerOutput result = both ? m(two_rows, target_rows) : m(two_rows);
        const std::size_t row = sizeof(float) * 2 * 8;
        const std::size_t copies = 2 * (both ? 3 : 1) * copies_of_reshape(m.config.block, 2, 5, 5);
        std::size_t expected = total(transformer_costs(m.config, 2, 5, 5)).bytes + copies;
        if (m.pooler) expected -= 3 * row;  // it hangs on `hidden`, not on the logits
        EXPECT_EQ(tape_bytes(result.logits), expected) << name;
    }
}

TEST(Given, saved_weights_give_the_same_logits_to_the_bit) {
    const ScratchFolder folder;
    const auto path = folder / "model.safetensors";
    const Transformer m = golden_model("bert"), other = made(m.config, 99);
    save_weights(m, path);
    ASSERT_FALSE(close(other(two_rows).logits, m(two_rows).logits));
    load_weights(other, path);
    EXPECT_TRUE(close(other(two_rows).logits, m(two_rows).logits, {0, 0}));
}

TEST(Given, a_file_that_does_not_fit_is_refused_as_a_whole) {
    const ScratchFolder folder;
    const auto path = folder / "model.safetensors", cut = folder / "cut.safetensors";
    const Transformer m = golden_model("gpt2"), other = golden_model("bert");
    save_weights(other, path);
    const Array before = m.embedding.weight.array();
    EXPECT_TRUE(refuses<FileError>([&] { load_weights(m, path); },
                                   {"final_norm.gamma", "final_norm.beta", "segments.weight"}));
    TransformerConfig wide = m.config;
    wide.block.d_ff = 16;
    save_weights(made(wide), path);
    EXPECT_TRUE(refuses<FileError>(
        [&] { load_weights(m, path); },
        {"blocks.0.feed_forward.up.weight", "blocks.0.feed_forward.down.weight", "(16, 8)", "(12, 8)"}));
    std::filesystem::copy_file(path, cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 100);
    EXPECT_TRUE(refuses<FileError>([&] { load_weights(m, cut); }, {"cut.safetensors"}));
    EXPECT_TRUE(
        refuses<FileError>([&] { load_weights(m, folder / "none.safetensors"); }, {"none.safetensors"}));
    EXPECT_TRUE(close(m.embedding.weight.array(), before, {0, 0}))
        << "nothing may be changed by a file that does not fit";
}

}  // namespace
}  // namespace tfs::test
