tests/tools/kernels.t · kernels of OpenBLAS for a processor that it does not know

  $ . "$TESTDIR/setup"

The library and the processor are what the variables say (fake_blas.cpp). It takes Prescott. A step shows what the runner has set.

  $ export MINI_BLAS_KERNELS=$build/bin/tools_test_fake_blas FAKE_PROCESSOR='avx2 avx512'
  $ write double_it 'const char* kernels = getenv("OPENBLAS_CORETYPE"); puts(kernels ? kernels : "none"); return 2 * x;' $'#include <stdio.h>\n#include <stdlib.h>'
  $ kernels() { check 0.1 2>&1 | sed -n '/warn/,$d; s/^      //p' | uniq; }
  $ version() { ./tutorial --version | sed 1d; }
  $ version
  Kernels of OpenBLAS: not known yet; the first ./tutorial run finds them out.

Better ones are set for all that is started: the best that the processor can run.

  $ kernels
  SkylakeX
  $ version
  Kernels of OpenBLAS 0.0.1: SkylakeX, chosen by ./tutorial (OPENBLAS_CORETYPE), where OpenBLAS takes those for Prescott, an old processor.
  $ FAKE_PROCESSOR='amd avx2' kernels
  Zen
  $ FAKE_PROCESSOR=avx2 kernels
  Haswell

What the learner has set stays; so do a library that has no choice, and an old processor.

  $ OPENBLAS_CORETYPE=Nehalem kernels
  Nehalem
  $ OPENBLAS_CORETYPE=Nehalem version
  Kernels of OpenBLAS 0.0.1: Nehalem, chosen by your OPENBLAS_CORETYPE=Nehalem.
  $ FAKE_CONFIG='OpenBLAS 0.0.1 PRESCOTT' kernels
  none
  $ FAKE_CONFIG='OpenBLAS 0.0.1 PRESCOTT' version
  Kernels of OpenBLAS 0.0.1: Prescott, chosen by OpenBLAS.
  $ FAKE_PROCESSOR=amd kernels
  none
