// common/base/xtensor.hpp · the one place where xtensor is included
//
// xtensor 0.26 moved its headers into folders. Every file of this project includes xtensor through this header
// (storage only, quick to compile) or through xtensor_math.hpp (expressions, slow to compile).
#pragma once

#if __has_include(<xtensor/containers/xarray.hpp>)
#include <xtensor/containers/xarray.hpp>
#else
#include <xtensor/xarray.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfs {

using Array = xt::xarray<float>;       // row-major and contiguous, of any rank
using Ids = xt::xarray<std::int64_t>;  // token ids, as (batch, seq)
using Shape = std::vector<std::size_t>;

}  // namespace tfs
