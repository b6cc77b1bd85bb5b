tests/tools/causes.t · ./tutorial check: the cause of a failure is one of the step's mistakes

  $ . "$TESTDIR/setup"

The first time the mistakes of a step are compiled and run; then the cause stands with its failure.

  $ write halve_it 'return x / 3;'
  $ check 0.2
  configuring
      the cause is sought among the mistakes of this step: some seconds, the first time
  0.2 halve_it                           FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 2, expected 3
      Likely cause: x is divided by 3, not by 2
          explains: of a small number
  [1]
  $ check 0.2
  0.2 halve_it                           FAILED in 1 of 2 checks
      ✗ of a small number
          Likely cause: x is divided by 3, not by 2
          of 6 got 2, expected 3
  [1]

Another answer is none of them.

  $ write halve_it 'return x / 6;'
  $ check 0.2
  0.2 halve_it                           FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 1, expected 3
      This is none of the mistakes that are known here.
  [1]

Nobody has to wait for a cause: it may be left out, and the search ends with Ctrl-C.

  $ write halve_it 'return x / 3;'
  $ rm -r build/release/records
  $ check 0.2 --no-causes
  0.2 halve_it                           FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 2, expected 3
      No likely cause of this is known.
  [1]
  $ MINI_RECORDS=wait terminal './tutorial check 0.2' sought '\x03' | grep -o Interrupted
  Interrupted
  $ await quiet

Where the mistakes can't be run no cause is known.

  $ MINI_RECORDS=fail check 0.2
      the cause is sought among the mistakes of this step: some seconds, the first time
      the mistakes of this step could not be run: no cause is known
  0.2 halve_it                           FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 2, expected 3
  [1]
