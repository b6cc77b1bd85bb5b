// tests/07_block/feed_forward_sublayer_test.cpp · step feed_forward_sublayer: PyTorch's values, properties, diagnosis
#include "tests/07_block/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

FeedForwardSublayer network_half(const BlockConfig& config) {
    return made<FeedForwardSublayer>(config, "feed_forward.");
}

Sublayer network_of(const FeedForwardSublayer& s) {
    return [network = s.network](const Tensor& t) { return network.output(network.hidden(t)); };
}

// Wrong halves, and wrong ways through the network.
std::vector<Suspect> network_suspects(const FeedForwardSublayer& s, const Tensor& x) {
    std::vector<Suspect> suspects = half_suspects(s.position, s.norm, x, network_of(s));
    for (const auto& activation : {relu, gelu, silu}) {
        const Sublayer twice = [=](const Tensor& t) {
            return s.network.output(activation(s.network.hidden(t)));
        };
        suspects.push_back(
            {"an activation falls on the hidden layer once more: network.hidden applies its own",
             [=] { return norm_and_add(s.position, s.norm, x, twice, 0.0, nullptr); }});
    }
    return suspects;
}

TEST(feed_forward_sublayer, equals_pytorch_in_both_places_of_the_norm) {
    for (const NormPosition position : both_positions) {
        const FeedForwardSublayer s = network_half(small(position));
        const Tensor x = leaf("x");
        const Tensor y = s(x);
        const std::string prefix = "feed_forward." + name_of(position) + ".";
        EXPECT_TRUE(
            close_named(name_of(position), y, golden()[prefix + "output"], {}, network_suspects(s, x)));
        if (HasFailure()) break;  // one place tells it
        expect_gradients(prefix, y, x, {});
    }
}

TEST(feed_forward_sublayer, takes_any_network_and_any_norm) {
    const Tensor x = golden()["x"];
    const FeedForwardSublayer s = network_half(small_llama());
    const SwiGLU& swiglu = std::get<SwiGLU>(s.network.kind);
    const RMSNorm& norm = std::get<RMSNorm>(s.norm.kind);
    EXPECT_TRUE(close_named("RMSNorm and SwiGLU", s(x), x + swiglu(norm(x)), {}, network_suspects(s, x)));
}

// Other ways to drop units of the hidden layer at 0.25.
std::vector<std::pair<std::string, DroppedSublayer>> wrong_dropouts(const FeedForwardSublayer& s) {
    std::vector<std::pair<std::string, DroppedSublayer>> wrong{
        {"one row of units is drawn for all positions: dropout draws for every entry of the hidden layer",
         [=](const Tensor& t, const Rates&, Rng* rng) {
             const Tensor hidden = s.network.hidden(t);
             return s.network.output(hidden * dropout(Tensor::ones({1, 1, hidden.size(2)}), 0.25, rng));
         }}};
    if (const FeedForward* plain = std::get_if<FeedForward>(&s.network.kind))
        wrong.push_back({"dropout falls before the activation: it falls on what network.hidden gives",
                         [plain](const Tensor& t, const Rates&, Rng* rng) {
                             const Tensor raw = dropout(plain->up(t), 0.25, rng);
                             return plain->output(activate(plain->activation, raw));
                         }});
    return wrong;
}

TEST(feed_forward_sublayer, drops_hidden_units_and_what_it_adds) {
    const Tensor x = golden()["x"];
    for (BlockConfig config : {small(), small(NormPosition::post), small_llama()}) {
        const FeedForwardSublayer undropped = network_half(config);
        config.dropout = 0.25;
        const FeedForwardSublayer s = network_half(config);
        const DroppedSublayer transform = [=](const Tensor& t, const Rates& rates, Rng* rng) {
            Tensor hidden = s.network.hidden(t);
            for (const double rate : rates) hidden = dropout(hidden, rate, rng);
            return s.network.output(hidden);
        };
        EXPECT_TRUE(drops_in_both_places(
            s, s.parameters(), config.norm_position, s.norm, transform,
            gated(config) ? "the hidden layer of SwiGLU is" : "the hidden layer is", wrong_dropouts(s)));
        const Sublayer scaled = [&](const Tensor& t) {
            return s.network.output(s.network.hidden(t) * 0.75f);
        };
        EXPECT_TRUE(evaluates(s, undropped(x), s.position, s.norm, network_of(s), scaled));
        if (HasFailure()) break;  // SwiGLU only where the others are right
    }
}

TEST(feed_forward_sublayer, treats_each_position_by_itself) {
    const FeedForwardSublayer s = network_half(small());
    const Tensor x = golden()["x"], y = s(x);
    for (std::size_t t = 0; t < 5; ++t)
        EXPECT_TRUE(close(s(slice(x, 1, t, t + 1)), slice(y, 1, t, t + 1))) << "position " << t << " alone";
}

TEST(feed_forward_sublayer, refuses_another_width) {
    const FeedForwardSublayer s = network_half(small());
    ASSERT_NO_THROW(s(normal({2, 5, 8}, 1)));
    EXPECT_TRUE(refuses<ShapeError>([&] { s(normal({2, 5, 12}, 1)); }, {"(2, 5, 12)", "8"}, "x of width 12"));
}

}  // namespace
}  // namespace tfs::test
