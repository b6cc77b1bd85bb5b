// tests/support/sanitizers.hpp · whether this file is compiled with the address sanitizer, under which a training of seconds takes a minute
#pragma once

namespace tfs::test {

constexpr bool under_sanitizers() {
#if defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

}  // namespace tfs::test
