// tests/11_generation/small_models.cpp · models without weights, that show what they were given
#include "tests/11_generation/small_models.hpp"

#include <algorithm>

namespace tfs::test {

LogitsAfter scattered_logits(std::size_t vocab, std::uint64_t key, float largest) {
    return [=](std::span<const std::int64_t> text) {
        std::uint64_t number = key;
        for (const std::int64_t id : text) number = splitmix64(number, static_cast<std::uint64_t>(id));
        std::vector<float> logits(vocab);
        for (std::size_t i = 0; i < vocab; ++i)
            logits[i] = largest * static_cast<float>(splitmix64(number, i) >> 40) * 0x1.0p-24f;
        return logits;
    };
}

LanguageModel small_model(std::size_t vocab, std::size_t max_len, const LogitsAfter& logits_after) {
    const auto logits = [=](const Ids& tokens, const Pass& pass) {
        const std::size_t batch = tokens.shape()[0], seq = tokens.shape()[1];
        const std::vector<float> own(tokens.begin(), tokens.end());
        const Tensor ids = Tensor::from({batch, 1, seq, 1}, own);
        const KeysValues all = pass.all({ids, ids});
        const Tensor keys = all.keys;  // (batch, 1, longest, 1): a shorter row stands at the end
        std::vector<float> result;
        for (std::size_t row = 0; row < batch; ++row) {
            const Offset lengths = all.keys.lengths();
            const std::size_t length = lengths.is_one() ? lengths[0] : lengths[row];
            const auto kept = keys.values().subspan((row + 1) * keys.size(2) - length, length);
            const TokenIds text(kept.begin(), kept.end());
            const bool in_place = (pass.offset.is_one() ? pass.offset[0] : pass.offset[row]) + seq == length;
            for (std::size_t t = 0; t < seq; ++t) {
                std::vector<float> after = logits_after(std::span(text).first(length - seq + t + 1));
                if (!in_place) std::reverse(after.begin(), after.end());
                result.insert(result.end(), after.begin(), after.end());
            }
        }
        return Tensor::from({batch, seq, vocab}, result);
    };
    return {.vocab_size = vocab, .max_len = max_len, .logits = logits};
}

LanguageModel watched(const LanguageModel& model, std::vector<ReadPass>& passes) {
    LanguageModel result = model;
    result.logits = [model, &passes](const Ids& tokens, const Pass& pass) {
        const auto seq = static_cast<std::ptrdiff_t>(tokens.shape()[1]);
        ReadPass read{.tokens = TokenIds(tokens.begin(), tokens.begin() + seq),
                      .rows = tokens.shape()[0],
                      .offset = pass.offset[0]};
        if (pass.earlier) read.kept = pass.earlier->lengths(0)[0];
        passes.push_back(read);
        return model.logits(tokens, pass);
    };
    return result;
}

}  // namespace tfs::test
