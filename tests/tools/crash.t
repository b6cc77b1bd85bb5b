tests/tools/crash.t · ./tutorial check of a step that does not come to its end

  $ . "$TESTDIR/setup"

A crash names the check, what failed before, and where the line is to be found.

  $ write double_it 'return x == 0 ? *(volatile int*)nullptr : 7;'
  $ check 0.1
  configuring
  0.1 double_it                          CRASHED in the check: of zero
      segmentation fault: an index outside its array, a pointer that is null or an optional that is empty, or a
        function that calls itself for ever, or too deep.
      Before that:
      ✗ of a small number
          of 6 got 7, expected 12
      To find the line: ./tutorial check 0.1 --sanitize
  [1]

The sanitizers name the line. Nothing is remembered of such a check.

  $ write double_it 'int values[2] = {0, x}; return values[x];'
  $ check 0.1 --sanitize
  0.1 double_it                          STOPPED by the sanitizers in the check: of a small number
      exercises/00_little/double_it.cpp:4: index 6 out of bounds for type 'int [2]':
          int values[2] = {0, x}; return values[x];
      All that the sanitizers said is in .tutorial/sanitize.log
  [1]
  $ ./tutorial | sed -n 2p
  00  Little numbers  0 of 2  0.1 double_it: not checked yet
  $ write double_it 'return 2 * x;'
  $ check 0.1 --sanitize
  0.1 double_it                          passed (2 checks)
      The sanitizers found nothing.

What a step leaves running is ended.

  $ write double_it 'if (x > 0 && fork() == 0) { pause(); } return 2 * x;' '#include <unistd.h>'
  $ check 0.1
  0.1 double_it                          passed (2 checks)
  $ await quiet

An endless loop is stopped.

  $ write double_it 'while (x != 0) { pause(); } return 0;' '#include <unistd.h>'
  $ TUTORIAL_TIME_LIMIT=1 check 0.1
  0.1 double_it                          DOES NOT END, in the check: of a small number
      It was stopped after 1 seconds: a loop that never ends, or far too much work?
  [1]
  $ await quiet

A step that ends the program does not pass, whatever the exit code; nor one that ends it before the first check.

  $ write double_it 'exit(0 * x);' '#include <stdlib.h>'
  $ check 0.1
  0.1 double_it                          your step ended the program in the check: of a small number
      Likely cause: it calls exit(0), or something like it; a step returns its result, or throws.
  [1]
  $ write double_it 'return 2 * x;' 'extern "C" void exit(int); int early = (exit(0), 1);'
  $ check 0.1
  0.1 double_it                          your step ended the program before the first check
      Likely cause: it calls exit(0), or something like it; a step returns its result, or throws.
  [1]
  $ ./tutorial | sed -n 2p
  00  Little numbers  0 of 2  0.1 double_it: failed

Far too much memory is told as such.

  $ write double_it 'while (true) { new char[1ul << 30]; } return x;'
  $ check 0.1
  0.1 double_it                          FAILED in 2 of 2 checks
      ✗ of a small number
          an exception: std::bad_alloc
          far more memory than a check needs: what can be counted from sizes need not be made, and a negative
            size is a huge one
          the same in: of zero
  [1]

A debugger stops in the learner's file, in the first check that fails. This one only says how it was started.

  $ mkdir bin && printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' >bin/gdb && chmod +x bin/gdb
  $ write double_it 'return x + 6;'
  $ PATH=$PWD/bin:$PATH ./tutorial check 0.1 --debug
  0.1 double_it: it runs the check: of zero. gdb stops in exercises/00_little/double_it.cpp; then next, step, finish, continue, print x, quit.
  -q
  -x
  tools/debug/gdb_printers.py
  -ex
  rbreak exercises/00_little/double_it.cpp:^tfs::
  -ex
  run
  --args
  build/release/bin/debug_00_little_double_it
  --gtest_filter=double_it.of_zero
  --gtest_catch_exceptions=0
  $ write double_it 'return 2 * x;'
  $ PATH=$PWD/bin:$PATH ./tutorial check 0.1 --debug | sed -n 1p
  0.1 double_it: all checks pass. gdb stops in exercises/00_little/double_it.cpp; then next, step, finish, continue, print x, quit.

An editor has it built alone.

  $ ./tutorial check 0.1 --debug=build
  $ ls build/release/bin/debug*
  build/release/bin/debug_00_little_double_it

What can't be debugged is refused.

  $ ./tutorial check 0.2 --debug
  tutorial: 0.2 halve_it is not started: write something in exercises/00_little/halve_it.cpp first.
  [2]
  $ ./tutorial check 0.1 0.2 --debug
  tutorial: --debug takes one step, as in: ./tutorial check softmax --debug
  [2]
  $ ./tutorial check 0 --debug
  tutorial: 0 is a chapter; its steps are 0.1 to 0.2.
  [2]
