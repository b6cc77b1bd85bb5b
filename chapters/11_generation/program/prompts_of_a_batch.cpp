// chapters/11_generation/program/prompts_of_a_batch.cpp · prompts of different lengths in one batch: same texts as alone
#include <fmt/format.h>

#include "chapters/11_generation/program/options.hpp"

namespace tfs {

namespace {

Report show_batch(const Request& request) {
    const std::vector<std::string> prompts{"First Citizen:", "O", "My lord, "};
    const Writer writer = character_writer(prompts[0]);
    const LanguageModel model = writer.model();
    std::vector<TokenIds> all;
    std::vector<Rng> rngs;
    for (const std::string& prompt : prompts) {
        const Ids ids = writer.trained->tokenizer.encode(prompt);
        all.emplace_back(ids.begin(), ids.end());
        rngs.emplace_back(request[options::seed] + rngs.size());
    }
    const GenerationOptions options{.new_tokens = 40, .sampling = asked_sampling(request)};
    std::vector<Rng> again = rngs;
    const std::vector<Generated> together = generate(model, all, options, rngs);
    Table table{.columns = {{"prompt"}, {"40 tokens after it"}, {"the same alone?"}}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<Rng> own{again[i]};
        const bool same = generate(model, {all[i]}, options, own)[0].tokens == together[i].tokens;
        const std::string text = writer.trained->tokenizer.decode(together[i].tokens);
        table.add({prompts[i], in_one_line(text), same ? "yes" : "no"});
    }
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections prompts_of_a_batch_sections() {
    return {{"batch",
             "Three prompts of different lengths in one batch",
             show_batch,
             {options::temperature, options::top_k, options::top_p, options::min_p, options::seed},
             Level::deeper}};
}

}  // namespace tfs
