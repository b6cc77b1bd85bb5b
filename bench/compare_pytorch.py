#!/usr/bin/python3
# bench/compare_pytorch.py · the block and the training steps of the benchmark beside PyTorch's: same sizes, same threads
#
#   ./tutorial bench -- --benchmark_filter=none         (builds build/release/bin/bench)
#   /usr/bin/python3 bench/compare_pytorch.py           (Debian: python3-torch; nothing else needs it)
#   /usr/bin/python3 bench/compare_pytorch.py --gpt2    (only a training step of GPT-2 small: 10 GB)
#   /usr/bin/python3 bench/compare_pytorch.py --tokens  (only tokens that GPT-2 small writes, with its cache: 1 GB)
#
# Both compute with the kernels of OpenBLAS that ./tutorial bench had, or with those of OPENBLAS_CORETYPE where that is set.
#
# Our block is that of bench/07_block_bench.cpp: pre-norm, LayerNorm, 12 heads, GELU by erf, biases everywhere, no dropout,
# float32, a causal mask. PyTorch's is torch.nn.TransformerEncoderLayer(norm_first=True) with the same. Neither returns
# the attention weights (need_weights=False in PyTorch); where a backward pass follows, PyTorch 1.13 keeps them for it.
# Our training steps are those of bench/10_training_bench.cpp: decoders of GPT-2's kind; forward, cross-entropy, backward,
# clipping, AdamW. PyTorch gets four tries, and the fastest counts: blocks of its own or with one product for q, k and v
# written out, its AdamW with a loop or with foreach. Both sides take turns, and the best time of all rounds counts.
# Our tokens are those of bench/12_many_texts_bench.cpp: one more token after 32 and after 256 positions, whose keys and values
# are kept. PyTorch gets four tries here, too: F.linear, which takes the row as a matrix, or addmv, a product of matrix and vector
# (they call different functions of its BLAS); a cache that torch.cat makes anew or one with room for all.

import argparse
import json
import math
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
# vocab, seq, d_model, heads, layers, batch
TRAININGS = {"training step, 16 x 64 x 128, 4 layers": (65, 64, 128, 4, 4, 16),
             "training step, 8 x 128 x 256, 6 layers": (65, 128, 256, 8, 6, 8)}

GPT_2 = {"training step, GPT-2 small, 1 x 1024": (50257, 1024, 768, 12, 12, 1)}

TOKENS_AFTER = {f"token, GPT-2 small, after {earlier}": earlier for earlier in (32, 256)}


def training_flops(vocab, seq, d_model, heads, layers, batch):
    block = 2 * batch * seq * (12 * d_model**2 + 2 * seq * d_model)
    return 3 * (layers * block + 2 * batch * seq * d_model * vocab)


WORK = {SGEMM: 2 * 1024**3, FORWARD: FLOPS, STEP: 3 * FLOPS,
        **{name: training_flops(*sizes) for name, sizes in {**TRAININGS, **GPT_2}.items()}}


def fail(sentence):
    print(f"compare_pytorch.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def parse_arguments():
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description="the block and the training steps of the benchmark beside PyTorch's")
    parser.add_argument("bench", nargs="?", type=Path, default=root / "build/release/bin/bench",
                        help="the program that ./tutorial bench builds and runs (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="of both (default: 2)")
    parser.add_argument("--rounds", type=int, default=5, help="each times everything 5 times (default: 5)")
    parser.add_argument("--gpt2", action="store_true", help="only a training step of GPT-2 small: 10 GB")
    parser.add_argument("--tokens", action="store_true", help="only the tokens that GPT-2 small writes")
    arguments = parser.parse_args()
    if not arguments.bench.is_file():
        fail(f"there is no {arguments.bench}; build it with: ./tutorial bench -- --benchmark_filter=none")
    if arguments.threads < 1 or arguments.rounds < 1:
        fail(f"{arguments.threads} threads and {arguments.rounds} rounds; both must be at least 1")
    return arguments


def take_kernels(bench):
    """Sets what ./tutorial chooses (tools/tutorial/kernels.cpp), for PyTorch as for our program."""
    takes = os.environ.get("TUTORIAL_OPENBLAS_TAKES")
    said = subprocess.run([bench.resolve().parent / "blas_kernels"], capture_output=True, text=True, check=True,
                          env=dict(os.environ, OPENBLAS_CORETYPE=takes) if takes else None).stdout
    better = re.search(r"^better (\w+)$", said, re.MULTILINE)
    if better:
        os.environ.setdefault("OPENBLAS_CORETYPE", better[1])


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


def later(torch, seq):
    """true = must not attend"""
    return torch.triu(torch.ones(seq, seq, dtype=torch.bool), diagonal=1)


class TorchBlock:
    """The first three lines of the benchmark in PyTorch."""

    def __init__(self, torch):
        self.torch = torch
        torch.manual_seed(2)
        self.layer = torch.nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, dropout=0.0, activation="gelu",
                                                      batch_first=True, norm_first=True)
        self.x = torch.randn(BATCH, SEQ, D_MODEL)
        self.input = self.x.clone().requires_grad_()
        self.mask = later(torch, SEQ)
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


def written_out_block(torch, d_model, heads):
    """A block with one product for q, k and v."""
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norms = nn.ModuleList([nn.LayerNorm(d_model), nn.LayerNorm(d_model)])
            self.qkv, self.o = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
            self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

        def forward(self, x, mask):
            batch, seq, _ = x.shape
            q, k, v = (part.view(batch, seq, heads, d_model // heads).transpose(1, 2)
                       for part in self.qkv(self.norms[0](x)).split(d_model, dim=2))
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(d_model // heads))
            weights = nn.functional.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
            x = x + self.o((weights @ v).transpose(1, 2).reshape(batch, seq, d_model))
            return x + self.down(nn.functional.gelu(self.up(self.norms[1](x)), approximate="tanh"))

    return Block()


def torch_training(torch, sizes, own_blocks, foreach):
    """A training step in PyTorch, as a function without arguments."""
    vocab, seq, d_model, heads, layers, batch = sizes
    nn = torch.nn
    torch.manual_seed(1)

    def block():
        if not own_blocks:
            return written_out_block(torch, d_model, heads)
        return nn.TransformerEncoderLayer(d_model, heads, 4 * d_model, dropout=0.0, batch_first=True, norm_first=True,
                                          activation=lambda x: nn.functional.gelu(x, approximate="tanh"))

    tokens, positions, norm = nn.Embedding(vocab, d_model), nn.Embedding(seq, d_model), nn.LayerNorm(d_model)
    for table in (tokens, positions):  # as in GPT-2, and in ours; with rows of N(0, 1) PyTorch would be slower
        nn.init.normal_(table.weight, std=0.02)
    blocks, mask = nn.ModuleList([block() for _ in range(layers)]), later(torch, seq)
    parameters = [p for part in (tokens, positions, norm, blocks) for p in part.parameters()]
    optimizer = torch.optim.AdamW(parameters, lr=1e-3, foreach=foreach)
    ids = torch.randint(0, vocab, (batch, seq + 1))

    def step():
        optimizer.zero_grad(set_to_none=True)
        x = tokens(ids[:, :-1]) + positions.weight
        for one in blocks:
            x = one(x, mask)
        logits = nn.functional.linear(norm(x), tokens.weight)
        nn.functional.cross_entropy(logits.reshape(-1, vocab), ids[:, 1:].reshape(-1)).backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()

    return step


def tries_of(torch, sizes):
    return [torch_training(torch, sizes, own_blocks, foreach) for own_blocks in (True, False) for foreach in (False, True)]


class TorchWriter:
    """A decoder of GPT-2's kind that writes one more token, its keys and values kept: plain functions on random weights."""

    VOCAB, D_MODEL, HEADS, LAYERS, MAX_LEN = 50257, 768, 12, 12, 1024

    def __init__(self, torch):
        self.torch = torch
        torch.manual_seed(1)
        d = self.D_MODEL

        def weight(*shape):
            return torch.randn(*shape) * 0.02

        self.tokens, self.positions = weight(self.VOCAB, d), weight(self.MAX_LEN, d)
        norm = [torch.ones(d), torch.zeros(d)]
        self.layers = [{"norm_1": norm, "qkv": (weight(3 * d, d), weight(3 * d)), "o": (weight(d, d), weight(d)),
                        "norm_2": norm, "up": (weight(4 * d, d), weight(4 * d)), "down": (weight(d, 4 * d), weight(d))}
                       for _ in range(self.LAYERS)]
        self.norm = norm

    def step_after(self, earlier, room, by_vector):
        """A step as a function without arguments; room: the cache has room for the next position."""
        torch, d, heads = self.torch, self.D_MODEL, self.HEADS
        norm_of = torch.nn.functional.layer_norm

        def linear(x, weight, bias=None):
            if not by_vector:
                return torch.nn.functional.linear(x, weight, bias)
            return torch.mv(weight, x) if bias is None else torch.addmv(bias, weight, x)

        cache = [torch.randn(2, heads, earlier + (1 if room else 0), d // heads) for _ in range(self.LAYERS)]
        shape = (d,) if by_vector else (1, d)

        def step():
            with torch.inference_mode():
                x = (self.tokens[17] + self.positions[earlier]).view(shape)
                for layer, kept in zip(self.layers, cache):
                    qkv = linear(norm_of(x, (d,), *layer["norm_1"]), *layer["qkv"]).view(3, heads, 1, d // heads)
                    if room:
                        kept[:, :, earlier:] = qkv[1:]
                    else:
                        kept = torch.cat([kept, qkv[1:]], dim=2)
                    scores = (qkv[0] @ kept[0].transpose(1, 2)) * (1.0 / math.sqrt(d // heads))
                    heads_out = torch.softmax(scores, dim=-1) @ kept[1]
                    x = x + linear(heads_out.reshape(shape), *layer["o"])
                    hidden = linear(norm_of(x, (d,), *layer["norm_2"]), *layer["up"])
                    x = x + linear(torch.nn.functional.gelu(hidden, approximate="tanh"), *layer["down"])
                return linear(norm_of(x, (d,), *self.norm), self.tokens)

        return step

    def tries_after(self, earlier):
        return [self.step_after(earlier, room, by_vector) for room in (False, True) for by_vector in (False, True)]


def best_of(function, times=5):
    function()  # the first call is for the caches
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def pattern_of(name):
    """Google Benchmark's expressions don't know all that re.escape escapes."""
    return name.replace("+", ".")


def bench_environment(threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    environment.pop("OMP_WAIT_POLICY", None)  # as ./tutorial bench does
    return environment


def run_bench(bench, threads, names):
    """Seconds of our lines, best of five; of what takes seconds itself, best of two."""
    command = [str(bench), "--benchmark_filter=" + "|".join(map(pattern_of, names)), "--benchmark_repetitions=5",
               "--benchmark_format=json"]
    result = subprocess.run(command, env=bench_environment(threads), capture_output=True, text=True)
    if result.returncode != 0:
        fail(f"{bench} failed: {result.stderr.strip() or result.stdout.strip()}")
    times = {}
    for run in json.loads(result.stdout)["benchmarks"]:
        name = run["run_name"].split("/")[0]
        if run["run_type"] == "iteration":
            times[name] = min(times.get(name, math.inf), run["real_time"] / 1e3)
    for name in names:
        if name not in times:
            fail(f"{bench} has no benchmark '{name}'; is it older than this script?")
    return times


def print_line(name, ours, theirs, work):
    def rate(seconds):
        return f"{1e3 * seconds:8.1f} ms {work / seconds * 1e-9:6.1f} GFLOP/s"

    print(f"{name:<42}{rate(ours):>26}{rate(theirs):>28}{theirs / ours:8.2f} x")


def compare_times(arguments, lines):
    ours, theirs = {}, {}

    def note(times, name, seconds):
        times[name] = min(times.get(name, float("inf")), seconds)

    for _ in range(arguments.rounds):
        for name, functions in lines.items():
            note(theirs, name, min(map(best_of, functions)))
        for name, seconds in run_bench(arguments.bench, arguments.threads, lines).items():
            note(ours, name, seconds)
    for name in ours:
        print_line(name, ours[name], theirs[name], WORK[name])


def compare_tokens(arguments, torch):
    writer = TorchWriter(torch)
    tries = {name: writer.tries_after(earlier) for name, earlier in TOKENS_AFTER.items()}
    ours, theirs = dict.fromkeys(tries, float("inf")), dict.fromkeys(tries, float("inf"))
    for _ in range(arguments.rounds):
        for name, functions in tries.items():
            theirs[name] = min(theirs[name], *map(best_of, functions))
        for name, seconds in run_bench(arguments.bench, arguments.threads, list(tries)).items():
            ours[name] = min(ours[name], seconds)
    for name in tries:
        print(f"{name:<42}{1e3 * ours[name]:>17.1f} ms/token{1e3 * theirs[name]:>19.1f} ms/token"
              f"{theirs[name] / ours[name]:8.2f} x")


def main():
    arguments = parse_arguments()
    take_kernels(arguments.bench)
    torch = load_torch(arguments.threads)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, BLAS: {blas_of_this_process()}")
    print(f"ours: {arguments.bench}, {arguments.threads} threads")
    print(f"OPENBLAS_CORETYPE: {os.environ.get('OPENBLAS_CORETYPE', 'not set')}\n")
    print(f"{'':<42}{'ours':>26}{'PyTorch':>28}{'ratio':>10}", flush=True)
    if arguments.tokens or arguments.gpt2:
        if arguments.tokens:
            compare_tokens(arguments, torch)
        if arguments.gpt2:
            compare_times(arguments, {name: tries_of(torch, sizes) for name, sizes in GPT_2.items()})
        print("\nThe ratio is PyTorch's time over ours.")
        return
    block = TorchBlock(torch)
    lines = {SGEMM: [block.sgemm], FORWARD: [block.forward], STEP: [block.step]}
    compare_times(arguments, lines | {name: tries_of(torch, sizes) for name, sizes in TRAININGS.items()})
    fused = "aten::_transformer_encoder_layer_fwd" in block.forward_operators()
    print("\nThe ratio is PyTorch's time over ours. Forward is in evaluation mode without gradients; PyTorch took "
          + ("its fused fast path." if fused else "its\nordinary operators, because its fused fast path takes no "
             "attention mask in this version."))


if __name__ == "__main__":
    main()
