// common/text/units.hpp · large numbers as text
#pragma once

#include <cstddef>
#include <string>

namespace tfs {

// "109,482,240"
[[nodiscard]] std::string with_separators(std::size_t number);

// In thousands, with two decimals: "1.23 G" of 1.23e9; below a thousand "512". The unit is left to the reader.
[[nodiscard]] std::string in_flops(double number);

// "4.56 MiB" of 4.56 * 1024 * 1024; below a KiB "512 B".
[[nodiscard]] std::string in_bytes(double bytes);

}  // namespace tfs
