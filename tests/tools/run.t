tests/tools/run.t · ./tutorial run, test and bench

  $ . "$TESTDIR/setup"

The program of a chapter prints, and leaves a page of pictures.

  $ ./tutorial run 0
  configuring
  twice 4 is 8, half of it 2, and nothing
  
  Look at it in a browser: plots/00_little/index.html
  $ ls plots plots/00_little
  plots:
  00_little
  index.html
  
  plots/00_little:
  index.html
  little.svg
  $ (cd chapters && ../tutorial run 0 | sed "s|$CRAMTMP|…|")
  twice 4 is 8, half of it 2, and nothing
  
  Look at it in a browser: …/run.t/plots/00_little/index.html

What comes after -- is for the program: its options, what it reads, a folder for its pictures.

  $ ./tutorial run 0 -- 'some words' | sed -n 1p
  twice 4 is 8, half of it 2, and some words
  $ ./tutorial run 0 -- --mine | sed -n 1p
  twice 4 is 8, half of it 2, and --mine
  $ echo a line | ./tutorial run 0 -- --read | sed -n 1p
  read a line
  $ (cd chapters && ../tutorial run 0 -- --plots mine)
  twice 4 is 8, half of it 2, and nothing
  
  Look at it in a browser: mine/index.html
  $ ls chapters/mine
  index.html
  little.svg

Where its output is for another program, nothing stands beside it.

  $ ./tutorial run 0 -- --json
  twice 4 is 8, half of it 2, and --json

What the program refuses is refused before anything is built. One that is not built yet has at least no other words than its sources.

  $ write double_it 'an error'
  $ ./tutorial run 0 --mine -- --wrong
  00_little: unknown argument --wrong
  [2]
  $ mkdir chapters/00_little/program
  $ echo '{"write", "--section", "--text-size"}' >chapters/00_little/program/sections.cpp
  $ ./tutorial run 0 -- --section writing
  tutorial: the program of chapter 0 has no section writing; ./tutorial run 0 -- --list shows them.
  [2]
  $ ./tutorial run 0 -- --text=x
  tutorial: the program of chapter 0 has no option --text; ./tutorial run 0 -- --help shows them.
  [2]
  $ ./tutorial run 0 -- --section write --text-size=3 | sed -n 1p
  twice 4 is 8, half of it 2, and --text-size=3
  $ rm -r chapters/00_little/program

All chapters: it says first what it will do.

  $ ./tutorial run
  Building and running the programs of chapters 00 to 00: several minutes the first time. For one chapter: ./tutorial run 1
  twice 4 is 8, half of it 2, and nothing
  
  Look at it in a browser: plots/00_little/index.html

It runs on the learner's steps, and says which of them pass. What does not compile is told.

  $ ./tutorial run 0 --mine 2>&1 | grep -v '|'
      exercises/00_little/double_it.cpp:4:5: error: *'an'* (glob)
  tutorial: the build failed; all it said is in .tutorial/build.log.
  $ write double_it 'return 5 * x;'
  $ write halve_it 'return x / 2;'
  $ check 0.2
  0.2 halve_it                           passed (2 checks)
  $ ./tutorial run 0 --mine | sed "s|$PWD/||"
  on your steps 0.1 … 0.2 (1 of 2 pass, 1 not checked yet)
  your steps 0.1 … 0.2 (1 of 2 pass, 1 not checked yet) plots/00_little twice 4 is 20, half of it 2, and nothing
  
  Look at it in a browser: plots/00_little_mine/index.html
  
  step 0.1 is not checked yet: ./tutorial check 0.1
  $ ./tutorial run 0 --mine=all | sed -n 1p
  on your steps 0.1 … 0.2 (1 of 2 pass, 1 not checked yet)
  $ ./tutorial reset 0.2 >reset
  $ ./tutorial run 0 --mine 2>/dev/null | tail -n 2
  step 0.1 is not checked yet: ./tutorial check 0.1
  step 0.2 is not started: ./tutorial check 0.2

An overview links the pages of all runs, each with its first picture.

  $ grep -o '<a href.*</a>' plots/index.html
  <a href="00_little/index.html"><img src="00_little/little.svg" alt="">00 little</a>
  <a href="00_little_mine/index.html"><img src="00_little_mine/little.svg" alt="">00 little, your steps</a>
  <a href="00_little_mine_all/index.html"><img src="00_little_mine_all/little.svg" alt="">00 little, all your steps</a>

The page is opened where it is asked for. Pictures are made in another format by rsvg-convert; both programs only say what they got.

  $ mkdir bin && printf '#!/bin/sh\necho "opened ${1#$TRANSCRIPT/}" >opened\n' >bin/xdg-open && chmod +x bin/xdg-open
  $ PATH=$PWD/bin:$PATH ./tutorial run 0 --open >out
  $ cat opened
  opened plots/00_little/index.html
  $ printf '#!/bin/sh\nprintf "%%s " "$2" "$4" >"$6"; cat "$7" >>"$6"\n' >bin/rsvg-convert && chmod +x bin/rsvg-convert
  $ PATH=$PWD/bin:$PATH ./tutorial run 0 --format png | sed "s|$PWD/||"
  twice 4 is 8, half of it 2, and nothing
  1 picture as png in plots/00_little
  
  Look at it in a browser: plots/00_little/index.html
  $ cat plots/00_little/little.png
  2 png a picture (no-eol)
  $ ./tutorial run 0 --format gif
  tutorial: --format gif: must be pdf or png; the pictures are SVG without it.
  [2]
  $ PATH=/nowhere ./tutorial run 0 --format png
  tutorial: --format needs rsvg-convert, which is not installed (Debian, Ubuntu: apt-get install librsvg2-bin); the pictures are SVG without it.
  [2]
  $ printf '#!/bin/sh\nexit 1\n' >bin/rsvg-convert
  $ PATH=$PWD/bin:$PATH ./tutorial run 0 --format png 2>&1 >out | sed "s|$PWD/||"
  tutorial: rsvg-convert can't make plots/00_little/little.png.

A crash is told.

  $ ./tutorial run 0 -- --crash
  tutorial: the program of chapter 00 crashed: aborted: what it wrote last tells the reason
  [134]

What takes long to compile is said before, with the time that earlier builds took.

  $ rm build/release/bin/00_little
  $ awk -F '\t' -v OFS='\t' '!/^#/ { $2 = $1 + 600000 } { print }' build/release/.ninja_log >log && mv log build/release/.ninja_log
  $ ./tutorial run 0 2>&1 >out | sed 's/[0-9]* \(min\|s\)$/TIME/'
  compiling what this needs, once: about TIME

The suite: of all chapters, of one, of everything with --all. One that fails is exit code 1.

  $ ./tutorial test | grep -o -e '[0-9a-z_.]* [.]* *Passed' -e '.*% tests.*' | sort
  00_little.checklist ..............   Passed
  100% tests passed, 0 tests failed out of 2
  common ...........................   Passed
  $ ./tutorial test 0 | grep '% tests'
  100% tests passed, 0 tests failed out of 1
  $ ./tutorial test --all | grep '% tests'
  100% tests passed, 0 tests failed out of 3
  $ ./tutorial test --all 0 | grep '% tests'
  100% tests passed, 0 tests failed out of 2
  $ sed -i 's/.*return.*/    throw x;/' solutions/00_little/double_it.cpp
  $ ./tutorial test 0 >out 2>&1
  [1]
  $ cp "$TESTDIR"/mini/solutions/00_little/double_it.cpp solutions/00_little/

The benchmarks get their words.

  $ ./tutorial bench -- fast 2>&1 | sed 's/about [0-9]* \(min\|s\)$/about TIME/'
  compiling what this needs, once: about TIME
  twice 4 is 8, half of it 2, and fast
