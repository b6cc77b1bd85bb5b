tests/tools/lead.t · ./tutorial watch on a terminal: it leads from step to step

  $ . "$TESTDIR/setup"

It shows the next open step, checks what is saved, goes on where it passes, and knows keys.

  $ mkfifo keys
  $ script -qefc "stty cols 80; ./tutorial watch" typed <keys >/dev/null 2>&1 &
  $ exec 3>keys
  $ await grep -q 'q quit' typed
  $ printf h >&3; await grep -q 'hint 1 of 3' typed
  $ write double_it 'return x * x;'
  $ await bash -c '(( $(grep -c "q quit" typed) == 2 ))'
  $ printf d >&3; await grep -q 'solution is shown' typed
  $ write double_it 'return x + x;'
  $ await bash -c '(( $(grep -c "q quit" typed) == 3 ))'
  $ printf d >&3; await grep -q 'return 2' typed
  $ printf p >&3; await grep -q '0.1 double_it .*passed)' typed
  $ printf r >&3; await grep -q 'y/N' typed; printf y >&3; await grep -q 'is the stub again' typed
  $ printf l >&3; await grep -q 'next step' typed
  $ printf q >&3; wait $!; exec 3>&-
  $ tr -d '\r' <typed | sed -e '/^Script/d; /^configuring/d; s/.*\x1b\[K//; s/^[0-9][0-9:]\{7\} /TIME /; s/it[.][0-9_-]*[.]cpp/it.DATE.cpp/; /^$/d'
  .................... 0 of 2 steps
  0.1 double_it  ●○○  about 5 min  (not started)
  A new chapter: read chapters/00_little/README.md first (o opens it).
  Open exercises/00_little/double_it.cpp in your editor.
  Task: Twice x. Without a loop.
  Save it, and it is checked. h hint · d solution · r reset · l list · n next · p
        previous · o lesson · q quit
  0.1 double_it, hint 1 of 3
      Twice something is the thing plus itself.
  One more: h
  TIME exercises/00_little/double_it.cpp
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 36, expected 12
      No likely cause of this is known.
  Save it, and it is checked. h hint · d solution · r reset · l list · n next · p
        previous · o lesson · q quit
  The solution is shown when the step passes. To see it all the same: ./tutorial
        diff 0.1
  TIME exercises/00_little/double_it.cpp
  0.1 double_it                          passed (2 checks)
  See it run: ./tutorial run 0 --mine=passed
  Our solution beside yours: d.
  ##########.......... 1 of 2 steps
  0.2 halve_it  ●●○  about 10 min  (not started)
  Open exercises/00_little/halve_it.cpp in your editor.
  Task: Half of x, rounded to zero.
  Save it, and it is checked. h hint · d solution · r reset · l list · n next · p
        previous · o lesson · q quit
  --- exercises/00_little/double_it.cpp (yours)
  +++ solutions/00_little/double_it.cpp
  +// Step 0.1 · double_it · ●○○ · 5 min
   #include "chapters/00_little/little.hpp"
   
   int double_it(int x) {
  -    return x + x;
  +    return 2 * x;
   }
  ##########.......... 1 of 2 steps
  0.1 double_it  ●○○  about 5 min  (passed)
  Open exercises/00_little/double_it.cpp in your editor.
  Save it, and it is checked. h hint · d solution · r reset · l list · n next · p
        previous · o lesson · q quit
  Reset exercises/00_little/double_it.cpp to the untouched stub? Your version is kept in .tutorial/backup. [y/N] y
  exercises/00_little/double_it.cpp is the stub again.
  Your version is kept in
        .tutorial/backup/00_little/double_it.DATE.cpp
      chapter         passed  next step
  00  Little numbers  0 of 2  0.1 double_it: not started
  Next: chapter 00. Read chapters/00_little/README.md and look at its pictures:
        ./tutorial run 0
        Then its first step, 0.1 double_it ●○○ about 5 min: fill in
        exercises/00_little/double_it.cpp
        and see how it went: ./tutorial check 0.1 (a hint: ./tutorial hint 0.1)
  You are at 0.1 double_it.
  No longer watching. What you wrote is in exercises/.
