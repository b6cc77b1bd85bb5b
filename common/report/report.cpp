// common/report/report.cpp · a report grows item by item
#include "common/report/report.hpp"

#include <iterator>

namespace tfs {

void Report::note(std::string text) { items.emplace_back(Paragraph{std::move(text)}); }
void Report::quote(std::string text) { items.emplace_back(Paragraph{std::move(text), true}); }
void Report::add(Table table) { items.emplace_back(std::move(table)); }
void Report::add(Map map) { items.emplace_back(std::move(map)); }

void Report::add(TokenText text) { items.emplace_back(std::move(text)); }
void Report::add(Figure figure) { add(std::vector<View>{{"", std::move(figure)}}); }
void Report::add(std::vector<View> views) { items.emplace_back(Drawing{std::move(views)}); }

void Report::add(Report more) {
    items.insert(items.end(), std::make_move_iterator(more.items.begin()),
                 std::make_move_iterator(more.items.end()));
}

ShapeTrace& Report::trace() {
    if (items.empty() || !std::holds_alternative<ShapeTrace>(items.back())) items.emplace_back(ShapeTrace{});
    return std::get<ShapeTrace>(items.back());
}

void Report::step(std::string name, const Tensor& x, std::vector<std::string> axes, std::string note) {
    trace().lines.emplace_back(trace_step(std::move(name), x, std::move(axes), std::move(note)));
}

bool Report::check_rows_sum_to_one(const std::string& name, const Tensor& weights) {
    const TraceCheck check = rows_sum_to_one(name, weights);
    trace().lines.emplace_back(check);
    return check.passed;
}

void Report::masked_cells(const std::string& name, const Mask& mask, const Shape& shape) {
    trace().lines.emplace_back(tfs::masked_cells(name, mask, shape));
}

}  // namespace tfs
