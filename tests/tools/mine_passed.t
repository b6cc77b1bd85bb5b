tests/tools/mine_passed.t · ./tutorial run --mine=passed: her steps that pass, also those of earlier chapters

  $ . "$TESTDIR/setup"

Chapter 01 calls a step of chapter 00, and the program of chapter 07 calls chapter 01 alone.

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
  $ add 07_most quadruple_it 7.1 'treble_it(x) + x'
  $ cat >chapters/07_most/main.cpp <<end
  > #include <stdio.h>
  > int quadruple_it(int x);
  > int (*of_models)(int) = quadruple_it;
  > int main() { printf("four times 4 is %d\n", of_models(4)); }
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
  > add_library(07_most.solution.quadruple_it OBJECT solutions/07_most/quadruple_it.cpp)
  > add_executable(07_most chapters/07_most/main.cpp \$<TARGET_OBJECTS:07_most.solution.quadruple_it>)
  > target_link_options(07_most PRIVATE LINKER:--as-needed)
  > target_link_libraries(07_most PRIVATE 01_more.library)
  > end

As long as no step passes, all are the solutions'.

  $ ./tutorial run 7 --mine=passed 2>built
  on the solutions: no step passes yet
  four times 4 is 16

A step that passes computes in the later chapter; in its own, it stands beside the solutions.

  $ write double_it 'puts("this is hers"); return 2 * x;' '#include <stdio.h>'
  $ check 0.1 | sed -n 1p
  0.1 double_it                          passed (2 checks)
  $ ./tutorial run 7 --mine=passed
  on your steps 0.1 (1 of 1 pass)
  this is hers
  four times 4 is 16
  $ (cd chapters && ../build/release/bin/07_most_mine_passed)
  this is hers
  four times 4 is 16
  $ ./tutorial run 7
  four times 4 is 16
  $ ./tutorial run 0 --mine=passed | sed "s|$PWD/||"
  on your steps 0.1 (1 of 1 pass)
  your steps 0.1 (1 of 1 pass) plots/00_little this is hers
  twice 4 is 8, half of it 2, and nothing
  
  Look at it in a browser: plots/00_little_mine_passed/index.html

It is not linked anew where nothing has changed.

  $ touch linked && ./tutorial run 7 --mine=passed >out
  $ find build/release/mine_passed -name '*.so' -newer linked

One that passes no more, or was not checked since, is not used.

  $ write double_it 'return 5 * x;'
  $ ./tutorial run 7 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16
  $ check 0.1 >failed
  [1]
  $ ./tutorial run 7 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16

Nor is one that is saved while the program is built.

  $ write double_it 'puts("hers again"); return 2 * x;' '#include <stdio.h>'
  $ check 0.1 >passed
  $ ./tutorial run 7 --mine=passed | grep hers
  hers again
  $ cat >>CMakeLists.txt <<end
  > add_custom_target(saved COMMAND cmake -E echo_append "//" >>exercises/00_little/double_it.cpp WORKING_DIRECTORY \${PROJECT_SOURCE_DIR})
  > add_dependencies(07_most saved)
  > end
  $ ./tutorial run 7 --mine=passed
  tutorial: step 0.1 was saved meanwhile: ./tutorial check 0.1
  [2]
  $ ./tutorial run 7 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16

The models of the chapters 07 to 12 attend with the steps of chapter 13, once these pass.

  $ add 13_tiles in_tiles 13.1 '4 * x'
  $ cat >chapters/13_tiles/in_models.cpp <<end
  > int in_tiles(int x);
  > extern int (*of_models)(int);
  > const bool put = (of_models = in_tiles, true);
  > end
  $ cat >>CMakeLists.txt <<end
  > add_library(13_tiles.in_models OBJECT chapters/13_tiles/in_models.cpp)
  > add_library(13_tiles.solution.in_tiles OBJECT solutions/13_tiles/in_tiles.cpp)
  > add_library(13_tiles.mine.in_tiles OBJECT exercises/13_tiles/in_tiles.cpp)
  > add_library(13_tiles.library SHARED \$<TARGET_OBJECTS:13_tiles.solution.in_tiles>)
  > set_target_properties(13_tiles.library PROPERTIES LINKER_LANGUAGE CXX)
  > add_executable(check_13_tiles_in_tiles exercises/13_tiles/in_tiles.cpp \${solutions})
  > target_link_libraries(check_13_tiles_in_tiles PRIVATE \${check_library})
  > end
  $ write in_tiles 'puts("her tiles"); return 4 * x;' '#include <stdio.h>'
  $ mv exercises/{00_little,13_tiles}/in_tiles.cpp
  $ ./tutorial run 7 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16
  $ check 13.1 | sed -n 1p
  13.1 in_tiles                          passed (2 checks)
  $ ./tutorial run 7 --mine=passed
  on your steps 13.1 (1 of 1 pass)
  her tiles
  four times 4 is 16
  $ echo '//' >>exercises/13_tiles/in_tiles.cpp
  $ ./tutorial run 7 --mine=passed
  on the solutions: no step passes yet
  four times 4 is 16
