// Step 9.6 · whole_model · ●●● · 60 min, optional
// exercises/09_transformer/whole_model.cpp · check yours with ./tutorial check 9.6
#include "chapters/09_transformer/whole_model.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "chapters/09_transformer/given/model_checks.hpp"

namespace tfs {

std::vector<Stage> WholeModel::operator()(const Ids& ids) const {
    require_ids("WholeModel", config, ids);
    // TODO 9.6: A GPT from ids to logits, of your own parts; whole_model.hpp names its weights. Push back each stage once it is done.
    throw NotImplemented("9.6 whole_model");
}

}  // namespace tfs
