tests/tools/reset.t · ./tutorial reset: the untouched stub again

  $ . "$TESTDIR/setup"

A step that nobody touched has nothing to reset.

  $ ./tutorial reset 0.1
  exercises/00_little/double_it.cpp is the untouched stub already: nothing to reset.

What was there is kept, also twice in a second; hints and results begin anew.

  $ write double_it 'return 2 * x;'
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)
  $ ./tutorial hint 0.1 >hint
  $ ./tutorial reset 0.1 | sed 's/double_it[.][0-9].*[.]cpp/double_it.DATE.cpp/'
  exercises/00_little/double_it.cpp is the stub again.
  Your version is kept in .tutorial/backup/00_little/double_it.DATE.cpp
  $ cmp exercises/00_little/double_it.cpp "$TESTDIR/mini/exercises/00_little/double_it.cpp"
  $ write double_it 'return 3 * x;'
  $ ./tutorial reset double_it >reset
  $ cat .tutorial/backup/00_little/* | grep return
      return 2 * x;
      return 3 * x;
  $ ./tutorial hint 0.1 | sed -n 2p
  0.1 double_it, hint 1 of 3
  $ ./tutorial | sed -n 2p
  00  Little numbers  0 of 2  0.1 double_it: not started

What had passed and is brought back still passes.

  $ cp $(grep -l '2 [*]' .tutorial/backup/00_little/*) exercises/00_little/double_it.cpp
  $ ./tutorial | sed -n 2p
  00  Little numbers  1 of 2  0.2 halve_it: not started

A file that is missing comes back.

  $ rm -r exercises
  $ ./tutorial reset double_it
  exercises/00_little/double_it.cpp is the stub again.

What can't be kept is not changed.

  $ write double_it 'return 4 * x;'
  $ rm -r .tutorial/backup && touch .tutorial/backup
  $ ./tutorial reset 0.1 2>&1 | sed 's/double_it[.].*/…/'
  tutorial: cannot keep your version in .tutorial/backup/00_little/…
  $ grep return exercises/00_little/double_it.cpp
      return 4 * x;
