// Step 9.6 · whole_model · ●●● · 60 min, optional
// exercises/09_transformer/whole_model.cpp · check yours with ./tutorial check 9.6
#include "chapters/09_transformer/whole_model.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/07_block/block.hpp"
#include "chapters/09_transformer/given/transformer.hpp"
#include "common/nn/keys_values.hpp"
#include "common/nn/layers.hpp"

namespace tfs {

std::vector<Stage> WholeModel::operator()(const Ids& ids) const {
    require_ids("WholeModel", config, ids);
    // TODO 9.6: A GPT from ids to logits, made of your own parts. The contract, chapters/09_transformer/whole_model.hpp, names its
    // weights. Return what each part gives: {"embedding", x}, {"blocks.0", x}, …, {"final_norm", x}, {"logits", …}.
    throw NotImplemented("9.6 whole_model");
}

}  // namespace tfs
