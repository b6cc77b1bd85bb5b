// tests/09_transformer/whole_model_suspects.hpp · what the stages of the shipped decoder are with one thing done wrong
#pragma once

#include "tests/09_transformer/whole_model_reference.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// One thing done wrong, and what to tell whoever did it.
struct Slip {
    std::string message;
    std::function<void(Way&)> make;
};
std::vector<Slip> block_slips(const TransformerConfig& config, std::size_t seq, std::size_t block);

inline constexpr float other_eps[] = {0.0f, 1e-6f, 1e-4f, 1e-3f};  // 1e-12 and 1e-8 give nearly what 0 gives

// Wrong answers to one of these stages, made of the right ones before it.
std::vector<Suspect> stage_suspects(const WholeModel& model, const std::vector<Stage>& right,
                                    std::size_t stage);

// What two things at once are wrong in a block that gave `got` from x; empty where they are no two of these. Read from the first
// window: all pairs are tried.
std::string two_causes(const WholeModel& model, const Tensor& x, const Tensor& got, std::size_t block);

}  // namespace tfs::test
