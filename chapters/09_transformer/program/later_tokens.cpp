// chapters/09_transformer/program/later_tokens.cpp · whether logits depend on later tokens, measured
#include <fmt/format.h>

#include <algorithm>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

// How many of the positions before a changed token give other logits, summed over all changed tokens.
std::size_t changed_before(const Transformer& model, const Ids& ids) {
    std::size_t count = 0;
    const Tensor before = model(ids).logits;
    for (std::size_t j = 1; j < ids.size(); ++j) {
        Ids other = ids;
        other.data()[j] = ids.data()[j] == 3 ? 4 : 3;
        const Tensor after = model(other).logits;
        for (std::size_t t = 0; t < j; ++t) {
            const auto a = before.values().subspan(t * small_vocab, small_vocab),
                       b = after.values().subspan(t * small_vocab, small_vocab);
            count += std::equal(a.begin(), a.end(), b.begin()) ? 0 : 1;
        }
    }
    return count;
}

Report show_later_tokens(const Request& request) {
    const NoGrad no_grad;
    const std::uint64_t seed = request[options::seed];
    const Ids ids = small_text(seed + 4, 10);
    Table table{.columns = {{"model"},
                            {"positions before it whose logits change",
                             whole(fmt::format(" of {}", ids.size() * (ids.size() - 1) / 2))}}};
    for (const std::string name : {"tiny-decoder", "tiny-llama", "tiny-encoder"})
        table.add({name, changed_before(small_model(preset(name), seed), ids)});
    const Transformer model = small_model(preset("tiny-decoder"), seed);
    const Tensor padded = slice(model(appended(appended(ids, 0), 0)).logits, 1, 0, 10);
    const double difference = largest_difference(padded.array(), model(ids).logits.array());
    Report report;
    report.add(table);
    report.note(
        fmt::format("a decoder, two tokens of padding behind the text, no padding mask: the same logits: {}",
                    difference < 1e-5 ? "yes" : fmt::format("NO, {:.1e}", difference)));
    return report;
}

}  // namespace

Sections later_tokens_sections() {
    return {{"later-tokens",
             "Do logits depend on later tokens?",
             show_later_tokens,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
