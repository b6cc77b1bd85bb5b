// chapters/11_generation/program/sections.cpp · a trained model writes: sampling, its cache, rules
//
// Run it: ./tutorial run 11          on your own steps: ./tutorial run 11 --mine=all
//         ./tutorial run 11 -- --prompt "KING:" --temperature 0.5 --tokens 400
//         ./tutorial run 11 -- --model dates --prompt "Tue 3rd of Mar. 1998"
//         ./tutorial run 11 -- --deeper      (temperatures, times)
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/11_generation/program/options.hpp"
#include "common/terminal/display.hpp"

namespace tfs {

Sections filters_sections(), written_text_sections(), cache_sections(), allowed_sections();

LanguageModel Writer::model() const {
    return source ? language_model(trained->model, *source) : language_model(trained->model);
}

namespace {

constexpr const char* first_prompt = "First Citizen:\nW";
constexpr const char* first_date = "Wed 8th of Apr. 1998";

Writer date_writer(const std::string& text) {
    Writer writer{.trained = std::make_shared<const TextTransformer>(
                      load_network<TextTransformer>(weights_file("dates"), date_kind())),
                  .prompt = {date_start},
                  .text = text,
                  .new_tokens = date_answer_length};
    writer.source = ids_of(*writer.trained, options::prompt.flag, text);
    return writer;
}

void check_options(const Request& request) {
    if (request[options::stop].empty())
        throw ValueError("--stop: an empty text would end the writing at once; leave it out");
    (void)asked_writer(request);
}

}  // namespace

Writer character_writer(const std::string& prompt) {
    Writer writer{.trained = std::make_shared<const TextTransformer>(
                      load_network<TextTransformer>(weights_file("characters"), character_kind())),
                  .prompt = {},
                  .text = prompt};
    const Ids ids = ids_of(*writer.trained, options::prompt.flag, prompt);
    writer.prompt = {ids.begin(), ids.end()};
    return writer;
}

Writer asked_writer(const Request& request) {
    const std::string& asked = request[options::prompt];
    if (request[options::model] == "dates") {
        Writer writer = date_writer(asked.empty() ? first_date : asked);
        writer.new_tokens = std::min(writer.new_tokens, request[options::tokens]);
        return writer;
    }
    Writer writer = character_writer(asked.empty() ? first_prompt : asked);
    writer.new_tokens = request[options::tokens];
    return writer;
}

Sampling asked_sampling(const Request& request) {
    return {.temperature = request[options::temperature],
            .top_k = request[options::top_k] == 0 ? Sampling::all : request[options::top_k],
            .top_p = request[options::top_p],
            .min_p = request[options::min_p]};
}

Chapter chapter() {
    return {.name = "11_generation",
            .description = "Generation: a trained model writes, token by token.",
            .sections =
                joined({filters_sections(), written_text_sections(), cache_sections(), allowed_sections()}),
            .check = check_options};
}

}  // namespace tfs
