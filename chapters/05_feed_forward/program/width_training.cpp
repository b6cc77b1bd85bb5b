// chapters/05_feed_forward/program/width_training.cpp · how much the width of the hidden layer brings: a guess of the next character
//
// Run it: ./tutorial run 5 -- --experiment widths          minutes; with --updates 100 only to try it
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <optional>

#include "chapters/05_feed_forward/program/options.hpp"
#include "common/base/errors.hpp"
#include "common/io/weights.hpp"

namespace tfs {

namespace {

constexpr std::size_t read_back = 4, letter_width = 16, letters_width = read_back * letter_width, batch = 256;
const CountOption width_updates{"--updates", 2000, 1, 1'000'000, "steps of training"};

// A text as numbers, 0 … vocab - 1. The last tenth is held out.
struct Letters {
    std::vector<std::int64_t> ids;
    std::size_t vocab = 0, held_out_from = 0;
};

Letters read_letters() {
    std::ifstream file(shipped_corpus());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.empty()) throw FileError(shipped_corpus().string() + ": can't be read");
    std::string alphabet = text;
    std::sort(alphabet.begin(), alphabet.end());
    alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
    Letters letters{.ids = {}, .vocab = alphabet.size(), .held_out_from = text.size() / 10 * 9};
    for (const char letter : text) letters.ids.push_back(static_cast<std::int64_t>(alphabet.find(letter)));
    return letters;
}

// The four letters before each place, and the letter there (one-hot).
struct Guesses {
    Ids before;     // (places, 4)
    Tensor letter;  // (places, vocab)
};

template <class Place>
Guesses guesses_at(const Letters& letters, std::size_t count, const Place& place) {
    Ids before = Ids::from_shape({count, read_back});
    Array letter = xt::zeros<float>({count, letters.vocab});
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = place(i);
        for (std::size_t j = 0; j < read_back; ++j) before(i, j) = letters.ids[at - read_back + j];
        letter(i, static_cast<std::size_t>(letters.ids[at])) = 1.0f;
    }
    return {before, Tensor(std::move(letter))};
}

// The letters' vectors side by side, a network that is added to them, logits.
struct LetterModel {
    Embedding letters;
    std::optional<FeedForward> network;
    Linear read_out;

    LetterModel(std::size_t vocab, std::size_t d_ff, Rng& rng)
        : letters(vocab, letter_width, rng), read_out(letters_width, vocab, rng) {
        if (d_ff > 0) network.emplace(letters_width, d_ff, rng);
    }

    // The mean of -log2 p(letter).
    [[nodiscard]] Tensor bits(const Guesses& guesses) const {
        Tensor x = reshape(letters(guesses.before), {guesses.before.shape()[0], letters_width});
        if (network) x = x + (*network)(x);
        const Tensor logits = read_out(x), largest = max(logits, -1, KeepDims::yes).detach(),
                     total = log(sum(exp(logits - largest), -1));
        const Tensor right = sum((logits - largest) * guesses.letter, -1);
        return mean(total - right) / std::numbers::ln2_v<float>;
    }

    [[nodiscard]] Parameters parameters() const {
        Parameters all = letters.parameters();
        if (network) append(all, "network", network->parameters());
        append(all, "read_out", read_out.parameters());
        return all;
    }
};

// Bits a held-out letter after the training.
double held_out_bits(const Request& request, const Letters& letters, std::size_t d_ff, std::uint64_t seed) {
    Rng rng(seed);
    const LetterModel model(letters.vocab, d_ff, rng);
    const std::size_t steps = request[width_updates];
    for (std::size_t i = 0; i < steps; ++i) {
        const Guesses guesses = guesses_at(letters, batch, [&](std::size_t) {
            return read_back + rng.below(letters.held_out_from - read_back);
        });
        const float rate = 2 * i < steps ? 0.2f : 0.02f;
        gradient_step(model.bits(guesses), model.parameters(), rate);
        if (i % 500 == 0)
            request.tell({"progress", fmt::format("d_ff {}, seed {}: step {} of {}", d_ff, seed, i, steps)});
    }
    const NoGrad no_grad;
    const std::size_t left = letters.ids.size() - letters.held_out_from;
    return model
        .bits(guesses_at(letters, std::min<std::size_t>(left, 20'000),
                         [&](std::size_t i) { return letters.held_out_from + i; }))
        .item();
}

Report train_widths(const Request& request) {
    const Letters letters = read_letters();
    Table table{.columns = {{"d_ff / d_model"},
                            {"weights", thousands()},
                            {"bits, lowest of 3 seeds", fixed(2)},
                            {"bits, highest", fixed(2)}}};
    for (const std::size_t ratio : {0u, 1u, 2u, 4u, 8u}) {
        std::vector<double> bits;
        for (const std::uint64_t seed : {1u, 2u, 3u})
            bits.push_back(held_out_bits(request, letters, ratio * letters_width, seed));
        Rng none = Rng::zeros();
        table.add({ratio == 0 ? std::string("no network") : fmt::format("{}", ratio),
                   count_parameters(LetterModel(letters.vocab, ratio * letters_width, none).parameters()),
                   *std::min_element(bits.begin(), bits.end()), *std::max_element(bits.begin(), bits.end())});
    }
    return {.items = {table}};
}

}  // namespace

Sections width_training_sections() {
    return {{"widths",
             "The next character after four, by networks of several widths",
             train_widths,
             {width_updates},
             Level::experiment,
             Slow::yes}};
}

}  // namespace tfs
