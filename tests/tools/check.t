tests/tools/check.t · ./tutorial check: what it says of a step

  $ . "$TESTDIR/setup"

Nothing is written yet: nothing is compiled, and all is not started.

  $ ./tutorial check
  0.1 double_it                          not started
  0.2 halve_it                           not started
  
  Next: chapter 00. Read chapters/00_little/README.md and look at its pictures: ./tutorial run 0
        Then its first step, 0.1 double_it ●○○ about 5 min: fill in exercises/00_little/double_it.cpp
        and see how it went: ./tutorial check 0.1 (a hint: ./tutorial hint 0.1)
  [1]
  $ test -e build
  [1]

A step that is right passes. The first check configures the build.

  $ write double_it 'return 2 * x;'
  $ ./tutorial check 0.1
  configuring
  0.1 double_it                          passed (2 checks)
  
  Next: step 0.2 halve_it ●●○ about 10 min: fill in exercises/00_little/halve_it.cpp
        and see how it went: ./tutorial check 0.2 (a hint: ./tutorial hint 0.2)

Of one that is wrong is told what came. Each step is checked beside the solution of the other.

  $ write double_it 'return x * x;'
  $ write halve_it 'return x / 2;'
  $ ./tutorial check
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 36, expected 12
      No likely cause of this is known.
  0.2 halve_it                           passed (2 checks)
  
  Next: step 0.1 double_it ●○○ about 5 min: fix exercises/00_little/double_it.cpp, then ./tutorial check 0.1 (a hint: ./tutorial hint 0.1)
  [1]

With all steps right the chapter is done, also where a file is older than what was compiled: a copy keeps its time.

  $ write double_it 'return 2 * x;'; touch -d '1 hour ago' exercises/00_little/double_it.cpp
  $ ./tutorial check 0
  0.1 double_it                          passed (2 checks)
  0.2 halve_it                           passed (2 checks)
  
  Chapter 00 is done.
  See it run on your code: ./tutorial run 0 --mine
  All 2 steps pass: every part of the Transformer is your own code now. What you can do with it:
        ./tutorial run 10 --mine=all   trains a small model made of your steps
        ./tutorial run 9 --mine=all    writes a text: your steps, our weights
        ./tutorial run --mine=all      runs every chapter on your steps
        ./tutorial play                your own model: the page "What you built"

A gap that is still open is named by its line. From here on what is next is left out of what is shown (`check` of setup).

  $ write double_it 'if (x == 0) return 0; throw NotImplemented("0.1 double_it");'
  $ check 0.1
  0.1 double_it                          unfinished: a gap is still open (1 of 2 checks pass)
      still open in exercises/00_little/double_it.cpp: line 4 (double_it)
  [1]

A warning of the compiler stands there where it may help: with a failure, also when nothing was compiled this time.

  $ write double_it 'int unused; return x * x;'
  $ check 0.1 >first
  [1]
  $ check 0.1
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 36, expected 12
      No likely cause of this is known.
      the compiler warns:
        exercises/00_little/double_it.cpp:4:9: warning: unused variable 'unused' [-Wunused-variable]
  [1]

An error of the compiler stands there with a path from the root; all that the build said is in a file.

  $ write double_it 'return y;'
  $ check 0.1 | sed -n 1,2p
  0.1 double_it                          DOES NOT COMPILE
      exercises/00_little/double_it.cpp:4:12: error: *'y'* (glob)
  $ grep -c 'FAILED: ' .tutorial/build.log
  1

What is declared but not defined is named.

  $ write double_it 'return helper(x);' 'int helper(int x);'
  $ check 0.1
  0.1 double_it                          DOES NOT COMPILE
      this is declared, but not defined: helper(int)
  [1]

What is broken beside the steps is not blamed on them, and nothing is remembered of them.

  $ write double_it 'return x + x;'
  $ cp solutions/00_little/halve_it.cpp kept
  $ echo 'int broken = y;' >>solutions/00_little/halve_it.cpp
  $ check 0.1 | sed -n 1,2p
  0.1 double_it                          could not be built, because something else does not compile:
      solutions/00_little/halve_it.cpp:10:14: error: *'y'* (glob)
  $ mv kept solutions/00_little/halve_it.cpp
  $ ./tutorial | sed -n 2p
  00  Little numbers  1 of 2  0.1 double_it: not checked yet

A file that is missing does not keep the others from being checked.

  $ rm exercises/00_little/double_it.cpp
  $ ./tutorial check
  0.1 double_it                          its file is missing
      ./tutorial reset 0.1 brings it back
  0.2 halve_it                           passed (2 checks)
  
  Next: exercises/00_little/double_it.cpp is missing; ./tutorial reset 0.1 brings it back.
  [1]

A step whose fault is to be found fails from the beginning; causes are told after the first change.

  $ sed -i 's|    // end|    // instead\n    // return x * x;\n    // end|' solutions/00_little/double_it.cpp
  $ ./tutorial reset 0.1
  exercises/00_little/double_it.cpp is the stub again.
  $ check 0.1
  0.1 double_it                          not mended yet: FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 36, expected 12
      This is the code as you got it. Causes of your own mistakes are told after your first change.
  [1]
  $ ./tutorial | sed -n 2p
  00  Little numbers  1 of 2  0.1 double_it: not started
  $ echo '// changed' >>exercises/00_little/double_it.cpp
  $ check 0.1
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 36, expected 12
      No likely cause of this is known.
  [1]
