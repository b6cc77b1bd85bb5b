// chapters/09_transformer/program/greedy_text.cpp · what a model writes, always taking the best token
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_new_words = 60;  // with the text they fit into a tiny model

// The smallest period with which the last tokens repeat, at least twice over; 0 where they don't.
std::size_t period_of(const std::vector<std::int64_t>& tokens) {
    for (std::size_t period = 1; 2 * period <= tokens.size(); ++period)
        if (std::equal(tokens.end() - static_cast<std::ptrdiff_t>(period), tokens.end(),
                       tokens.end() - static_cast<std::ptrdiff_t>(2 * period)))
            return period;
    return 0;
}

// What follows the first `given` tokens.
std::vector<std::int64_t> added_to(const Ids& all, std::size_t given) {
    return {all.begin() + static_cast<std::ptrdiff_t>(given), all.end()};
}

// What a decoder adds to the text, or an encoder-decoder writes after <start>, and how soon it repeats itself.
Report written_words(const Transformer& model, const TextIds& text, std::size_t count) {
    const bool both = model.config.architecture == Architecture::encoder_decoder;
    const std::vector<std::int64_t> added =
        both ? added_to(translate_greedy(model, text.ids, TextIds::start, count, TextIds::end), 1)
             : added_to(generate_greedy(model, text.ids, count, TextIds::end), text.ids.size());
    Tokens words;
    for (const std::int64_t id : added) words.push_back(text.words[static_cast<std::size_t>(id)]);
    Report report;
    report.note(fmt::format("up to {} new tokens", count));
    report.quote(fmt::format("{} | {}", fmt::join(both ? Tokens{"<start>"} : text.tokens, " "),
                             fmt::join(words, " ")));
    const std::size_t period = period_of(added);
    report.note(period > 0 ? fmt::format("it repeats itself with period {}", period)
                           : "it does not repeat itself yet");
    return report;
}

// What the trained model adds to the text, and how many different words that has.
Report written_characters(const TextTransformer& trained, const std::string& text, std::size_t count) {
    const Ids prompt = trained.tokenizer.encode(text);
    const std::size_t room = trained.config.max_len - prompt.size();  // trained_decoder: there is some
    const Ids all = generate_greedy(trained.model, prompt, std::min(count, room));
    const std::string written = trained.tokenizer.decode(added_to(all, prompt.size()));
    Report report;
    report.note(fmt::format("up to {} new characters, from trained weights", count));
    report.quote(text + "|" + written);
    std::istringstream words_written(written);
    const Tokens words(std::istream_iterator<std::string>(words_written), {});
    report.note(
        fmt::format("{} words, {} of them different: greedy text repeats itself (chapter 11 draws by chance)",
                    words.size(), std::set<std::string>(words.begin(), words.end()).size()));
    return report;
}

// Where there is a trained model, it is that one that writes.
Report show_greedy(const Request& request) {
    const std::size_t count = request[options::new_tokens];  // 0: the default
    Report report;
    if (wants_trained(request))
        if (const TextTransformer* const trained =
                trained_decoder(report, request, "so these weights are random"))
            return written_characters(*trained, request[options::text], count > 0 ? count : 130);
    const AskedModel asked = asked_model(request);
    report.add(written_words(asked_weights(request, asked), asked.text,
                             count > 0 ? std::min(count, most_new_words) : 8));
    if (!asked.from_file) report.note("untrained: the words mean nothing, chapter 10 trains such models");
    return report;
}

}  // namespace

Sections greedy_text_sections() {
    return {{"greedy", "Greedy: always the best token", show_greedy,
             with(options::of_any_model, options::new_tokens)}};
}

}  // namespace tfs
