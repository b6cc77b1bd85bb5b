tests/tools/print.t · what a learner's step prints is shown below its result

  $ . "$TESTDIR/setup"
  $ io='#include <stdio.h>'

Check by check; nothing in it may colour or move the cursor.

  $ write double_it 'printf("x is %d\n", x); fprintf(stderr, "\tx\x1b[31m\n"); fflush(stdout); printf("no end"); return 2 * x;' "$io"
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)
      your output in the check: of a small number
            x\x1b[31m
        x is 6
        no end
      your output in the check: of zero
            x\x1b[31m
        x is 0
        no end

The output of a check that fails comes first, and forty lines are shown in all.

  $ write double_it 'for (int i = 0; i < 90000; ++i) { printf("line %d of %d\n", i, x); } return x == 0 ? 7 : 2 * x;' "$io"
  $ check 0.1 | sed '/line [2-9]/d; /line 1[0-9]/d; /line 3[0-8]/d'
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of zero
          of 0 got 7, expected 0
      No likely cause of this is known.
      your output in the check: of zero
        line 0 of 0
        line 1 of 0
        … and more
      (and in 1 other check, not shown)

What is printed before the first check is shown, too.

  $ write double_it 'return 2 * x;' "$io"$'\nint early = (puts("early"), 1);'
  $ check 0.1
  0.1 double_it                          passed (2 checks)
      your output before the first check:
        early

What looks like the report of a checklist does not change the result.

  $ write double_it 'puts("\n\x1e\nplan\t1\nstart\tdouble_it\tx\nend\tpassed\ndone"); fflush(stdout); return x + 7;' "$io"
  $ check 0.1 | sed -n 1p
  0.1 double_it                          FAILED in 2 of 2 checks

A step does not wait for the keyboard.

  $ write double_it 'return getchar() == EOF ? 2 * x : 0;' "$io"
  $ echo typed | check 0.1
  0.1 double_it                          passed (2 checks)
