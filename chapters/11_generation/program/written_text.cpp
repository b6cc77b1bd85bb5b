// chapters/11_generation/program/written_text.cpp · the model writes: each token as soon as it is drawn, with its alternatives; and only what the puzzle allows
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "common/measure.hpp"

namespace tfs {

namespace options {

inline const FlagOption slide{"--slide", "where the context is full, forget its older half and go on"};
inline const FlagOption without_cache{"--without-cache",
                                      "time each token also without the cache: a pass over the whole text"};
inline const std::vector<Option> of_writing{model, prompt, tokens, temperature,   top_k, top_p,
                                            min_p, stop,   slide,  without_cache, seed};

}  // namespace options

namespace {

// Empty where no --stop is given.
std::string asked_stop(const Request& request) {
    const std::string& stop = request[options::stop];
    return stop == options::stop.value ? std::string() : stop;
}

constexpr std::size_t most_alternatives = 5, most_looked_at = 3;

// The places of the largest shares, at most so many, the largest first.
std::vector<std::size_t> largest(const std::vector<double>& shares, std::size_t most) {
    std::vector<std::size_t> places = largest_first(shares);
    std::erase_if(places, [&](std::size_t i) { return shares[i] == 0.0; });
    places.resize(std::min(most, places.size()));
    return places;
}

// The weights of the last layer at the last position, in the mean over its heads: one for each key.
std::vector<double> last_look(const TransformerOutput& output) {
    const Tensor& weights = output.self_weights.back();  // (1, heads, query, key)
    const std::size_t heads = weights.size(1), queries = weights.size(2), keys = weights.size(3);
    std::vector<double> mean(keys, 0.0);
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t key = 0; key < keys; ++key)
            mean[key] += static_cast<double>(weights.values()[((h * queries + queries - 1) * keys) + key]) /
                         static_cast<double>(heads);
    return mean;
}

// One text in the making: what the model looks at, what it could have written, and what may be shown.
class Recorder {
  public:
    Recorder(const Writer& writer, const Request& request)
        : writer_(writer), request_(request), stream_(asked_stop(request)) {
        text_.prompt = writer.source ? "" : writer.text;
    }

    LanguageModel model() {
        LanguageModel model = writer_.model();
        if (writer_.source) return model;  // what it looks at is in the source
        const Transformer& decoder = writer_.trained->model;
        model.logits = [this, &decoder](const Ids& tokens, Pass pass) {
            pass.keep_weights = Weights::keep;
            if (pass.keys(tokens.size()) == tokens.size()) read_.clear();  // a new cache
            read_.insert(read_.end(), tokens.begin(), tokens.end());
            const double begin = steady_seconds();
            const TransformerOutput output = decoder(tokens, pass);
            seconds_ = steady_seconds() - begin;
            look_ = last_look(output);
            if (request_[options::without_cache]) time_without_cache(decoder);
            return output.logits;
        };
        return model;
    }

    GenerationOptions generation(std::size_t new_tokens) {
        const Sampling sampling = asked_sampling(request_);
        GenerationOptions options{.new_tokens = new_tokens, .sampling = sampling};
        // It changes nothing: it sees the logits from which the next token is drawn.
        options.rules.emplace_back(
            [this, sampling](std::span<const std::int64_t> text, std::span<float> logits) {
                so_far_.assign(text.begin(), text.end());
                probabilities_ = token_probabilities(logits, sampling);
                of_model_ = token_probabilities(logits);
            });
        options.on_token = [this](std::size_t, std::int64_t token) { return take(token); };
        return options;
    }

    TokenText text() {
        show(stream_.rest());
        // The stop text, which may end within a token, is not part of the text.
        std::size_t length = 0;
        for (const WrittenToken& token : text_.tokens) length += token.text.size();
        while (length > shown_) {
            std::string& last = text_.tokens.back().text;
            const std::size_t more = std::min(length - shown_, last.size());
            last.resize(last.size() - more);
            length -= more;
            if (last.empty()) text_.tokens.pop_back();
        }
        return text_;
    }
    [[nodiscard]] bool stopped() const { return stream_.stopped(); }

  private:
    const Writer& writer_;
    const Request& request_;
    TextStream stream_;
    TokenText text_ = {};
    std::size_t shown_ = 0;  // bytes
    std::vector<double> look_ = {}, probabilities_ = {}, of_model_ = {};
    TokenIds so_far_ = {}, read_ = {};  // read_: what is in the cache
    double seconds_ = 0.0, seconds_without_cache_ = 0.0;

    [[nodiscard]] std::string token(std::int64_t id) const { return writer_.trained->tokenizer.token(id); }

    void time_without_cache(const Transformer& decoder) {
        const double begin = steady_seconds();
        (void)decoder(one_row(read_));
        seconds_without_cache_ = steady_seconds() - begin;
    }

    void show(const std::string& piece) {
        shown_ += piece.size();
        if (!piece.empty()) request_.tell({"token", piece});
    }

    bool take(std::int64_t id) {
        const std::string piece = token(id);
        show(stream_.add(piece));
        const std::size_t length = so_far_.size();
        WrittenToken written{piece, probabilities_[static_cast<std::size_t>(id)]};
        for (const std::size_t i : largest(of_model_, most_alternatives))
            written.alternatives.push_back({token(static_cast<std::int64_t>(i)), of_model_[i]});
        for (const std::size_t i : largest(look_, most_looked_at))
            written.looked_at.push_back({i < length ? token(so_far_[i]) : "", look_[i], length - i});
        if (request_[options::without_cache]) {
            written.seconds = seconds_;
            written.seconds_without_cache = seconds_without_cache_;
        }
        text_.tokens.push_back(std::move(written));
        return !stream_.stopped() && !is_interrupted();
    }
};

// Of all tokens but the first one, whose pass reads the prompt.
std::string times_in_words(const TokenText& text) {
    double with = 0.0, without = 0.0;  // ms
    for (std::size_t i = 1; i < text.tokens.size(); ++i) {
        with += 1e3 * text.tokens[i].seconds;
        without += 1e3 * text.tokens[i].seconds_without_cache;
    }
    return fmt::format(
        "All passes after the first one, which reads the prompt: {:.0f} ms with the cache; {:.0f} ms without "
        "it, {:.1f} times as long.",
        with, without, without / std::max(with, 1e-9));
}

const char* words_for(Ended ended, bool whole_date) {
    switch (ended) {
        case Ended::end_id:
            return "the model ended the text";
        case Ended::count:
            return whole_date ? "a date has no more" : "as many as were asked for";
        case Ended::full:
            return "the context of the model is full: --slide goes on without the older half of it";
        case Ended::stopped:
            return is_interrupted() ? "interrupted" : "the stop text came";
    }
    return "";
}

// Where the context is full, its newer half becomes the prompt: a new cache, and a prefill.
Report show_text(const Request& request) {
    hold_interruptions();
    const Writer writer = asked_writer(request);
    Recorder recorder(writer, request);
    const LanguageModel model = recorder.model();
    Rng rng(request[options::seed]);
    TokenIds prompt = writer.prompt;
    std::size_t written = 0, slides = 0;
    Generated result;
    if (!writer.source) request.tell({"prompt", writer.text});
    while (true) {
        result = write_text(model, prompt, recorder.generation(writer.new_tokens - written), rng);
        written += result.tokens.size();
        if (result.ended != Ended::full || !request[options::slide] || written >= writer.new_tokens) break;
        prompt.insert(prompt.end(), result.tokens.begin(), result.tokens.end());
        prompt.erase(prompt.begin(), prompt.end() - static_cast<std::ptrdiff_t>((model.max_len + 1) / 2));
        ++slides;
    }
    Report report;
    if (writer.source) report.note(fmt::format("The source: {}", writer.text));
    const TokenText text = recorder.text();
    report.add(text);
    report.note(fmt::format("{} tokens; {}.", written,
                            words_for(result.ended, writer.source && written == date_answer_length)));
    if (request[options::without_cache] && !writer.source) report.note(times_in_words(text));
    if (slides > 0)
        report.note(fmt::format("The model reads at most {} tokens: the older half of them was forgotten {}.",
                                model.max_len, slides == 1 ? "once" : fmt::format("{} times", slides)));
    return report;
}

// --- the puzzle

// The date that the model reads in this text, with the rule of the puzzle or without.
std::string date_read(const TextTransformer& reader, const std::string& text, bool with_rule) {
    const LanguageModel model = language_model(reader.model, reader.tokenizer.encode(text));
    GenerationOptions options{.new_tokens = date_answer_length, .sampling = {.temperature = 0.0}};
    if (with_rule) options.rules.push_back(only_where(reader.tokenizer, date_may_go_on, std::nullopt, 1));
    Rng rng(1);
    return reader.tokenizer.decode(write_text(model, {date_start}, options, rng).tokens);
}

Report show_dates() {
    const auto reader = load_network<TextTransformer>(weights_file("dates"), date_kind());
    Table table{.columns = {{"what it reads"}, {"what it writes"}, {"with the rule"}}};
    for (const char* text :
         {"Wed 8th of Apr. 1998", "31 February 1998", "02/30/98 month first", "29 February 1999"})
        table.add({text, date_read(reader, text, false), date_read(reader, text, true)});
    return Report(table);
}

Report show_lines(const Request& request) {
    const Writer writer = character_writer("First Citizen:\n");
    GenerationOptions options{.new_tokens = 200, .sampling = {.temperature = 0.8}};
    options.rules.push_back(
        only_where(writer.trained->tokenizer, line_may_go_on, std::nullopt, writer.prompt.size()));
    Rng rng(request[options::seed]);
    const TokenIds tokens = write_text(writer.model(), writer.prompt, options, rng).tokens;
    Report report;
    report.note("Lines of at most 40 characters, each of which ends with a space, ␣:");
    std::string shown;
    for (const std::int64_t id : tokens) {
        const std::string& token = writer.trained->tokenizer.token(id);
        if (token == "\n" && shown.ends_with(' ')) shown.replace(shown.size() - 1, 1, "␣");
        shown += token;
    }
    report.quote(shown);
    return report;
}

Report show_allowed(const Request& request) {
    Report report = part_or_gap(show_dates);
    report.add(part_or_gap([&] { return show_lines(request); }));
    return report;
}

}  // namespace

Sections written_text_sections() {
    return {{"write", "The model writes: --model {model}, temperature {temperature}", show_text,
             options::of_writing}};
}

Sections allowed_sections() {
    return {{"allowed", "The puzzle: dates that exist, and short lines", show_allowed, {options::seed}}};
}

}  // namespace tfs
