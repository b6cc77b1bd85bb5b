#!/usr/bin/python3
# tests/golden/make_golden.py · makes the reference values of the tests with PyTorch
#
#   /usr/bin/python3 tests/golden/make_golden.py [area ...]    (Debian: python3-torch; no name: all areas)
#
# Each area is one file area_NAME.py, whose function NAME() fills one safetensors file. The files are
# committed: the tests need neither Python nor PyTorch. Inputs are rounded to float32 and PyTorch computes in
# float64 from those, so that a reference is right to the last digit of the float32 that it is stored as.
#
# A gradient is always that of sum(output * grad_weights), with fixed weights that are stored too: a plain sum
# would hide mistakes (the sum of a softmax has the gradient 0). `x.grad_q` is the gradient for `x.q`.

import importlib
import sys

sys.dont_write_bytecode = True  # no __pycache__ beside the golden files

from golden_area import save_safetensors

# The name of an area, of its module area_NAME and of the function in it · the file that it fills.
AREAS = {"common": "common", "tensors": "00_tensors", "attention": "01_attention", "masks": "02_masks",
         "positions": "03_positional_encoding", "normalization": "04_normalization",
         "feed_forward": "05_feed_forward", "residual": "06_residual_dropout", "block": "07_block",
         "encoder_decoder": "08_encoder_decoder", "transformer": "09_transformer",
         "optimizer": "10_optimizer", "training": "10_training", "long_inputs": "13_long_inputs"}


def main():
    for name in sys.argv[1:] or AREAS:
        if name not in AREAS:
            sys.exit(f"make_golden.py: there is no area '{name}'; there are: {', '.join(AREAS)}")
        made = getattr(importlib.import_module(f"area_{name}"), name)().tensors
        save_safetensors(AREAS[name], made)
        for key, values in made.items():
            print(f"{AREAS[name]}  {key:42} {values.shape}")


if __name__ == "__main__":
    main()
