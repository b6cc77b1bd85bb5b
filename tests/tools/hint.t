tests/tools/hint.t · ./tutorial hint

  $ . "$TESTDIR/setup"

Each call gives one more, then all again; each step has its own.

  $ ./tutorial hint 0.1
  
  0.1 double_it, hint 1 of 3
      Twice something is the thing plus itself.
  
  One more: ./tutorial hint 0.1
  $ ./tutorial hint 0.1
  
  0.1 double_it, hint 2 of 3
      There is an operator for it, too. It is a star.
  
  One more: ./tutorial hint 0.1
  $ ./tutorial hint 0.1
  
  0.1 double_it, hint 3 of 3
      `return 2 * x;`
  $ ./tutorial hint 0.1
  You have seen all 3 hints of step 0.1:
  
  0.1 double_it, hint 1 of 3
      Twice something is the thing plus itself.
  
  0.1 double_it, hint 2 of 3
      There is an operator for it, too. It is a star.
  
  0.1 double_it, hint 3 of 3
      `return 2 * x;`
  
  The solution beside your step: ./tutorial diff 0.1
  $ ./tutorial hint 0.2
  
  0.2 halve_it, hint 1 of 3
      The opposite of double_it.
  
  One more: ./tutorial hint 0.2

In the copy of a course, whose solutions are hidden, the last hint does not lead to one.

  $ sed -i 's/.*return.*/hidden: 00/' solutions/00_little/double_it.cpp
  $ ./tutorial hint 0.1 | tail -n 2
  0.1 double_it, hint 3 of 3
      `return 2 * x;`

Without hints it says so.

  $ rm chapters/00_little/hints.md
  $ ./tutorial hint 0.1
  tutorial: there are no hints for step 0.1 in chapters/00_little/hints.md.
  [2]
