// common/base/address_sanitizer.hpp · whether this file is compiled with the address sanitizer
//
// It makes trainings of seconds last a minute, takes terabytes of addresses, and ends the program where memory is short.
#pragma once

namespace tfs {

#if defined(__SANITIZE_ADDRESS__)  // g++
inline constexpr bool has_address_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool has_address_sanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool has_address_sanitizer = false;
#endif

}  // namespace tfs
