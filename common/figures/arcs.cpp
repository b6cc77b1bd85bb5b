// common/figures/arcs.cpp · a text, and arcs over its words: who looks at whom, and how much
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures/drawing.hpp"

namespace tfs {

namespace {

constexpr double word_gap = 16.0, word_row = 26.0, storey_height = 92.0, widest_arc = 7.0,
                 least_weight = 0.05;

struct Words {
    std::vector<double> middles = {};
    double right = 0.0;
};

Words words_of(const ArcPanel& panel, double left) {
    Words words{.right = left};
    for (const std::string& word : panel.words) {
        const double width = std::max(18.0, text_width(word, 14.0));
        words.middles.push_back(words.right + width / 2);
        words.right += width + word_gap;
    }
    words.right -= word_gap;
    return words;
}

constexpr double answer_gap = 12.0;

double right_of(const ArcPanel& panel, const Words& words) {
    return words.right + (panel.answer.empty() ? 0.0 : answer_gap + text_width(panel.answer, 14.0));
}

double names_of(const ArcPanel& panel) {
    double room = 0.0;
    for (const std::string& name : panel.names) room = std::max(room, text_width(name, 13.0) + 14.0);
    return room;
}

// The highest arc over one text: half as high as wide.
double height_of(const ArcPanel& panel, const Words& words) {
    if (panel.storeys.size() > 1) return storey_height * static_cast<double>(panel.storeys.size());
    double widest = 0.0;
    for (const Arc& arc : panel.storeys[0])
        widest = std::max(widest, std::abs(words.middles[arc.to] - words.middles[arc.from]));
    return std::clamp(0.42 * widest, 30.0, 130.0) + 18.0;
}

void draw_words(Canvas& canvas, const ArcPanel& panel, const Words& words, double y) {
    for (std::size_t i = 0; i < panel.words.size(); ++i)
        canvas.text({words.middles[i], y}, panel.words[i], {.anchor = Anchor::middle, .size = 14.0});
}

std::string number(double weight) {
    return weight >= 0.995 ? "1.00" : fmt::format("{:.2f}", weight).substr(1);
}

// The arc and its number, which stands at `label`.
void draw_arc(Canvas& canvas, const ArcPanel& panel, const Arc& arc, const std::vector<Point>& points,
              Point label) {
    if (arc.weight < least_weight) return;
    canvas.open("arc", {{"from", std::to_string(arc.from)}, {"to", std::to_string(arc.to)}},
                fmt::format("{} looks at {}: {}", panel.words[arc.from], panel.words[arc.to],
                            short_number(arc.weight)));
    canvas.path(
        points,
        {.colour = colour_of(arc.hue), .width = 1.0 + (widest_arc - 1.0) * arc.weight, .arrow = true});
    canvas.text(label, number(arc.weight), {.anchor = Anchor::middle, .classes = "small bold"});
    canvas.close();
}

// Over one text: half an ellipse, from the word that looks to the one that is looked at.
void draw_over(Canvas& canvas, const ArcPanel& panel, const Arc& arc, const Words& words, double bottom,
               double height) {
    constexpr int steps = 24;
    const double from = words.middles[arc.from], to = words.middles[arc.to];
    const double up = arc.from == arc.to ? 24.0 : std::clamp(0.42 * std::abs(to - from), 24.0, height - 18.0);
    const double half = arc.from == arc.to ? 9.0 : (to - from) / 2, middle = (from + to) / 2;
    std::vector<Point> points;
    for (int i = 0; i <= steps; ++i) {
        const double angle = 3.14159265358979 * i / steps;
        points.push_back({middle - half * std::cos(angle), bottom - up * std::sin(angle)});
    }
    draw_arc(canvas, panel, arc, points, {middle, bottom - up - 7.0});
}

// From the text above down to the text below, steep at both ends. Arcs that share their word below have their numbers above.
void draw_down(Canvas& canvas, const ArcPanel& panel, const Arc& arc, const Words& words, bool shared,
               double top, double bottom) {
    constexpr int steps = 24;
    const double from = words.middles[arc.from], to = words.middles[arc.to];
    std::vector<Point> points;
    for (int i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps, ease = t * t * (3.0 - 2.0 * t);
        points.push_back({std::lerp(from, to, ease), std::lerp(top, bottom, t)});
    }
    const double beside = 17.0 + (widest_arc - 1.0) * arc.weight, side = to < from ? -beside : beside;
    draw_arc(canvas, panel, arc, points,
             shared ? Point{from - side, top + 17.0} : Point{to + side, bottom - 8.0});
}

bool ends_with_others(const Arc& arc, const std::vector<Arc>& storey) {
    return std::count_if(storey.begin(), storey.end(), [&](const Arc& other) {
               return other.to == arc.to && other.weight >= least_weight;
           }) > 1;
}

double draw_panel(Canvas& canvas, const ArcPanel& panel, double left, double top) {
    const Words words = words_of(panel, left);
    draw_panel_title(canvas, {margin, top}, panel.title, INFINITY);
    double y = top + (panel.title.empty() ? 4.0 : panel_title_room);
    canvas.open("arcs");
    const bool one = panel.storeys.size() == 1;
    const double storey = height_of(panel, words) / static_cast<double>(panel.storeys.size());
    canvas.text({words.right + answer_gap, one ? y + storey + 16.0 : y + 14.0}, panel.answer,
                {.classes = "bold"});
    for (std::size_t s = panel.storeys.size(); s-- > 0;) {
        if (!one) {
            draw_words(canvas, panel, words, y + 14.0);
            y += word_row - 4.0;
        }
        for (const Arc& arc : panel.storeys[s]) {
            if (one)
                draw_over(canvas, panel, arc, words, y + storey, storey);
            else
                draw_down(canvas, panel, arc, words, ends_with_others(arc, panel.storeys[s]), y,
                          y + storey - 4.0);
        }
        if (!panel.names.empty()) canvas.text({margin, y + storey / 2}, panel.names[s], {.classes = "axis"});
        y += storey;
    }
    draw_words(canvas, panel, words, y + 16.0);
    canvas.close();
    return y + word_row;
}

}  // namespace

std::string drawn(const ArcFigure& figure) {
    Canvas canvas;
    double y = draw_title(canvas, figure.title) + 4.0, right = title_width(figure.title), names = 0.0,
           gap = 0.0;
    for (const ArcPanel& panel : figure.panels) names = std::max(names, names_of(panel));
    for (const ArcPanel& panel : figure.panels) {
        // Several rows of one text are nearer to each other than to the next text.
        gap = panel.storeys.size() > 1 ? 40.0 : 12.0;
        y = draw_panel(canvas, panel, margin + names, y) + gap;
        right = std::max({right, right_of(panel, words_of(panel, margin + names)) + margin,
                          2 * margin + text_width(panel.title, panel_title_size)});
    }
    return canvas.document(right, y + margin - gap, figure.title);
}

std::vector<Arc> arcs_of(std::size_t word, std::span<const float> weights) {
    std::vector<Arc> arcs;
    for (std::size_t to = 0; to < weights.size(); ++to)
        arcs.push_back({word, to, std::clamp<double>(weights[to], 0.0, 1.0)});
    return arcs;
}

ArcFigure last_words_figure(const std::string& name, const std::vector<LastWord>& words) {
    ArcFigure figure{
        .name = name,
        .title = {},
        .caption = "The arcs show what the last word looks at most, with the share of its attention."};
    for (const LastWord& word : words) {
        const auto most = std::max_element(word.weights.begin(), word.weights.end()) - word.weights.begin();
        figure.title += figure.title.empty() ? "" : ", ";
        figure.title += fmt::format("“{}” looks at “{}”", word.sentence.back(),
                                    word.sentence[static_cast<std::size_t>(most)]);
        const std::size_t last = word.sentence.size() - 1;
        figure.panels.push_back({.words = word.sentence, .storeys = {arcs_of(last, word.weights)}});
    }
    return figure;
}

}  // namespace tfs
