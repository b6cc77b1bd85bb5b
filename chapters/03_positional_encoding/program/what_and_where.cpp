// chapters/03_positional_encoding/program/what_and_where.cpp · what order changes; word and position in a score: added, as four terms, and turned
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "chapters/03_positional_encoding/models/marker_finder.hpp"
#include "chapters/03_positional_encoding/program/options.hpp"

namespace tfs {

namespace {

using Order = std::vector<std::size_t>;

// Fisher and Yates; a whole turn by one where the draw left everything in place.
Order shuffled(std::size_t count, Rng& rng) {
    Order order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i-- > 1;) std::swap(order[i], order[rng.below(i + 1)]);
    if (std::is_sorted(order.begin(), order.end()))
        std::rotate(order.begin(), order.begin() + 1, order.end());
    return order;
}

Tensor rows_in_order(const Tensor& x, const Order& order) {
    std::vector<Tensor> rows;
    for (const std::size_t i : order) rows.push_back(slice(x, 1, i, i + 1));
    return concat(rows, 1);
}

struct Way {
    std::string positions;
    std::function<Tensor(const Tensor&)> output;  // x (batch, seq, d_model) -> the same shape
};

// One layer of self-attention with random weights, told positions in each way. A way computes what it needs when it is asked:
// one that is not written yet does not stand in the way of the others.
std::vector<Way> ways_of(const Request& request) {
    const std::size_t d_model = request[options::d_model], heads = request[options::heads],
                      max_len = request[options::max_len];
    Rng rng(request[options::seed] + 1), rng_of_rows(request[options::seed] + 2);
    const MultiHeadAttention layer(d_model, heads, rng);
    const LearnedPositionalEmbedding learned(d_model, max_len, rng_of_rows);
    const auto plain = [layer](const Tensor& x, const std::optional<Mask>& mask = std::nullopt) {
        return layer(x, x, x, mask).output;
    };
    const auto by_heads = [layer](const Tensor& x, const auto& attend) {
        const auto heads_of = [&](const Linear& w) { return split_heads(w(x), layer.num_heads); };
        return layer.w_o(
            merge_heads(attend(heads_of(layer.w_q), heads_of(layer.w_k), heads_of(layer.w_v)).output));
    };
    return {{"none", plain},
            {"none, but a causal mask", [=](const Tensor& x) { return plain(x, causal_mask(x.size(1))); }},
            {"sinusoids, added to x",
             [=](const Tensor& x) { return plain(SinusoidalPositionalEncoding(d_model, max_len)(x)); }},
            {"learned rows, added to x", [=](const Tensor& x) { return plain(learned(x)); }},
            {"rotary, turning q and k",
             [=](const Tensor& x) {
                 const RotaryEmbedding rotary(d_model / heads, max_len);
                 return by_heads(x, [&](const Tensor& q, const Tensor& k, const Tensor& v) {
                     return rotary_attention(q, k, v, rotary);
                 });
             }},
            {"ALiBi, added to the scores", [=](const Tensor& x) {
                 const Tensor bias = alibi_bias(heads, x.size(1), x.size(1));
                 return by_heads(x, [&](const Tensor& q, const Tensor& k, const Tensor& v) {
                     return scaled_dot_product_attention(q, k, v, std::nullopt, bias);
                 });
             }}};
}

// What the word that is the first in one text and the last in another reads from the words of each.
BarFigure swap_figure(std::uint64_t seed) {
    constexpr std::size_t d_model = 32;
    const Tokens words = split_words("dog bites man");
    Rng rng(seed);
    const Tensor x(rng.normal_array({1, words.size(), d_model}));
    const MultiHeadAttention layer(d_model, 1, rng);
    BarPanel panel{.title = "what \"dog\" reads", .value_axis = "share of its attention", .share = true};
    for (const std::string& word : words) panel.parts.push_back({"from \"" + word + "\""});
    for (const Order& order : {Order{0, 1, 2}, Order{2, 1, 0}}) {  // both undo themselves
        const Tensor text = rows_in_order(x, order);
        const Array map = attention_map(layer(text, text, text).weights, 0, 0);
        Bar bar{.label = fmt::format("{} {} {}", words[order[0]], words[order[1]], words[order[2]])};
        for (std::size_t j = 0; j < words.size(); ++j) bar.values.push_back(map(order[0], order[j]));
        panel.bars.push_back(std::move(bar));
    }
    return {
        .name = "swap",
        .title = "Without positions \"dog\" reads the same in \"dog bites man\" and \"man bites dog\"",
        .panels = {std::move(panel)},
        .caption =
            "One attention with random weights. The shares of \"bites\" and of \"man\" don't change either."};
}

Report show_orders(const Request& request) {
    const Tensor x = sentence_vectors(request);
    const std::size_t seq = x.size(1);
    Report report;
    if (seq == 1) {
        report.note("One token has one order: nothing to compare.");
        return report;
    }
    Rng rng(request[options::seed]);
    const Order order = shuffled(seq, rng);
    const bool all_equal = difference(slice(x, 1, 1, seq), slice(x, 1, 0, seq - 1)) == 0.0;
    const char* const no_order = all_equal ? "equal tokens, equal values: no output can differ"
                                           : "the output is reordered, nothing else";
    Table table{.columns = {{"positions"}, {"difference", magnitude()}, {"meaning"}}};
    for (const auto& [positions, output] : ways_of(request)) {
        try {
            const double change =
                difference(output(rows_in_order(x, order)), rows_in_order(output(x), order));
            table.add({positions, change,
                       change < 1e-5 ? no_order
                       : all_equal   ? "the positions count"
                                     : "the order counts"});
        } catch (const NotImplemented& gap) {
            table.add({positions, {}, gap.what()});
        }
    }
    report.note(
        fmt::format("{} tokens in another order: output(reordered x) against reordered output(x)", seq));
    report.add(table);
    report.add(swap_figure(request[options::seed]));
    return report;
}

// --- added: a score is four terms

// The scores of a finder with sinusoids as four terms, which add up to them: the word or the position of the query by that of the
// key. What all rows of the trained length share tells no position, so it counts as part of the words, like the biases.
struct ScoreTerm {
    std::string query, key;
    Tensor values;  // (text, query, key)
};

std::vector<ScoreTerm> score_terms(const Finder& finder, const Ids& ids) {
    const NoGrad no_grad;
    const Tensor& table = finder.sinusoids.value().table;
    const Tensor shared = mean(slice(table, 0, 0, Finder::trained_length), 0, KeepDims::yes);  // (1, width)
    const Tensor words = finder.embedding(ids) + shared;  // (text, seq, width)
    const Tensor positions = Tensor::zeros(words.shape()) + slice(table, 0, 0, ids.shape()[1]) - shared;
    const float scale = 1.0f / std::sqrt(static_cast<float>(Finder::width));
    std::vector<ScoreTerm> terms;
    for (const auto& [query, q] :
         {std::pair{"word", finder.w_q(words)}, {"position", linear(positions, finder.w_q.weight)}})
        for (const auto& [key, k] :
             {std::pair{"word", finder.w_k(words)}, {"position", linear(positions, finder.w_k.weight)}})
            terms.push_back({query, key, matmul(q, k, Transpose::b) * scale});
    return terms;
}

// How much a term differs between the keys of a query, which is all that a softmax sees (standard deviation), and the share of
// the queries that have their largest score on the last marker by the other terms alone.
struct TermUse {
    double size, found_without;
};

TermUse use_of(const Tensor& term, const Tensor& others, const Ids& ids) {
    const std::size_t seq = ids.shape()[1];
    const std::vector<std::size_t> markers = last_markers({ids.data(), ids.size()});
    double squares = 0.0, cells = 0.0, found = 0.0;
    for (std::size_t row = 0; row < ids.size(); ++row) {
        const std::size_t keys = row % seq + 1;
        const auto seen = term.values().subspan(row * seq, keys),
                   left = others.values().subspan(row * seq, keys);
        const double middle = std::accumulate(seen.begin(), seen.end(), 0.0) / static_cast<double>(keys);
        for (const float value : seen) squares += (value - middle) * (value - middle);
        cells += static_cast<double>(keys);
        const float wanted = left[markers[row] % seq];
        found += std::count_if(left.begin(), left.end(), [&](float v) { return v > wanted - 0.001f; }) == 1;
    }
    return {std::sqrt(squares / cells), found / static_cast<double>(ids.size())};
}

HeatMapFigure four_terms_figure(const Finder& finder) {
    const std::size_t seq = marker_text.size();
    Ids ids = Ids::from_shape({1, seq});
    std::copy(marker_text.begin(), marker_text.end(), ids.begin());
    HeatMapFigure figure{
        .name = "four_terms",
        .title = "Of four terms this head uses two: which word, and how late in the text",
        .caption =
            "A trained head with sinusoids; the four maps add up to its scores. Word by word finds the #. "
            "Word by position grows to the right: each word prefers late keys. The mean of all rows says "
            "nothing of a place, so it is counted with the words. Grey: hidden by a causal mask."};
    for (const auto& [query, key, values] : score_terms(finder, ids)) {
        HeatMapPanel& panel = figure.panels.emplace_back(marker_panel(
            fmt::format("query's {} · key's {}", query, key), reshape(values, {seq, seq}).array()));
        panel.scale = ColourScale::diverging;
        for (float& value : panel.values) value = std::round(value) + 0.0f;  // no -0
    }
    return figure;
}

Report show_four_terms(const Request& request) {
    const Finder finder = fitted_finder(Finder::Kind::sinusoids, request[options::seed]);
    Table table{.columns = {{"query"}, {"key"}}};
    for (const std::size_t term : {0u, 1u, 2u, 3u})
        table.add({term / 2 == 0 ? "word" : "position", term % 2 == 0 ? "word" : "position"});
    std::size_t preferred = 0;
    for (const std::size_t length : {Finder::trained_length, Finder::longest}) {
        Rng rng(length);
        const Ids ids = marker_texts(length, rng);
        const std::vector<ScoreTerm> terms = score_terms(finder, ids);
        const Tensor all = terms[0].values + terms[1].values + terms[2].values + terms[3].values;
        const std::string group = fmt::format("length {}", length);
        table.columns.push_back({"size", fixed(1), "", group});
        table.columns.push_back({"found without it", fixed(1), "%", group});
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const auto [size, found] = use_of(terms[i].values, all - terms[i].values, ids);
            table.rows[i].insert(table.rows[i].end(), {size, 100.0 * found});
        }
        const auto first = terms[1].values.values().first(length);  // the first word is a marker
        preferred = static_cast<std::size_t>(std::max_element(first.begin(), first.end()) - first.begin());
    }
    Report report;
    report.note(
        fmt::format("Trained at length {}. Size: how much a term differs between keys (standard deviation).",
                    Finder::trained_length));
    report.add(table);
    report.note(
        fmt::format("In a text of {} words the second term of a # is largest for the key at position {}.",
                    Finder::longest, preferred));
    report.add(four_terms_figure(finder));
    return report;
}

// --- turned: a score depends on the distance alone

// The pair (a, b) as a query or key of one head, turned to each position of the table: (position, 2).
Tensor turned_to_each(float a, float b, const RotaryEmbedding& rotary) {
    const std::size_t positions = rotary.cos.size(0);
    const Tensor same = Tensor::zeros({1, 1, positions, 2}) + Tensor::from({2}, {a, b});
    return reshape(apply_rotary(same, rotary), {positions, 2});
}

constexpr double per_position = 20.0, of_key = 110.0;  // degrees

// A query that points to the right and a key 110 degrees before it, each turned by its position. Dashed: where they were `earlier`
// positions before.
PlanePanel turn_panel(std::size_t m, std::size_t n, std::size_t earlier) {
    const RotaryEmbedding rotary = rotary_of({per_position * std::numbers::pi / 180.0}, std::max(m, n) + 1);
    const double own = of_key * std::numbers::pi / 180.0;
    const Tensor q = turned_to_each(1.0f, 0.0f, rotary),
                 k = turned_to_each(static_cast<float>(0.8 * std::cos(own)),
                                    static_cast<float>(0.8 * std::sin(own)), rotary);
    const float score = q.at({m, 0}) * k.at({n, 0}) + q.at({m, 1}) * k.at({n, 1});
    PlanePanel panel{.title = fmt::format("query at {}, key at {}: score {:.2f}", m, n, score),
                     .low_x = -1.0,
                     .high_x = 1.35,
                     .low_y = -0.5,
                     .high_y = 1.25};
    const auto arc = [&](double from, double to, double radius, Hue hue) {
        panel.add(
            {PlaneShape::Kind::arc, 0.0, 0.0, from, to, fmt::format("{:.0f}°", to - from), hue, radius});
    };
    const auto arrow = [&](const Tensor& x, std::size_t at, Hue hue, double bold) -> PlaneShape& {
        return panel.arrow(0.0, 0.0, rounded(x.at({at, 0})), rounded(x.at({at, 1})), hue, bold);
    };
    const double query = per_position * static_cast<double>(m),
                 key = of_key + per_position * static_cast<double>(n),
                 moved = per_position * static_cast<double>(earlier);
    if (earlier > 0) {
        arrow(q, m - earlier, Hue::query, 0.8).light = true;
        arrow(k, n - earlier, Hue::key, 0.8).light = true;
        arc(query - moved, query, 0.9, Hue::query);
        arc(key - moved, key, 0.6, Hue::key);
    }
    arc(query, key, 0.3, Hue::positions);
    arrow(q, m, Hue::query, 1.4).label = "query";
    arrow(k, n, Hue::key, 1.4).label = "key";
    return panel;
}

PlaneFigure turn_figure() {
    return {
        .name = "turn",
        .title = "RoPE turns both arrows; the angle between them, and so the score, stays",
        .panels = {turn_panel(2, 0, 0), turn_panel(7, 5, 5)},
        .caption =
            "One pair of features of a query and of a key, turned by 20° for each position. The two words "
            "alone are 110° apart; the key is two words back, which takes away 40°. Five words later "
            "(right) both have turned by 100° more. Their lengths are 1 and 0.8, so the score, their dot "
            "product, is 0.8 · cos 70°."};
}

// What each pair adds to a score, against the distance, if the query was turned by three steps before.
LineFigure chosen_distance_figure() {
    constexpr std::size_t width = 32, pairs = width / 2, wanted = 3, distances = 33;
    LinePanel panel{.x_axis = "how many words the key is back", .y_axis = "score of two arrows of length 1"};
    const auto add = [&](const std::string& name, std::size_t begin, std::size_t end) {
        Series& series = panel.series.emplace_back(Series{.name = name});
        for (std::size_t d = 0; d < distances; ++d) {
            double sum = 0.0;
            for (std::size_t pair = begin; pair < end; ++pair)
                sum += std::cos(frequency(pair, width) * (static_cast<double>(d) - wanted));
            series.add(static_cast<double>(d), rounded(sum / static_cast<double>(end - begin)));
        }
    };
    for (const std::size_t pair : {0u, 2u, 5u}) add(fmt::format("pair {}", pair), pair, pair + 1);
    add(fmt::format("mean of {} pairs", pairs), 0, pairs);
    return {.name = "chosen_distance",
            .title = "A query that is turned by three steps scores highest three words back",
            .panels = {std::move(panel)},
            .caption =
                "Query and key are equal arrows, but W_q turned the query back by three steps. Each pair is "
                "largest at 3. The fast ones come round and are large again; only at 3 do all agree."};
}

Report show_by_hand(const Request&) {
    constexpr std::size_t positions = 3;
    RotaryEmbedding rotary(2, positions);  // one pair; here it makes a quarter turn at each position
    rotary.cos = Tensor::from({positions, 1}, {1.0f, 0.0f, -1.0f});
    rotary.sin = Tensor::from({positions, 1}, {0.0f, 1.0f, 0.0f});
    const Tensor q = turned_to_each(2.0f, 1.0f, rotary), k = turned_to_each(1.0f, 1.0f, rotary);
    const Tensor scores = matmul(q, k, Transpose::b);  // (query, key)
    Table table{.columns = {{"position", whole()},
                            {"query"},
                            {"key"},
                            {"score, key 0", whole()},
                            {"score, key 1", whole()},
                            {"score, key 2", whole()}}};
    for (std::size_t m = 0; m < positions; ++m) {
        const auto pair = [&](const Tensor& x) {
            return fmt::format("({:.0f}, {:.0f})", x.at({m, 0}), x.at({m, 1}));
        };
        table.add({m, pair(q), pair(k), scores.at({m, 0}), scores.at({m, 1}), scores.at({m, 2})});
    }
    Report report;
    report.note("Every query is (2, 1), every key (1, 1); each position is a quarter turn.");
    report.add(table);
    report.add(turn_figure());
    report.add(chosen_distance_figure());
    return report;
}

}  // namespace

Sections token_order_sections() {
    return {{"order",
             "Order from nothing: the words in another order (untrained)",
             show_orders,
             {options::text, options::heads, options::d_model, options::max_len, options::seed}}};
}

Sections score_sections() {
    return {{"four-terms",
             "Positions added to words: a score is four terms (digits differ between machines)",
             show_four_terms,
             {options::seed}},
            {"by-hand", "By hand: one pair of features turned by RoPE", show_by_hand}};
}

}  // namespace tfs
