tests/tools/table.t · ./tutorial: which steps pass, what is next, and how long a result holds

  $ . "$TESTDIR/setup"
  $ table() { ./tutorial | sed -n "2,/^\$/p" | head -n -2; }

Before the first step. `list`, `next`, `progress` and `status` show the same.

  $ ./tutorial
      chapter         passed  next step
  00  Little numbers  0 of 2  0.1 double_it: not started
  .................... 0 of 2 steps
  
  Next: chapter 00. Read chapters/00_little/README.md and look at its pictures: ./tutorial run 0
        Then its first step, 0.1 double_it ●○○ about 5 min: fill in exercises/00_little/double_it.cpp
        and see how it went: ./tutorial check 0.1 (a hint: ./tutorial hint 0.1)
  Or let ./tutorial watch lead you: it shows each step, and checks what you save.
  $ for word in list next progress status; do ./tutorial $word; done | sort | uniq -c | sort -n | sed -n 1p
        4 

Nothing is built to look at all this.

  $ test -e build
  [1]

A result holds until the file changes, and again when it is as it was.

  $ write double_it 'return 2 * x;'
  $ table
  00  Little numbers  0 of 2  0.1 double_it: not checked yet
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)
  $ table
  00  Little numbers  1 of 2  0.2 halve_it: not started
  $ write double_it 'return x + x + 1;'
  $ table
  00  Little numbers  0 of 2  0.1 double_it: not checked yet
  $ check 0.1 | sed -n 1p
  0.1 double_it                          FAILED in 2 of 2 checks
  $ table
  00  Little numbers  0 of 2  0.1 double_it: failed
  $ write double_it 'return 2 * x;'
  $ table
  00  Little numbers  1 of 2  0.2 halve_it: not started

The next step is that of the last check.

  $ write double_it 'return 7;'
  $ write halve_it 'return 7;'
  $ check --no-causes 0.1 0.2 | grep FAILED
  0.1 double_it                          FAILED in 2 of 2 checks
  0.2 halve_it                           FAILED in 2 of 2 checks
  $ check --no-causes 0.2 | grep FAILED
  0.2 halve_it                           FAILED in 2 of 2 checks
  $ ./tutorial | grep Next
  Next: step 0.2 halve_it ●●○ about 10 min: fix exercises/00_little/halve_it.cpp, then ./tutorial check 0.2 (a hint: ./tutorial hint 0.2)

So it is for another program, with times and hints.

  $ write double_it 'return 2 * x;'
  $ ./tutorial hint 0.1 >hint
  $ ./tutorial progress --json | sed 's/20[0-9-]*T[0-9:]*Z/TIME/g'
  [{"id":"0.1","name":"double_it","chapter":"00_little","file":"exercises/00_little/double_it.cpp","minutes":5,"optional":false,"difficulty":1,"state":"passed","checked":"TIME","hints":1,"programs":["00_little"]},{"id":"0.2","name":"halve_it","chapter":"00_little","file":"exercises/00_little/halve_it.cpp","minutes":10,"optional":false,"difficulty":2,"state":"failed","checked":"TIME","hints":0,"programs":[]}]

Where the tests of a step or its contract changed, it is checked anew; a step is known by its name, whatever its number.

  $ echo '// more is asked now' >chapters/00_little/more.hpp
  $ table
  00  Little numbers  0 of 2  0.1 double_it: not checked yet
  $ rm chapters/00_little/more.hpp
  $ table
  00  Little numbers  1 of 2  0.2 halve_it: failed
  $ sed -i '1s/0.1/0.3/' solutions/00_little/double_it.cpp
  $ sed -i '1s/0.2/0.1/' solutions/00_little/halve_it.cpp
  $ sed -i '1s/0.3/0.2/' solutions/00_little/double_it.cpp
  $ table
  00  Little numbers  1 of 2  0.1 halve_it: failed
  $ ./tutorial hint 0.2 | sed -n 2p
  0.2 double_it, hint 2 of 3
  $ cp -R "$TESTDIR/mini/solutions" .

A file that is missing, and one that belongs to no step.

  $ mv exercises/00_little/double_it.cpp exercises/00_little/treble_it.cpp
  $ ./tutorial | grep -e missing -e treble_it
  00  Little numbers  0 of 2  0.1 double_it: missing
  exercises/00_little/treble_it.cpp belongs to no step any more. It is kept.
  $ ./tutorial check exercises/00_little/treble_it.cpp
  tutorial: exercises/00_little/treble_it.cpp belongs to no step any more; ./tutorial lists the steps.
  [2]
  $ mv exercises/00_little/treble_it.cpp exercises/00_little/double_it.cpp

What is remembered may be damaged.

  $ cp .tutorial/checks/double_it kept
  $ printf '\0\377 passed\n\n' | tee .tutorial/checks/double_it .tutorial/hints/double_it >.tutorial/last
  $ table
  00  Little numbers  0 of 2  0.1 double_it: not checked yet
  $ ./tutorial hint 0.1 | sed -n 2p
  0.1 double_it, hint 1 of 3
  $ cp kept .tutorial/checks/double_it

An optional step is neither proposed nor waited for. Asked for, it is checked and named with its time.

  $ sed -i '1s/$/, optional/' solutions/00_little/halve_it.cpp
  $ ./tutorial reset 0.2 >reset
  $ ./tutorial | sed -n '2,3p; s/ your own code now.*//p'
  00  Little numbers  1 of 1  done; optional: 0.2 halve_it
  #################### 1 of 1 steps
  All 1 steps pass: every part of the Transformer is
  $ ./tutorial check 0.2
  0.2 halve_it                           not started
  
  Next: step 0.2 halve_it ●●○ about 10 min, optional: fill in exercises/00_little/halve_it.cpp
        and see how it went: ./tutorial check 0.2 (a hint: ./tutorial hint 0.2)
  [1]

Steps of earlier chapters that are open are named after a later one is done.

  $ sed -i '1s/, optional//' solutions/00_little/halve_it.cpp
  $ mkdir {chapters,solutions,exercises}/01_last
  $ echo '# The last one' >chapters/01_last/README.md
  $ sed '1s|.*|// Step 1.1 · treble_it · ●○○ · 5 min|' solutions/00_little/halve_it.cpp >solutions/01_last/treble_it.cpp
  $ cp exercises/00_little/double_it.cpp exercises/01_last/treble_it.cpp
  $ sed 's/[^ ]*$/cbf29ce484222325-0/' kept >.tutorial/checks/treble_it
  $ echo treble_it >.tutorial/last
  $ ./tutorial
      chapter         passed  next step
  00  Little numbers  1 of 2  0.2 halve_it: not started
  01  The last one    1 of 1  done
  ##############...... 2 of 3 steps
  
  Still open: 1 step of earlier chapters.
  Next: step 0.2 halve_it ●●○ about 10 min: fill in exercises/00_little/halve_it.cpp
        and see how it went: ./tutorial check 0.2 (a hint: ./tutorial hint 0.2)
  Or let ./tutorial watch lead you: it shows each step, and checks what you save.

A file that is not as it must be is named in one sentence; so is a disk that is full.

  $ echo '// no banner' >solutions/00_little/halve_it.cpp
  $ ./tutorial
  tutorial: solutions/00_little/halve_it.cpp:1: the first line must be like "// Step 1.1 · softmax · ●○○ · 10 min".
  [2]
  $ ./tutorial --help >/dev/full
  tutorial: can't write to standard output (No space left on device).
  [2]

The version is that of the tutorial; in a clone, with the commit.

  $ ./tutorial --version | sed 's/[0-9][0-9.]*[0-9]/N/'
  The Transformer, step by step, in C++, version N
  Kernels of OpenBLAS: not known yet; the first ./tutorial run finds them out.
  $ git init -q && git -c user.name=A -c user.email=a@b commit -q --allow-empty -m begin
  $ ./tutorial version | sed -n 1p | sed 's/[0-9][.][0-9.]*[0-9]/N/; s/[0-9a-f]\{7,\}, 20[0-9-]*/COMMIT, DATE/'
  The Transformer, step by step, in C++, version N (COMMIT, DATE)
