// chapters/01_attention/program/trained_head.cpp · a head that chapter 10 trained, step by step, and what it looks for
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "chapters/01_attention/models/noun_maps.hpp"
#include "chapters/01_attention/program/options.hpp"
#include "common/program/trained.hpp"

namespace tfs {

namespace {

// "tired looks at cat (0.94)": the word to which the last one attends most.
std::string in_words(const NounFinder& model, const Tokens& sentence) {
    const std::vector<float> weights = guess_noun(model, sentence).weights;
    const auto most = std::max_element(weights.begin(), weights.end());
    return fmt::format("{} looks at {} ({:.2f})", sentence.back(),
                       sentence[static_cast<std::size_t>(most - weights.begin())], *most);
}

// The indices of the largest of these values, the largest first.
std::vector<std::size_t> largest(const std::vector<float>& values, std::size_t count) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
    order.resize(std::min(count, order.size()));
    return order;
}

std::vector<float> last_row(const Tensor& x) {
    const auto values = x.values();
    return {values.end() - static_cast<std::ptrdiff_t>(x.size(-1)), values.end()};
}

FlowFigure head_flow() {
    const FlowKind step = FlowKind::attention;
    FlowPanel panel;
    panel.boxes = {{"x", "x (10, 64): a row for each word", FlowKind::input},
                   {"q = w_q(x)", "q (10, 64): what each word looks for", step},
                   {"q kᵀ", "scores (10, 10): a row for each query", step},
                   {"/ √d_k, softmax", "weights (10, 10): each row sums to 1", step},
                   {"weights · v", "output (10, 64): a mean of values for each word", step}};
    panel.inputs = {{2, "k = w_k(x)", "(10, 64): how each word is found"},
                    {4, "v = w_v(x)", "(10, 64): what each word passes on"}};
    return {
        .name = "one_head",
        .title = "One head, from bottom to top",
        .panels = {panel},
        .caption =
            "Queries, keys and values are made from the same x by three learned matrices. Keys enter where "
            "words are compared, values where the result is made."};
}

// Each step of a head on x (1, seq, d_model), a line for each.
AttentionOutput trace_head(Report& trace, const Tensor& x, const SelfAttention& head) {
    const Tensor q = head.w_q(x), k = head.w_k(x), v = head.w_v(x);
    trace.step("x", x, {"batch", "seq", "d_model"}, "a vector for each word");
    trace.step("q", q, {"batch", "query", "d_k"}, "what it looks for");
    trace.step("k", k, {"batch", "key", "d_k"}, "how it is found");
    trace.step("v", v, {"batch", "key", "d_v"}, "what it passes on");
    const Tensor scores = matmul(q, k, Transpose::b);
    trace.step("scores", scores, {"batch", "query", "key"}, "q k^T");
    trace.step("scaled", scores / std::sqrt(static_cast<float>(q.size(-1))), {"batch", "query", "key"},
               fmt::format("scores / sqrt({})", q.size(-1)));
    const AttentionOutput result = scaled_dot_product_attention(q, k, v);
    trace.step("weights", result.weights, {"batch", "query", "key"}, "softmax over the keys");
    trace.step("output", result.output, {"batch", "query", "d_v"}, "weighted mean of v");
    trace.check_rows_sum_to_one("weights", result.weights);
    return result;
}

// "  The .01   cat .94   …": what the last word gives to each word.
std::string row_in_words(const Tokens& tokens, const Tensor& weights) {
    const std::vector<float> row = last_row(weights);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        parts.push_back(fmt::format("{} {:.2f}", tokens[i], row[i]));
    return fmt::format("weights of \"{}\": {}", tokens.back(), fmt::join(parts, "  "));
}

Report report_of(const NounFinder& model, const Tokens& tokens) {
    Report report;
    const Ids ids = model.tokenizer.encode(tokens);
    const Tensor x = model.embedding(ids);
    const AttentionOutput result = trace_head(report, x, single_head(model.attention, 0));
    report.note(row_in_words(tokens, result.weights));
    const std::vector<float> p = last_row(softmax(model.logits(ids)));
    std::vector<std::string> answers;
    for (const std::size_t word : largest(p, 3))
        answers.push_back(fmt::format("{} {:.3f}", model.tokenizer.tokens()[word], p[word]));
    report.note(fmt::format("two more matrices turn its output into probabilities of {} words: {}",
                            model.tokenizer.size(), fmt::join(answers, "  ")));
    Tokens last_words = {tokens.back()}, sentence = tokens;
    if (last_words[0] == "tired") {  // the sentence of the lesson, with another end
        last_words.push_back("soft");
        sentence.back() = "soft";
        report.note("with another last word: " + in_words(model, sentence));
    }
    report.add(noun_maps(model, tokens, last_words));
    return report;
}

Report untrained_report(const Request& request) {
    const auto [x, attention] = untrained_attention(request);
    const Tokens tokens = request.words(options::text);
    Report report;
    const AttentionOutput result = trace_head(report, x, single_head(attention, 0));
    report.add(Map{reshape(result.weights, {x.size(1), x.size(1)}).array(),
                   {.title = "weights of head 1, untrained", .rows = tokens, .columns = tokens}});
    return report;
}

Report show_best_keys(const Request&) {
    const auto model = trained_noun_finder();
    Report report;
    const SelfAttention head = single_head(model.attention, 0);
    const Tensor k = head.w_k(model.embedding.weight);  // (words, d_k)
    const float root = std::sqrt(static_cast<float>(k.size(-1)));
    for (const std::string adjective : {"tired", "soft"}) {
        const auto id = static_cast<std::size_t>(model.tokenizer.encode(adjective)(0, 0));
        const Tensor q = head.w_q(slice(model.embedding.weight, 0, id, id + 1));
        const std::vector<float> scores = last_row(matmul(q, k, Transpose::b) / root);
        std::vector<std::string> best;
        for (const std::size_t word : largest(scores, 14))
            best.push_back(fmt::format("{} {:.1f}", model.tokenizer.tokens()[word], scores[word]));
        report.note(fmt::format("{} fits: {}", adjective, fmt::join(best, ", ")));
    }
    return report;
}

// The trained head where it knows all words of the sentence, else one of random weights, and a line that says why.
Report show_trained_head(const Request& request) {
    const Tokens tokens = request.words(options::text);
    Report report;
    const auto model = trained_or_reason(report, "this run shows random weights, which mean nothing",
                                         [&] { return trained_noun_finder(tokens); });
    report.add(model ? report_of(*model, tokens) : untrained_report(request));
    report.add(head_flow());
    return report;
}

Report show_untrained_head(const Request& request) {
    Report report = untrained_report(request);
    report.add(head_flow());
    return report;
}

}  // namespace

Section trained_head() {
    return {.id = "trained-head",
            .title = "A trained head, step by step",
            .options = {options::text, options::heads, options::d_model, options::seed},
            .run = show_trained_head};
}

Section untrained_head() {
    return {.id = "untrained-head",
            .title = "An untrained head, step by step",
            .options = {options::text, options::heads, options::d_model, options::seed},
            .run = show_untrained_head};
}

Section best_keys() {
    return {.id = "best-keys",
            .title = "What the trained head looks for: the words with the highest scores",
            .level = Level::deeper,
            .run = show_best_keys};
}

}  // namespace tfs
