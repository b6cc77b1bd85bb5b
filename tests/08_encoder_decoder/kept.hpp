// tests/08_encoder_decoder/kept.hpp · a sequence in parts: keys and values of earlier parts, kept between the passes
#pragma once

#include <map>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs::test {

inline KeysValues joined(const KeysValues& a, const KeysValues& b) {
    return {concat({a.keys, b.keys}, 2), concat({a.values, b.values}, 2)};
}

// Keeps the keys and values of every layer, and puts those of earlier passes in front of them.
class Kept {
  public:
    // The pass of the next `seq` positions.
    Pass next(std::size_t seq) {
        Pass pass(nullptr, positions_);
        positions_ += seq;
        pass.with_earlier = [this](std::size_t layer, const KeysValues& own) {
            const auto [entry, is_new] = layers_.emplace(layer, own);
            if (!is_new) entry->second = joined(entry->second, own);
            return entry->second;
        };
        return pass;
    }

  private:
    std::map<std::size_t, KeysValues> layers_;
    std::size_t positions_ = 0;
};

}  // namespace tfs::test
