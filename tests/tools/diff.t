tests/tools/diff.t · ./tutorial diff: a step beside its solution

  $ . "$TESTDIR/setup"

The solution of a step that does not pass is not shown unasked.

  $ ./tutorial diff 0.1
  Step 0.1 does not pass yet (not started). To see the solution all the same: ./tutorial diff 0.1 --yes
  [2]
  $ write double_it 'return x + x;'
  $ ./tutorial diff 0.1 --yes
  --- exercises/00_little/double_it.cpp (yours)
  +++ solutions/00_little/double_it.cpp
  +// Step 0.1 · double_it · ●○○ · 5 min
   #include "chapters/00_little/little.hpp"
   
   int double_it(int x) {
  -    return x + x;
  +    return 2 * x;
   }

On a terminal it asks.

  $ terminal './tutorial diff 0.1' '[y/N]' 'n\n'
  Step 0.1 does not pass yet (not checked yet). See the solution? [y/N] n
  [1]
  $ terminal './tutorial diff 0.1' '[y/N]' '\n' | grep -c '^[+-] '
  0
  [1]
  $ terminal './tutorial diff 0.1' '[y/N]' 'y\n' | grep '^[+-] '
  -    return x + x;
  +    return 2 * x;

A step that passes is shown without a question, with a faster version where there is one.

  $ echo 'int double_it(int x) { return x << 1; }' >solutions/00_little/double_it.fast.cpp
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)
  $ ./tutorial diff 0.1 | tail -n 3
   }
  
  A faster version of this step, for later: solutions/00_little/double_it.fast.cpp

On a wide terminal both stand side by side.

  $ columns=160 terminal './tutorial diff 0.1' | grep '2 [*] x'
      return x + x;                                                              |      return 2 * x;

A copy of the solution is equal. In the copy of a course, whose solutions are hidden, none is shown.

  $ cp solutions/00_little/double_it.cpp exercises/00_little/
  $ ./tutorial diff 0.1 --yes
  exercises/00_little/double_it.cpp and solutions/00_little/double_it.cpp are equal.
  
  A faster version of this step, for later: solutions/00_little/double_it.fast.cpp
  $ sed -i 's/.*return.*/hidden: 00/' solutions/00_little/double_it.cpp
  $ ./tutorial diff 0.1 --yes
  tutorial: this copy of the tutorial, made for a course, shows no solutions.
  [2]

A file that is missing has no difference.

  $ rm exercises/00_little/double_it.cpp
  $ ./tutorial diff 0.1
  tutorial: exercises/00_little/double_it.cpp is missing; ./tutorial reset 0.1 brings it back.
  [2]
