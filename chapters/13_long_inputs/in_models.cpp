// chapters/13_long_inputs/in_models.cpp · the models of a program that is linked with this file attend with the steps of this chapter
#include "chapters/13_long_inputs/models/long_attention.hpp"
#include "common/tensor/tiled_attention.hpp"

namespace tfs {
namespace {

const AttentionOfModels steps(attend_on_tape);

}  // namespace
}  // namespace tfs
