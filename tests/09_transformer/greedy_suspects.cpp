// tests/09_transformer/greedy_suspects.cpp · the greedy loops from the parts of the model, with one thing done wrong
#include "tests/09_transformer/greedy_suspects.hpp"

#include <utility>

namespace tfs::test {
namespace {

// How the next token is found.
enum class Reads {
    all,
    prompt,
    last_token,
    last_token_in_its_place,
    position_before,
    first_position,
    hidden
};

Tensor scores_of(const Transformer& m, const Ids& prompt, const Ids& ids, Reads reads) {
    const std::size_t seq = ids.size();
    if (reads == Reads::prompt) return reference_logits(m, reference_hidden(m, prompt));
    if (reads == Reads::hidden) return reference_hidden(m, ids);
    if (reads == Reads::last_token)
        return reference_logits(m, reference_hidden(m, part_of(ids, seq - 1, seq)));
    if (reads == Reads::last_token_in_its_place) {
        const Tensor x = slice(embedded(m, ids), 1, seq - 1, seq);
        return reference_logits(m, std::get<Stack>(m.stack)(x).output);
    }
    const Tensor logits = reference_logits(m, reference_hidden(m, ids));
    const std::size_t length = reads == Reads::first_position ? 1 : reads == Reads::all ? seq : seq - 1;
    return slice(logits, 1, 0, length);
}

// Eight tokens; `first`: how the first of them is found.
std::vector<std::int64_t> generated(const Transformer& m, const Ids& prompt, Reads first, Reads then) {
    Ids ids = prompt;
    for (std::size_t i = 0; i < 8; ++i)
        ids = appended(ids, token_of_largest(scores_of(m, prompt, ids, i == 0 ? first : then)));
    return list(ids);
}

}  // namespace

std::vector<std::int64_t> right_text(const Transformer& m, const Ids& prompt) {
    return generated(m, prompt, Reads::all, Reads::all);
}

std::string cause_of_tokens(const Transformer& m, const Ids& prompt, const std::vector<std::int64_t>& found) {
    const std::vector<std::pair<Reads, std::string>> causes{
        {Reads::position_before, "logits shifted by one: the position before the last is read"},
        {Reads::first_position, "the first position is read, not the last"},
        {Reads::hidden, "the largest of `hidden`, not of the logits"},
        {Reads::prompt,
         "every token is read off the logits of the prompt alone; the model has to read the new tokens as "
         "well"},
        {Reads::last_token, "the model is run on the last token alone; it has to read all tokens so far"},
        {Reads::last_token_in_its_place,
         "the model is run on the last token alone, though at its position; it has to read all tokens so "
         "far"}};
    for (const auto& [reads, cause] : causes)
        if (found == generated(m, prompt, reads, reads) || found == generated(m, prompt, Reads::all, reads))
            return likely_if(true, cause);
    return {};
}

namespace {

enum class Mistake {
    nothing,
    embedded_memory,
    encoded_target,
    padding_lost,
    decoded_source,
    decoded_start,
    last_token,
    last_token_in_its_place,
    largest_of_hidden,
    value_for_index,
    start_replaced
};

// Eight tokens of the model, with one thing done wrong.
std::vector<std::int64_t> translated(const Transformer& m, const Ids& source, std::int64_t start,
                                     Mistake mistake) {
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const auto memory_of = [&](const Ids& ids) {
        const auto padding = padding_of(m.config, ids);
        const Tensor x = embedded(m, ids);
        if (mistake == Mistake::embedded_memory) return stack.memory_of(x, padding);
        Memory memory = stack.encode(x, padding);
        if (mistake == Mistake::padding_lost) memory.padding.reset();
        return memory;
    };
    const Memory memory = memory_of(source);
    const auto scores_of = [&](const Ids& target) {
        const std::size_t last = target.size() - 1;
        const Ids read = mistake == Mistake::decoded_source  ? source
                         : mistake == Mistake::decoded_start ? one_token(start)
                         : mistake == Mistake::last_token    ? part_of(target, last, last + 1)
                                                             : target;
        Tensor x = embedded(m, read);
        std::optional<Mask> padding = padding_of(m.config, read);
        if (mistake == Mistake::last_token_in_its_place) x = slice(x, 1, last, last + 1), padding.reset();
        const Memory own = mistake == Mistake::encoded_target ? memory_of(target) : memory;
        const Tensor hidden = stack.decode(x, own, padding).output;
        return mistake == Mistake::largest_of_hidden ? hidden : reference_logits(m, hidden);
    };
    Ids target = one_token(start);
    for (std::size_t i = 0; i < 8; ++i) {
        const Tensor scores = scores_of(target);
        std::int64_t token = token_of_largest(scores);
        if (mistake == Mistake::value_for_index)
            token = static_cast<std::int64_t>(
                scores.values()[scores.size() - scores.size(2) + static_cast<std::size_t>(token)]);
        if (token < 0) break;
        target = i == 0 && mistake == Mistake::start_replaced ? one_token(token) : appended(target, token);
    }
    return list(target);
}

}  // namespace

std::vector<std::int64_t> right_translation(const Transformer& m, const Ids& source, std::int64_t start) {
    return translated(m, source, start, Mistake::nothing);
}

std::string cause_of_translation(const Transformer& m, const Ids& source,
                                 const std::vector<std::int64_t>& found) {
    const std::vector<std::pair<Mistake, std::string>> causes{
        {Mistake::embedded_memory, "the memory is the embedded source; it has to go through encode"},
        {Mistake::encoded_target, "the encoder is given the target; it reads the source"},
        {Mistake::padding_lost, "the memory has lost the source's padding: hand decode what encode gave"},
        {Mistake::decoded_source, "the decoder is given the source; it reads the target so far"},
        {Mistake::decoded_start,
         "every token is read off the logits of start_id alone; the decoder reads the target so far"},
        {Mistake::last_token, "the decoder is given the last token alone; it reads the target so far"},
        {Mistake::last_token_in_its_place,
         "the decoder is given the last token alone, though at its position; it reads the target so far"},
        {Mistake::largest_of_hidden, "the largest of `hidden`, not of the logits"},
        {Mistake::value_for_index, "the largest logit itself is taken for the token; its index is the token"},
        {Mistake::start_replaced, "the first token replaces start_id; it is appended to it"}};
    for (const auto& [mistake, cause] : causes)
        if (found == translated(m, source, 1, mistake)) return likely_if(true, cause);
    return {};
}

}  // namespace tfs::test
