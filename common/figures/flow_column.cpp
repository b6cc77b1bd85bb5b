// common/figures/flow_column.cpp · boxes one above the other, arrows between them, lines around them
#include "common/figures/flow_column.hpp"

#include <algorithm>

namespace tfs {

namespace {

using Kind = PlaneShape::Kind;
constexpr double box_height = 32.0, arrow_length = 30.0, radius = 11.0;

}  // namespace

FlowColumn::FlowColumn(PlanePanel& panel, double middle, const std::string& input, int side)
    : panel_(panel), middle_(middle), side_(side) {
    panel_.text(middle_, 0.0, input);
}

double FlowColumn::box(const std::string& name, Hue hue, const std::string& carried) {
    rise(carried);
    panel_.shapes.push_back({.kind = Kind::rectangle,
                             .from_x = middle_ - box_width / 2,
                             .from_y = height_,
                             .to_x = middle_ + box_width / 2,
                             .to_y = height_ + box_height,
                             .label = name,
                             .hue = hue,
                             .light = true});
    height_ += box_height;
    return height_ - box_height / 2;
}

void FlowColumn::branch() {
    branched_ = height_ + 0.4 * arrow_length;
    line(Kind::line, middle_, height_, middle_, branched_, true);
    in_branch_ = true;
}

void FlowColumn::add(const std::string& carried) {
    rise(carried);
    const double outer = middle_ + side_ * reach, centre = height_ + radius;
    line(Kind::line, middle_, branched_, outer, branched_, true);
    line(Kind::line, outer, branched_, outer, centre, true);
    line(Kind::arrow, outer, centre, middle_ + side_ * radius, centre, true);
    panel_.shapes.push_back(
        {.kind = Kind::circle, .from_x = middle_, .from_y = centre, .label = "+", .size = radius});
    height_ += 2 * radius;
    in_branch_ = false;
}

void FlowColumn::output(const std::string& words) {
    rise({});
    panel_.text(middle_, height_ + 10.0, words);
}

void FlowColumn::line(Kind kind, double from_x, double from_y, double to_x, double to_y, bool stream,
                      const std::string& label) {
    const double bold = (stream ? 3.0 : 1.0) * (kind == Kind::arrow ? 0.65 : 1.0);  // both kinds as wide
    panel_.shapes.push_back({.kind = kind,
                             .from_x = from_x,
                             .from_y = from_y,
                             .to_x = to_x,
                             .to_y = to_y,
                             .label = label,
                             .hue = stream ? Hue::residual : Hue::other,
                             .size = bold});
}

void FlowColumn::rise(const std::string& carried) {
    const double above = height_ + arrow_length;
    if (!carried.empty())
        line(Kind::line, middle_, height_, middle_, height_ + arrow_length / 3, false, carried);
    line(Kind::arrow, middle_, in_branch_ ? std::max(height_, branched_) : height_, middle_, above,
         !in_branch_);
    height_ = above;
}

}  // namespace tfs
