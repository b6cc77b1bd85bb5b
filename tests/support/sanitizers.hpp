// tests/support/sanitizers.hpp · whether the tests run under the sanitizers, where a training of seconds takes a minute
#pragma once

namespace tfs::test {

constexpr bool under_sanitizers() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}

}  // namespace tfs::test
