tests/tools/bootstrap.t · the script ./tutorial, which builds the runner and starts it

  $ . "$TESTDIR/setup"

Nothing is compiled here: in place of CMake a script copies the runner, or fails where a source has an error.

  $ mkdir -p 'my tutorial/common' bin && mv [^mb]* 'my tutorial' && cd 'my tutorial'
  $ cp -R "$repository/tools" . && cp -R "$repository/common/terminal" common && cp "$repository/tutorial" .
  $ cat >../bin/cmake <<end
  > #!/bin/sh
  > case \$1 in
  > --version) echo cmake version 3.25.0 ;;
  > -S) touch "\$4/build.ninja" ;;
  > --build) ! grep '^an error' tools/generate.cpp || exit 1; mkdir -p "\$2/bin"; cp "$runner" "\$2/bin" ;;
  > esac
  > end
  $ chmod +x ../bin/cmake && export PATH=$CRAMTMP/bootstrap.t/bin:$PATH

The runner is built at the first command, and after a change of its sources.

  $ ./tutorial --no-install | sed -n 1,2p
  building the runner (once)
      chapter         passed  next step
  00  Little numbers  0 of 2  0.1 double_it: not started
  $ (cd chapters && ../tutorial | sed -n 2p)
  00  Little numbers  0 of 2  0.1 double_it: not started
  $ touch tools/generate.cpp
  $ ./tutorial | sed -n 2p
  building the runner (once)
  00  Little numbers  0 of 2  0.1 double_it: not started

A time in the future is taken back: else it would be built at each command.

  $ touch -d '1 hour' tools/generate.cpp
  $ ./tutorial >table
  building the runner (once)
  $ ./tutorial >table

What can't be built is told.

  $ echo an error >tools/generate.cpp
  $ ./tutorial 2>&1 | sed "s|$PWD|…|"
  building the runner (once)
  an error
  tutorial: the runner could not be built; all it said is in …/build/tools/build.log.

In some folders CMake fails, or ninja compiles everything at each command, or a program does not find its libraries. These are refused
before anything is built; here the runner is a script that says where it is.

  $ in_folder() {
  >     local folder="$CRAMTMP/$1"
  >     mkdir -p "$folder"/{tools,common/terminal,build/tools/bin} && cp "$repository/tutorial" "$folder"
  >     printf '#!/bin/sh\necho the runner\n' >"$folder/build/tools/bin/tutorial_runner"
  >     chmod +x "$folder/build/tools/bin/tutorial_runner" && touch "$folder/build/tools/built"
  >     "$folder/tutorial" 2>&1 | sed "s|: rename.*||"
  > }
  $ for name in 'two words' ' a' 'a+(50%)' 'a{b}=@~!' -a 'ü 한글' "in/a row/of folders" $(printf '%0200d'); do in_folder "$name"; done | uniq -c
        8 the runner
  $ for ((i = 0; i < 18; ++i)); do characters=\''"#$&*,:;<>?[\]^`|'; in_folder "a${characters:i:1}b"; done | sed 's/.* character \(.\), with which the build does not work/\1/' | paste -sd ' '
  ' " # $ & * , : ; < > ? [ \ ] ^ ` |
  $ in_folder $'a\nb'
  tutorial: the path of this folder has a control character, with which the build does not work
  $ in_folder 'a '
  tutorial: the path of this folder ends in a space, with which the build does not work
