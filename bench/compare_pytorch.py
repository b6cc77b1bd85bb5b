#!/usr/bin/python3
# bench/compare_pytorch.py · the block of the benchmark beside PyTorch's: same sizes, same number of threads
#
#   ./tutorial bench -- --benchmark_filter=none         (builds build/release/bin/bench)
#   /usr/bin/python3 bench/compare_pytorch.py           (Debian: python3-torch; nothing else needs it)
#
# Ours is the block of bench/07_block_bench.cpp: pre-norm, LayerNorm, 12 heads, GELU by erf, biases everywhere, no dropout,
# float32, a causal mask. PyTorch's is torch.nn.TransformerEncoderLayer(norm_first=True) with the same. They differ in one
# thing: ours also returns the attention weights, PyTorch's does not (need_weights=False). Both take turns, and the best
# time of all rounds counts.

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

BATCH, SEQ, D_MODEL, HEADS, D_FF = 4, 256, 768, 12, 3072
TOKENS = BATCH * SEQ
FLOPS = 2 * TOKENS * (4 * D_MODEL**2 + 2 * SEQ * D_MODEL + 2 * D_MODEL * D_FF)  # of one forward pass: the products

SGEMM = "sgemm 1024 x 1024"
FORWARD = f"block forward, {BATCH} x {SEQ} x {D_MODEL}"
STEP = f"block forward + backward, {BATCH} x {SEQ} x {D_MODEL}"
WORK = {SGEMM: 2 * 1024**3, FORWARD: FLOPS, STEP: 3 * FLOPS}


def fail(sentence):
    print(f"compare_pytorch.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def parse_arguments():
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description="the block of the benchmark beside PyTorch's")
    parser.add_argument("bench", nargs="?", type=Path, default=root / "build/release/bin/bench",
                        help="the program that ./tutorial bench builds and runs (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="of both (default: 2)")
    parser.add_argument("--rounds", type=int, default=5, help="each times everything 5 times (default: 5)")
    arguments = parser.parse_args()
    if not arguments.bench.is_file():
        fail(f"there is no {arguments.bench}; build it with: ./tutorial bench -- --benchmark_filter=none")
    if arguments.threads < 1 or arguments.rounds < 1:
        fail(f"{arguments.threads} threads and {arguments.rounds} rounds; both must be at least 1")
    return arguments


def load_torch(threads):
    try:
        import torch
    except ImportError as error:
        fail(f"this Python has no PyTorch ({error}); on Debian: apt-get install python3-torch, then "
             "/usr/bin/python3 bench/compare_pytorch.py")
    torch.set_num_threads(threads)
    return torch


def blas_of_this_process():
    """The files of the BLAS that PyTorch has loaded, where the system tells."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return "unknown"
    found = {Path(path).resolve() for path in re.findall(r"(/\S*(?:blas|mkl_rt)\S*\.so\S*)", maps)}
    return ", ".join(sorted(map(str, found))) or "inside of libtorch"


class TorchBlock:
    """The three lines of the benchmark in PyTorch."""

    def __init__(self, torch):
        self.torch = torch
        torch.manual_seed(2)
        self.layer = torch.nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, dropout=0.0, activation="gelu",
                                                      batch_first=True, norm_first=True)
        self.x = torch.randn(BATCH, SEQ, D_MODEL)
        self.input = self.x.clone().requires_grad_()
        self.mask = torch.triu(torch.ones(SEQ, SEQ, dtype=torch.bool), diagonal=1)  # true = must not attend
        self.a, self.b = torch.randn(1024, 1024), torch.randn(1024, 1024)
        self.c = torch.empty(1024, 1024)

    def sgemm(self):
        self.torch.mm(self.a, self.b, out=self.c)

    def forward(self):
        self.layer.eval()
        with self.torch.no_grad():
            self.layer(self.x, src_mask=self.mask)

    def step(self):
        self.layer.train()
        self.layer(self.input, src_mask=self.mask).sum().backward()
        self.input.grad = None
        self.layer.zero_grad(set_to_none=True)


    def forward_operators(self):
        """The names of the operators that forward() runs: they tell which of two ways PyTorch took."""
        with self.torch.profiler.profile(activities=[self.torch.profiler.ProfilerActivity.CPU]) as profile:
            self.forward()
        return {event.key for event in profile.key_averages()}


def best_of(function, times=5):
    function()  # the first call is for the caches
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def run_bench(bench, threads):
    """Seconds of our three lines, best of five."""
    command = [str(bench), "--benchmark_filter=sgemm|block forward", "--benchmark_repetitions=5"]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    environment.pop("OMP_WAIT_POLICY", None)  # as ./tutorial bench does
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        fail(f"{bench} failed: {result.stderr.strip() or result.stdout.strip()}")
    times = {}
    for name in WORK:
        line = re.search(rf"^{re.escape(name)} +([0-9.]+) ", result.stdout, re.MULTILINE)
        if not line:
            fail(f"{bench} prints no line '{name}'; is it older than this script?")
        times[name] = float(line[1]) / 1e3
    return times


def print_line(name, ours, theirs, work):
    def rate(seconds):
        return f"{1e3 * seconds:8.1f} ms {work / seconds * 1e-9:6.1f} GFLOP/s"

    print(f"{name:<42}{rate(ours):>26}{rate(theirs):>28}{theirs / ours:8.2f} x")


def main():
    arguments = parse_arguments()
    torch = load_torch(arguments.threads)
    block = TorchBlock(torch)
    lines = {SGEMM: block.sgemm, FORWARD: block.forward, STEP: block.step}
    ours, theirs = {}, {}
    for _ in range(arguments.rounds):
        for name, function in lines.items():
            theirs[name] = min(theirs.get(name, float("inf")), best_of(function))
        for name, seconds in run_bench(arguments.bench, arguments.threads).items():
            ours[name] = min(ours.get(name, float("inf")), seconds)

    fused = "aten::_transformer_encoder_layer_fwd" in block.forward_operators()
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, BLAS: {blas_of_this_process()}")
    print(f"ours: {arguments.bench}, {arguments.threads} threads\n")
    print(f"{'':<42}{'ours':>26}{'PyTorch':>28}{'ratio':>10}")
    for name in lines:
        print_line(name, ours[name], theirs[name], WORK[name])
    print("\nThe ratio is PyTorch's time over ours. Forward is in evaluation mode without gradients; PyTorch took "
          + ("its fused fast path." if fused else "its\nordinary operators, because its fused fast path takes no "
             "attention mask in this version."))


if __name__ == "__main__":
    main()
