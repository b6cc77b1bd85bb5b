tests/tools/terminal.t · colours, cursor codes and widths: on a terminal, on a dumb one, and on none

  $ . "$TESTDIR/setup"
  $ unset NO_COLOR
  $ codes() { sed 's/\x1b\[/<ESC>/g; s/\r/<CR>/g'; }
  $ write double_it 'return x * x;'

On none nothing is coloured.

  $ check 0.1 2>&1 | codes
  configuring
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number
          of 6 got 36, expected 12
      No likely cause of this is known.

A terminal shows colours, and progress that is gone at the end.

  $ write double_it 'return x * x ;'
  $ raw() { : | script -qec "$1" /dev/null | codes; }
  $ raw './tutorial check 0.1' | sed '/^<CR>$/,$d'
  <CR><ESC>K[1/2] compiling exercises/00_little/double_it.cpp.o<CR><ESC>K[2/2] Linking CXX executable bin/check_00_little_double_it<CR><ESC>K0.1 double_it                          <ESC>31mFAILED in 1 of 2 checks<ESC>0m<CR>
      <ESC>31m✗<ESC>0m of a small number<CR>
          of 6 got 36, expected 12<CR>
      No likely cause of this is known.<CR>

A dumb one shows neither; NO_COLOR turns off the colours.

  $ write double_it 'return x * x  ;'
  $ TERM=dumb terminal './tutorial check 0.1' | codes | sed -n 1,2p
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number
  $ NO_COLOR=1 terminal './tutorial check 0.1' | codes | sed -n 1,2p
  0.1 double_it                          FAILED in 1 of 2 checks
      ✗ of a small number

What goes into a file is not coloured, though errors go to a terminal.

  $ terminal './tutorial check 0.1 >out'
  [1]
  $ codes <out | sed -n 1p
  0.1 double_it                          FAILED in 1 of 2 checks

No line is wider than a terminal, or than COLUMNS says. A path can't be wrapped.

  $ wide() { LC_ALL=C.UTF-8 grep ".\{$(($1 + 1))\}" | grep -v '^ *[^ ]*$'; }
  $ printf '## double_it\n1. A hint that is so long that on a narrow terminal it takes two rows or even more of them.\n' >chapters/00_little/hints.md
  $ all() { ./tutorial --help; ./tutorial; ./tutorial hint 0.1; ./tutorial check; ./tutorial reset 0.1; }
  $ for body in 'return x * x;' 'if (x == 0) { return 1; } throw NotImplemented("0.1 double_it");' 'return *(volatile int*)nullptr + x;' 'return 2 * x;'
  > do write double_it "$body"; COLUMNS=60 all; done 2>&1 | wide 60
  [1]
  $ NO_COLOR=1 columns=60 terminal './tutorial --help; ./tutorial; ./tutorial hint 0.1' | wide 60
  [1]

A table that is too wide shortens titles first.

  $ echo '# Little numbers, and larger ones, and all the others' >chapters/00_little/README.md
  $ COLUMNS=60 ./tutorial | sed -n 2p
  00  Little numbers, and…  0 of 2  0.1 double_it: not started
  $ COLUMNS=nonsense ./tutorial | sed -n 2p
  00  Little numbers, and larger ones, and all the others  0 of 2  0.1 double_it: not started
