tests/tools/watch.t · ./tutorial watch: checks what is saved, until Ctrl-C

  $ . "$TESTDIR/setup"

It goes on after what does not compile, and after a file that was gone.

  $ ./tutorial watch >>said 2>&1 &
  $ hear 'Watching 2 steps'
  configuring
  Watching 2 steps in exercises/. Save a file and its check runs; Ctrl-C ends this.
  $ write double_it 'return y;'
  $ hear 'Next: step 0.1' | sed -n '1,/error/p'
  
  TIME exercises/00_little/double_it.cpp
  0.1 double_it                          DOES NOT COMPILE
      exercises/00_little/double_it.cpp:4:12: error: *'y'* (glob)
  $ rm exercises/00_little/double_it.cpp
  $ write double_it 'return 2 * x;'
  $ hear 'Next: step 0.2'
  
  TIME exercises/00_little/double_it.cpp
  0.1 double_it                          passed (2 checks)
  
  Next: step 0.2 halve_it ●●○ about 10 min: fill in exercises/00_little/halve_it.cpp
        and see how it went: ./tutorial check 0.2 (a hint: ./tutorial hint 0.2)
  $ kill -INT $!; wait $!
  $ hear 'No longer'
  
  No longer watching.

A file that is saved during its check is checked anew; Ctrl-C ends a check, too.

  $ endless='fclose(fopen("begun", "w")); while (true) pause(); return x;' io=$'#include <stdio.h>\n#include <unistd.h>'
  $ ./tutorial watch 0.1 >>said 2>&1 &
  $ hear Watching
  Watching 1 step in exercises/. Save a file and its check runs; Ctrl-C ends this.
  $ write double_it "$endless" "$io"
  $ await test -e begun
  $ write double_it 'return x + x;'
  $ hear 'Next: step 0.2' | sed -n 1,6p
  
  TIME exercises/00_little/double_it.cpp
      saved again: this check was stopped
  
  TIME exercises/00_little/double_it.cpp
  0.1 double_it                          passed (2 checks)
  $ rm begun
  $ write double_it "$endless" "$io"
  $ await test -e begun
  $ kill -INT $!; wait $!
  $ hear 'No longer'
  
  TIME exercises/00_little/double_it.cpp
  
  No longer watching.
  $ await quiet

A new save ends the search for a cause.

  $ MINI_RECORDS=wait ./tutorial watch 0.2 >>said 2>&1 &
  $ hear Watching
  Watching 1 step in exercises/. Save a file and its check runs; Ctrl-C ends this.
  $ write halve_it 'return x / 3;'
  $ hear 'is sought'
  
  TIME exercises/00_little/halve_it.cpp
  0.2 halve_it                           FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 2, expected 3
      the cause is sought among the mistakes of this step: some seconds, the first time
  $ write halve_it 'return x / 3 ;'
  $ hear 'is sought'
      saved again: this check was stopped
  
  TIME exercises/00_little/halve_it.cpp
  0.2 halve_it                           FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 2, expected 3
      the cause is sought among the mistakes of this step: some seconds, the first time
  $ touch go
  $ hear 'Next: step 0.2'
      Likely cause: x is divided by 3, not by 2
          explains: of a small number
  
  Next: step 0.2 halve_it ●●○ about 10 min: fix exercises/00_little/halve_it.cpp, then ./tutorial check 0.2 (a hint: ./tutorial hint 0.2)
  $ kill -INT $!; wait $!
