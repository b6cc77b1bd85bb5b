// chapters/10_training/models/corpus.cpp · a text to learn from, character by character, cut into windows
#include "chapters/10_training/models/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "chapters/10_training/models/trainer.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/safetensors_header.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

namespace {

constexpr std::size_t most_characters = 1000, most_windows = 100'000;
constexpr std::uintmax_t largest_file = 50'000'000;  // bytes

// The order of the code points is that of their bytes in UTF-8, too.
Tokenizer tokenizer_of(const Tokens& letters) {
    const std::set<std::string> characters(letters.begin(), letters.end());
    return {Cut::characters, {characters.begin(), characters.end()}};
}

void require_usable(const Corpus& corpus, const std::string& name, std::size_t context) {
    const std::size_t least = 10 * (context + 1);  // then the held-out part has a whole window
    if (corpus.ids.size() < least)
        throw ValueError(
            fmt::format("{} has {} characters: at least {} are needed", name, corpus.ids.size(), least));
    if (corpus.tokenizer.size() < 2 || corpus.tokenizer.size() > most_characters)
        throw ValueError(fmt::format("{} has {} different character{}: 2 to {} can be learned", name,
                                     corpus.tokenizer.size(), corpus.tokenizer.size() == 1 ? "" : "s",
                                     most_characters));
}

// Without what some editors add: a mark at the beginning, and "\r" at the ends of lines.
std::string with_plain_lines(std::string text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) text.erase(0, mark.size());
    for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
}

}  // namespace

Corpus corpus_of(const std::string& text, const std::string& name, std::size_t context) {
    if (text.empty()) throw ValueError(fmt::format("{} is empty: there is nothing to learn from", name));
    Tokens letters;
    try {
        letters = characters_of(with_plain_lines(text));
    } catch (const ValueError& error) {
        throw ValueError(fmt::format("{}: {}", name, error.what()));
    }
    Corpus corpus{.tokenizer = tokenizer_of(letters)};
    const Ids ids = corpus.tokenizer.encode(letters);
    corpus.ids.assign(ids.begin(), ids.end());
    corpus.held_out_from = corpus.ids.size() - corpus.ids.size() / 10;
    require_usable(corpus, name, context);
    return corpus;
}

Corpus read_corpus(const std::filesystem::path& file, std::size_t context) {
    std::error_code none;
    if (const auto size = std::filesystem::file_size(file, none); !none && size > largest_file)
        refuse_file(file, fmt::format("{} MB are too much to learn from here, at most {} MB",
                                      size / 1'000'000, largest_file / 1'000'000));
    return corpus_of(read_file(file), harmless(file.string()), context);
}

std::vector<Example> training_windows(const Corpus& corpus, std::size_t context) {
    const std::size_t begins = corpus.held_out_from - context,
                      stride = std::max<std::size_t>(16, begins / most_windows);
    std::vector<Example> windows;
    for (std::size_t begin = 0; begin < begins; begin += stride)
        windows.push_back(text_window(corpus.ids, begin, context));
    return windows;
}

std::vector<Example> some_held_out_windows(const Corpus& corpus, std::size_t context, std::size_t count) {
    const std::size_t begins = corpus.held_out_size() - context;
    count = std::min(count, begins);
    std::vector<Example> windows;
    for (std::size_t i = 0; i < count; ++i)
        windows.push_back(text_window(corpus.ids, corpus.held_out_from + i * begins / count, context));
    return windows;
}

std::vector<Example> scoring_windows(const Corpus& corpus, std::size_t context, std::size_t count) {
    const std::size_t asked = std::max<std::size_t>(1, context / 4),
                      end = corpus.held_out_from + std::min(count, corpus.held_out_size());
    std::vector<Example> windows;
    for (std::size_t first = corpus.held_out_from; first < end; first += asked) {
        // The last window ends with the text, and asks for what is left.
        const std::size_t last = std::min(first + asked, end);
        Example window = text_window(corpus.ids, last - context - 1, context);
        std::fill(window.target.end() - static_cast<std::ptrdiff_t>(context),
                  window.target.end() - static_cast<std::ptrdiff_t>(last - first), ignored);
        windows.push_back(std::move(window));
    }
    return windows;
}

Model writer_logits(const TextTransformer& decoder) {
    return
        [decoder](const Batch& batch, Rng* rng) { return decoder.model(batch.inputs, {.rng = rng}).logits; };
}

double bits_per_character(const TextTransformer& model, const Corpus& corpus, std::size_t count) {
    const std::vector<Example> windows = scoring_windows(corpus, model.config.max_len, count);
    return evaluate(writer_logits(model), batches_of(windows, 32, 0)).loss / std::numbers::ln2;
}

}  // namespace tfs
