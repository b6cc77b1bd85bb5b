tests/tools/kernels.t · kernels of OpenBLAS for a processor that it does not know

  $ . "$TESTDIR/setup"

The library and the processor are what the variables say (fake_blas.cpp). It takes Prescott. A step shows what the runner has set.

  $ export MINI_BLAS_KERNELS=$build/bin/tools_test_fake_blas FAKE_LOG=$PWD/tried FAKE_PROCESSOR='avx2 avx512'
  $ write double_it 'const char* kernels = getenv("OPENBLAS_CORETYPE"); puts(kernels ? kernels : "none"); return 2 * x;' $'#include <stdio.h>\n#include <stdlib.h>'
  $ kernels() { check 0.1 2>&1 | sed -n '/warn/,$d; s/^      //p' | uniq; }
  $ version() { ./tutorial --version | sed '1d; s/[0-9.]* times/N times/'; }
  $ version
  Kernels of OpenBLAS: not known yet; the first ./tutorial run finds them out.

They are tried once, and set for all that is started.

  $ check 0.1 2>&1 | sed '/warn/,$d; s/[0-9.]* times/N times/'
  configuring
  By default OpenBLAS chooses its code for Prescott, an old processor. Its code for SkylakeX computes the same products, N times as fast. From now on ./tutorial uses that.
  0.1 double_it                          passed (2 checks)
      your output in the check: of a small number
        SkylakeX
      your output in the check: of zero
        SkylakeX
  $ check 0.1 2>&1 | sed -n 1,3p
  0.1 double_it                          passed (2 checks)
      your output in the check: of a small number
        SkylakeX
  $ version
  Kernels of OpenBLAS 0.0.1: SkylakeX, chosen by ./tutorial (OPENBLAS_CORETYPE). By default OpenBLAS chooses its code for Prescott, an old processor. Its code for SkylakeX computes the same products, N times as fast.

For another processor, and for another library, they are tried anew.

  $ FAKE_PROCESSOR='amd avx2' FAKE_CONFIG='OpenBLAS 0.0.2 DYNAMIC_ARCH' kernels
  Zen
  $ FAKE_KERNELS='SkylakeX=threads' kernels
  Haswell
  $ cat tried | paste -sd ' '
  none SkylakeX none Zen none SkylakeX Haswell

Those that compute something wrong, crash, are not there or are not faster are left out.

  $ rm build/release/kernels.txt
  $ FAKE_KERNELS='SkylakeX=absent Haswell=wrong' kernels
  none
  $ FAKE_KERNELS='SkylakeX=absent Haswell=wrong' version
  Kernels of OpenBLAS 0.0.1: Prescott, chosen by OpenBLAS. They are for an old processor, but better ones can't be used: this library has no kernels for SkylakeX, those for Haswell compute a product of 1 x 1 and 1 x 1 wrong.
  $ rm build/release/kernels.txt
  $ FAKE_KERNELS='SkylakeX=crash Haswell=slow' kernels
  none
  $ FAKE_KERNELS='SkylakeX=crash Haswell=slow' version
  Kernels of OpenBLAS 0.0.1: Prescott, chosen by OpenBLAS. They are for an old processor, but better ones can't be used: a program with those for SkylakeX ended with exit code 132, those for Haswell are not faster.

What the learner has set stays; so do a library that has no choice, and an old processor.

  $ rm tried build/release/kernels.txt
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
  $ test -e tried
  [1]

Where nothing can be kept they are tried each time.

  $ mkdir build/release/kernels.txt
  $ kernels
  SkylakeX
  $ version
  Kernels of OpenBLAS 0.0.1: Prescott, chosen by OpenBLAS. They are for an old processor; the next ./tutorial run tries better ones.
  $ cat tried
  none
  SkylakeX
