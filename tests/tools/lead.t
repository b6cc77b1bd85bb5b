tests/tools/lead.t · ./tutorial watch on a terminal: it leads from step to step

  $ . "$TESTDIR/setup"

It shows the next open step, checks what is saved, goes on where it passes, and knows keys.

  $ mkfifo keys
  $ script -qefc "stty cols 80; ./tutorial watch" typed <keys >/dev/null 2>&1 &
  $ exec 3>keys
  $ await grep -q 'q quit' typed
  $ printf h >&3; await grep -q 'hint 1 of 3' typed
  $ printf t >&3; await bash -c '(( $(grep -c "q quit" typed) == 3 ))'
  $ write double_it 'return x * x;'
  $ await bash -c '(( $(grep -c "q quit" typed) == 4 ))'
  $ printf d >&3; await grep -q 'See the solution' typed; printf n >&3
  $ printf v >&3; await grep -q 'on the solutions' typed
  $ await bash -c '(( $(grep -c "q quit" typed) == 6 ))'
  $ printf d >&3; await bash -c '(( $(grep -c "See the solution" typed) == 2 ))'
  $ write double_it 'return x + x;'  # which closes the question
  $ await bash -c '(( $(grep -c "q quit" typed) >= 8 ))'; await grep -q 'at work' typed
  $ printf d >&3; await grep -q 'return 2' typed
  $ printf p >&3; await grep -q 'passed; n goes on' typed
  $ printf r >&3; await grep -q 'stub? Your' typed; printf y >&3; await grep -q 'is the stub again' typed
  $ printf l >&3; await grep -q '[*] 0.1' typed
  $ printf 'g77\n' >&3; await grep -q 'no chapter 77' typed
  $ printf 'g1\1770\n' >&3; await bash -c '(( $(grep -c "0.1 double_it .*not started)" typed) == 2 ))'
  $ printf '?' >&3; await grep -q 'ends this' typed
  $ write halve_it 'return x / 2;'; write double_it 'return 2 * x;'; await grep -q 'What you built' typed
  $ printf q >&3; wait $!; exec 3>&-
  $ tr -d '\r' <typed | sed -e '/^Script/d; /^configuring/d; /q quit$/d; s/.*\x1b\[K//; s/^[0-9][0-9:]\{7\} /TIME /; s/it[.][0-9_-]*[.]cpp/it.DATE.cpp/; /^$/d'
  .................... 0 of 2 steps
  0.1 double_it  ●○○  about 5 min  (not started)
  Task: Twice x. Without a loop.
  A new chapter. t: read its lesson first, here. o: in your browser.
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
  0.1 double_it, hint 1 of 3
      Twice something is the thing plus itself.
  One more: h
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
  # Little numbers
  Two steps, small enough to try the runner on.
  ### 0.1 `double_it` · ●○○ · 5 min
  Twice a number, which is its sum with itself:
  $$2 x = x + x$$
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
  TIME exercises/00_little/double_it.cpp
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 36, expected 12
      No likely cause of this is known.
  0.1 double_it: mend exercises/00_little/double_it.cpp and save it; it is
        checked.
  Step 0.1 does not pass yet (failed). See the solution? [y/N]
  0.1 double_it: mend exercises/00_little/double_it.cpp and save it; it is
        checked.
  ./tutorial run 0 --mine=passed   (Ctrl-C ends it)
  on the solutions: no step passes yet
  twice 4 is 8, half of it 2, and nothing
  Look at it in a browser: plots/00_little_mine_passed/index.html
  0.1 double_it: mend exercises/00_little/double_it.cpp and save it; it is
        checked.
  Step 0.1 does not pass yet (failed). See the solution? [y/N]
  0.1 double_it: mend exercises/00_little/double_it.cpp and save it; it is
        checked.
  TIME exercises/00_little/double_it.cpp
  0.1 double_it                          passed (2 checks)
  d: our solution beside your 0.1. v: the program of chapter 0 on your steps.
  ##########.......... 1 of 2 steps
  0.2 halve_it  ●●○  about 10 min  (not started)
  Task: Half of x, rounded to zero.
  t: its part of the lesson.
  0.2 halve_it: fill in exercises/00_little/halve_it.cpp and save it; it is
        checked.
  Your double_it at work: twice 4 is 8, half of it 2, and any
  0.2 halve_it: fill in exercises/00_little/halve_it.cpp and save it; it is
        checked.
  --- exercises/00_little/double_it.cpp (yours)
  +++ solutions/00_little/double_it.cpp
  +// Step 0.1 · double_it · ●○○ · 5 min
   #include "chapters/00_little/little.hpp"
   
   int double_it(int x) {
  -    return x + x;
  +    return 2 * x;
   }
  0.2 halve_it: fill in exercises/00_little/halve_it.cpp and save it; it is
        checked.
  ##########.......... 1 of 2 steps
  0.1 double_it  ●○○  about 5 min  (passed)
  t: its part of the lesson.
  0.1 double_it: passed; n goes on.
  Reset exercises/00_little/double_it.cpp to the untouched stub? Your version is
        kept in .tutorial/backup. [y/N]
  exercises/00_little/double_it.cpp is the stub again.
  Your version is kept in
        .tutorial/backup/00_little/double_it.DATE.cpp
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
      chapter         passed  next step
  00  Little numbers  0 of 2  0.1 double_it: not started
  .................... 0 of 2 steps
  * 0.1 double_it: not started
    0.2 halve_it: not started
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
  Chapter (its number, then Enter): 77
  There is no chapter 77: l lists them.
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
  Chapter (its number, then Enter): 1\x08 \x080 (esc)
  .................... 0 of 2 steps
  0.1 double_it  ●○○  about 5 min  (not started)
  Task: Twice x. Without a loop.
  A new chapter. t: read its lesson first, here. o: in your browser.
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
    h: one more hint
    t: the lesson of this step, here
    v: runs what the task says, or the program of the chapter on your steps
    l: the chapters, and the steps of this one
    n p: the next step, the one before
    d: our solution beside yours
    g: another chapter, at its first open step
    r: the untouched stub again; yours is kept
    o: the lesson in your browser, as a page that computes
    q: ends this; ./tutorial watch goes on at this step
  0.1 double_it: fill in exercises/00_little/double_it.cpp and save it; it is
        checked.
  TIME exercises/00_little/double_it.cpp exercises/00_little/halve_it.cpp
  0.1 double_it                          passed (2 checks)
  0.2 halve_it                           passed (2 checks)
  Chapter 00 is done.
  d: our solution beside your 0.1. v: the program of chapter 0 on your steps.
  All 2 steps pass: every part of the Transformer is your own code now. What you
        can do with it:
        ./tutorial run 10 --mine=all   trains a small model made of your steps
        ./tutorial run 9 --mine=all    writes a text: your steps, our weights
        ./tutorial run --mine=all      runs every chapter on your steps
        o                              your own model: the page "What you built"
  0.1 double_it: passed; n goes on.
  No longer watching. What you wrote is in exercises/.

It begins at a step that is named, and the next time where it was.

  $ terminal './tutorial watch 0.2' 'q quit' q | grep -A 1 'goes on'
  0.2 halve_it: passed; n goes on.
  h hint  t text  v run  l list  n/p step  d solution  g chapter  ? more  q quit
  $ terminal './tutorial watch' 'q quit' q | grep 'goes on'
  0.2 halve_it: passed; n goes on.
