tests/tools/mine_passed.t · ./tutorial run --mine=passed: her steps that pass, also those of earlier chapters

  $ . "$TESTDIR/setup"

Chapter 01 calls a step of chapter 00, and the program of chapter 02 calls chapter 01 alone.

  $ add() { # add CHAPTER STEP NUMBER BODY
  >     mkdir {chapters,solutions,exercises}/$1
  >     echo '# More numbers' >chapters/$1/README.md
  >     cat >solutions/$1/$2.cpp <<end
  > // Step $3 · $2 · ●○○ · 5 min
  > // solutions/$1/$2.cpp
  > int double_it(int x);
  > int treble_it(int x);
  > int quadruple_it(int x);
  > int $2(int x) {
  >     // begin: More.
  >     return $4;
  >     // end
  > }
  > end
  > }
  $ add 01_more treble_it 1.1 'double_it(x) + x'
  $ add 02_most quadruple_it 2.1 'treble_it(x) + x'
  $ cat >chapters/02_most/main.cpp <<end
  > #include <stdio.h>
  > int quadruple_it(int x);
  > int main() { printf("four times 4 is %d\n", quadruple_it(4)); }
  > end
  $ cat >>CMakeLists.txt <<end
  > add_compile_options(-fPIC)
  > foreach(step IN LISTS steps)
  >     target_compile_options(00_little.solution.\${step} PRIVATE -fPIC)
  >     target_compile_options(00_little.mine.\${step} PRIVATE -fPIC)
  > endforeach()
  > add_library(00_little.library SHARED \${solutions})
  > set_target_properties(00_little.library PROPERTIES LINKER_LANGUAGE CXX)
  > add_library(01_more.library SHARED solutions/01_more/treble_it.cpp)
  > target_link_libraries(01_more.library PUBLIC 00_little.library)
  > add_library(02_most.solution.quadruple_it OBJECT solutions/02_most/quadruple_it.cpp)
  > add_executable(02_most chapters/02_most/main.cpp \$<TARGET_OBJECTS:02_most.solution.quadruple_it>)
  > target_link_options(02_most PRIVATE LINKER:--as-needed)
  > target_link_libraries(02_most PRIVATE 01_more.library)
  > end

As long as no step passes, all are the solutions'.

  $ ./tutorial run 2 --mine=passed 2>built
  on the solutions: no step passes yet
  four times 4 is 16

A step that passes computes in the later chapter; in its own, it stands beside the solutions.

  $ write double_it 'puts("this is hers"); return 2 * x;' '#include <stdio.h>'
  $ check 0.1 | sed -n 1p
  0.1 double_it                          passed (2 checks)
  $ ./tutorial run 2 --mine=passed
  on your steps 0.1 (1 of 1 pass)
  this is hers
  four times 4 is 16
  $ (cd chapters && ../build/release/bin/02_most_mine_passed)
  this is hers
  four times 4 is 16
  $ ./tutorial run 2
  four times 4 is 16
  $ ./tutorial run 0 --mine=passed | sed "s|$PWD/||"
  on your steps 0.1 (1 of 1 pass)
  your steps 0.1 (1 of 1 pass) plots/00_little this is hers
  twice 4 is 8, half of it 2, and nothing
  
  Look at it in a browser: plots/00_little_mine_passed/index.html

It is not linked anew where nothing has changed.

  $ touch linked && ./tutorial run 2 --mine=passed >out
  $ find build/release/mine_passed -name '*.so' -newer linked

One that passes no more, or was not checked since, is not used.

  $ write double_it 'return 5 * x;'
  $ ./tutorial run 2 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16
  $ check 0.1 >failed
  [1]
  $ ./tutorial run 2 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16

Nor is one that is saved while the program is built.

  $ write double_it 'puts("hers again"); return 2 * x;' '#include <stdio.h>'
  $ check 0.1 >passed
  $ ./tutorial run 2 --mine=passed | grep hers
  hers again
  $ cat >>CMakeLists.txt <<end
  > add_custom_target(saved COMMAND cmake -E echo_append "//" >>exercises/00_little/double_it.cpp WORKING_DIRECTORY \${PROJECT_SOURCE_DIR})
  > add_dependencies(02_most saved)
  > end
  $ ./tutorial run 2 --mine=passed
  tutorial: step 0.1 was saved meanwhile: ./tutorial check 0.1
  [2]
  $ ./tutorial run 2 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16
