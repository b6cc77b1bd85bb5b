// bench/copy.cpp · the line of a plain copy
#include "bench/copy.hpp"

#include <fmt/ranges.h>

#include <cstring>

#include "common/base/parallel.hpp"

namespace tfs::bench {

namespace {

Array copied(const Tensor& x) {
    const std::size_t size = x.size(-1);
    const float* from = x.values().data();
    Array y = Array::from_shape(x.shape());
    float* to = y.data();
    parallel_rows(x.size() / size, size, [=](std::size_t row) {
        std::memcpy(to + row * size, from + row * size, size * sizeof(float));
    });
    return y;
}

}  // namespace

double bytes_read_and_written(const Tensor& x) { return 2.0 * sizeof(float) * static_cast<double>(x.size()); }

std::string add_copy_line(Table& table, const Tensor& x) {
    const std::string name = fmt::format("copy of {}", fmt::join(x.shape(), " x "));
    if (!table.has(name)) {
        table.add({.name = name, .amount = bytes_read_and_written(x), .work = Work::bytes},
                  [x] { keep(copied(x).data()); });
    }
    return name;
}

}  // namespace tfs::bench
