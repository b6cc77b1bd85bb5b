# add_chapter(NN_name) defines, for one chapter:
#
#   NN_name                      the program, on the solutions (the fast ones where there are any)
#   NN_name_mine[_all]           the program on the learner's steps (of this chapter / of every chapter so far)
#   NN_name_test[_fast]          the checklist on the readable / the fast solutions
#   check_NN_name_STEP           a step's tests on the learner's step, among the solutions of the other steps
#   sanitize_NN_name_STEP        … with the learner's step under the sanitizers
#   NN_name_mistakes             the checklist on steps that give their stub, or one of their mistakes, when they are told to
#   NN_name.library              what later chapters link: the solutions (fast where there are any)
#   suite_[all_]NN_name          what `./tutorial test N [--all]` runs, which ctest knows by the labels NN_name and suite
#
# A step is a file of solutions/NN_name/; its name is all that CMake knows of it (tools/steps reads the rest). Every
# executable names all its objects, one for each step, so a step that is missing from the learner's file is an error of the
# linker and is never filled in from the solution. The optimised objects stand first: where two bring the same template,
# the linker takes the first.

set(TFS_EARLIER_CHAPTERS "" CACHE INTERNAL "chapters added so far")

# An object library; `quick` after the sources: compiled faster rather than running faster.
function(_tfs_objects target sources)
    add_library(${target} OBJECT ${sources})
    target_link_libraries(${target} PRIVATE tfs_common)
    tfs_precompile(${target} ${ARGN})
endfunction()

# Of a function that is defined twice, the linker takes the first one. A call in the second one's own file is no matter of the
# linker: a twin defines the functions of its step that call what it replaces, too.
function(_tfs_twins_first target)
    target_link_options(${target} PRIVATE LINKER:--allow-multiple-definition)
endfunction()

# An executable. Sources among the objects are compiled quickly.
function(_tfs_executable target)
    add_executable(${target} ${ARGN})
    target_link_libraries(${target} PRIVATE tfs_common)
    tfs_precompile(${target} quick)
endfunction()

# Not built by default, but with the targets that are named.
function(_tfs_only_for target)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    foreach(group IN LISTS ARGN)
        add_dependencies(${group} ${target})
    endforeach()
endfunction()

function(_tfs_test name labels)
    add_test(NAME ${name} COMMAND ${ARGN})
    # ctest runs a test on each core: no test has threads that wait for those of another one. tools/machines tries threads.
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" ENVIRONMENT "OMP_WAIT_POLICY=passive;OMP_NUM_THREADS=1")
endfunction()

# Writes to `out` the objects of all solutions but one, or the learner's (`mine`). On the `fast` side a twin stands before the
# readable file and takes the place of the functions that it defines.
function(_tfs_steps out side chapter steps replaced)
    set(objects "")
    foreach(step IN LISTS steps)
        if(step STREQUAL replaced)
            continue()
        elseif(side STREQUAL "mine")
            list(APPEND objects $<TARGET_OBJECTS:${chapter}.mine.${step}>)
            continue()
        elseif(side STREQUAL "fast" AND TARGET ${chapter}.fast.${step})
            list(APPEND objects $<TARGET_OBJECTS:${chapter}.fast.${step}>)
        endif()
        list(APPEND objects $<TARGET_OBJECTS:${chapter}.solution.${step}>)
    endforeach()
    set(${out} ${objects} PARENT_SCOPE)
endfunction()

# The source files of a folder. A file that appears or disappears configures anew.
function(_tfs_glob out pattern)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${pattern})
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# A learner's file, or where it is missing an empty one: her other steps can be built all the same.
function(_tfs_learners_file out chapter step)
    set(file ${PROJECT_SOURCE_DIR}/exercises/${chapter}/${step}.cpp)
    if(NOT EXISTS ${file})
        message(WARNING "exercises/${chapter}/${step}.cpp is missing; ./tutorial reset ${step} brings it back")
        set(file ${PROJECT_BINARY_DIR}/missing/${chapter}/${step}.cpp)
        file(WRITE ${file} "// nothing: the step's file is missing\n")
    endif()
    set(${out} ${file} PARENT_SCOPE)
endfunction()

# What a learner wrote need not use all its parameters, and must return what it promises.
function(_tfs_learners target)
    target_compile_options(${target} PRIVATE -Werror=return-type -Werror=unused-result)
    # Without ccache: no edit was compiled before, and each would take a quarter of a second longer.
    set_target_properties(${target} PROPERTIES TFS_STEP_TO_DO ON TFS_LEARNERS ON CXX_COMPILER_LAUNCHER "")
endfunction()

# Tests of a chapter, as objects.
function(_tfs_checklist target chapter sources)
    _tfs_objects(${target} "${sources}" quick)
    target_link_libraries(${target} PRIVATE tfs_test_support)
    target_compile_definitions(${target} PRIVATE TFS_CHAPTER="${chapter}")
endfunction()

# Appends to `out` the objects of steps that give the answer they are told to. Wrong answers may cause
# warnings.
function(_tfs_answers out target sources)
    if(sources)
        _tfs_objects(${target} "${sources}" ${ARGN})
        target_link_libraries(${target} PRIVATE tfs_test_support)
        target_compile_options(${target} PRIVATE -w)
        _tfs_only_for(${target})
        set(${out} ${${out}} $<TARGET_OBJECTS:${target}> PARENT_SCOPE)
    endif()
endfunction()

function(add_chapter chapter)
    set(earlier "")
    set(earlier_mine "")
    foreach(other IN LISTS TFS_EARLIER_CHAPTERS)
        list(APPEND earlier ${other}.library)
        list(APPEND earlier_mine ${other}.library_mine)
    endforeach()
    foreach(group suite_${chapter} suite_all_${chapter})
        add_custom_target(${group})
    endforeach()
    add_dependencies(suite_all_${chapter} suite_${chapter})
    add_dependencies(suite suite_${chapter})
    add_dependencies(suite_all suite_all_${chapter})

    # The steps: solutions, fast twins, the learner's. Where the loops of a step take long, it has a fast twin, or the program
    # times it against loops of its own (program/timed/); the other solutions are compiled faster.
    _tfs_glob(timed_sources chapters/${chapter}/program/timed/*.cpp)
    _tfs_glob(solutions solutions/${chapter}/*.cpp)
    _tfs_glob(exercises exercises/${chapter}/*.cpp)
    set(steps "")
    foreach(source IN LISTS solutions)
        get_filename_component(step ${source} NAME_WLE)
        if(step MATCHES "[.]fast$")
            get_filename_component(step ${step} NAME_WE)
            _tfs_objects(${chapter}.fast.${step} ${source})
            # A function that no header declares would take nobody's place.
            target_compile_options(${chapter}.fast.${step} PRIVATE -Werror=missing-declarations)
        else()
            list(APPEND steps ${step})
            _tfs_objects(${chapter}.solution.${step} ${source})
            if(NOT timed_sources AND NOT EXISTS ${PROJECT_SOURCE_DIR}/solutions/${chapter}/${step}.fast.cpp)
                target_compile_options(${chapter}.solution.${step} PRIVATE $<$<CONFIG:Release>:-O1>)
            endif()
            _tfs_learners_file(learners ${chapter} ${step})
            _tfs_objects(${chapter}.mine.${step} ${learners})
            _tfs_learners(${chapter}.mine.${step})
            _tfs_only_for(${chapter}.mine.${step})
        endif()
    endforeach()
    # What the steps use beside the contract: an ordinary library, for which a step is an error of the linker. And what is made
    # of the steps, part of every program, checklist and library.
    _tfs_glob(given_sources chapters/${chapter}/given/*.cpp)
    tfs_shared_library(${chapter}.given ${given_sources})
    target_link_libraries(${chapter}.given PUBLIC ${earlier} tfs_common)
    if(NOT TFS_SANITIZE)  # whose functions come with the program
        target_link_options(${chapter}.given PRIVATE LINKER:--no-undefined)
    endif()
    set(models "")
    _tfs_glob(model_sources chapters/${chapter}/models/*.cpp)
    if(model_sources)
        _tfs_objects(${chapter}.models "${model_sources}")
        set(models $<TARGET_OBJECTS:${chapter}.models>)
    endif()
    foreach(part given models)
        if(TARGET ${chapter}.${part})
            tfs_unity(${chapter}.${part} 0)
            target_compile_options(${chapter}.${part} PRIVATE $<$<CONFIG:Release>:-O1>)  # no loops that take long
        endif()
    endforeach()
    tfs_precompile(${chapter}.given)
    _tfs_steps(readable readable ${chapter} "${steps}" "")
    _tfs_steps(fast fast ${chapter} "${steps}" "")
    _tfs_steps(mine mine ${chapter} "${steps}" "")
    tfs_shared_library(${chapter}.library ${fast} ${models})
    target_link_libraries(${chapter}.library PUBLIC ${chapter}.given)
    _tfs_twins_first(${chapter}.library)
    # On the learner's steps of every chapter, nothing may bring the solutions' libraries.
    set(mine_all ${mine} ${models} $<TARGET_OBJECTS:${chapter}.given>)
    tfs_shared_library(${chapter}.library_mine ${mine_all})
    target_link_libraries(${chapter}.library_mine PUBLIC ${earlier_mine} tfs_common)
    _tfs_only_for(${chapter}.library_mine)

    # The program, on the solutions and on the learner's steps.
    _tfs_glob(program_sources chapters/${chapter}/program/*.cpp)
    _tfs_objects(${chapter}.program "${program_sources}" quick)
    tfs_unity(${chapter}.program 0)
    set(program $<TARGET_OBJECTS:${chapter}.program>)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/chapters/${chapter}/program/main.cpp)
        list(APPEND program $<TARGET_OBJECTS:tfs_program_main>)
    endif()
    if(timed_sources)
        _tfs_objects(${chapter}.timed "${timed_sources}")
        list(PREPEND program $<TARGET_OBJECTS:${chapter}.timed>)
    endif()
    _tfs_executable(${chapter} ${fast} ${models} ${program})
    target_link_libraries(${chapter} PRIVATE ${chapter}.given)
    _tfs_twins_first(${chapter})
    # What every check needs, compiled with the first program: then the first check does not have to wait for it.
    add_dependencies(${chapter} tfs_test_support tfs_checklist_main)
    _tfs_executable(${chapter}_mine ${mine} ${models} ${program})
    target_link_libraries(${chapter}_mine PRIVATE ${chapter}.given)
    _tfs_executable(${chapter}_mine_all ${mine_all} ${program})
    target_link_libraries(${chapter}_mine_all PRIVATE ${earlier_mine})
    _tfs_only_for(${chapter}_mine)
    _tfs_only_for(${chapter}_mine_all)

    # The checklist: a file for each step; what they share; and perhaps tests of the models. All of them together for
    # the suite; of single ones for a learner's check.
    _tfs_glob(test_sources tests/${chapter}/*.cpp)
    set(shared_sources ${test_sources})
    list(FILTER shared_sources EXCLUDE REGEX "_test[.]cpp$")
    set(main ${models} $<TARGET_OBJECTS:tfs_checklist_main>)
    _tfs_checklist(${chapter}.checklist ${chapter} "${test_sources}")
    tfs_unity(${chapter}.checklist 0)
    set(checklist ${main} $<TARGET_OBJECTS:${chapter}.checklist>)
    if(shared_sources)
        _tfs_checklist(${chapter}.checklist_shared ${chapter} "${shared_sources}")
        _tfs_only_for(${chapter}.checklist_shared)
        list(APPEND main $<TARGET_OBJECTS:${chapter}.checklist_shared>)
    endif()
    _tfs_executable(${chapter}_test ${readable} ${checklist})
    target_link_libraries(${chapter}_test PRIVATE tfs_test_support ${chapter}.given)
    # What measures models and not steps, the fast side does.
    string(JOIN ":" models "*.the_shipped_weights_are_as_good_as_their_file_says" "*.its_heads_look_where_its_file_says"
        "small_stack.*" "one_batch.*")
    set(readable_tests "*")
    if(NOT "${fast}" STREQUAL "${readable}")
        set(readable_tests "-${models}")
    endif()
    _tfs_test(${chapter}.checklist "${chapter};suite" ${chapter}_test --gtest_filter=${readable_tests})
    add_dependencies(suite_${chapter} ${chapter}_test)
    add_dependencies(checklists ${chapter}_test)
    if(NOT "${fast}" STREQUAL "${readable}")
        _tfs_executable(${chapter}_test_fast ${fast} ${checklist})
        target_link_libraries(${chapter}_test_fast PRIVATE tfs_test_support ${chapter}.given)
        _tfs_twins_first(${chapter}_test_fast)
        _tfs_test(${chapter}.checklist_fast "${chapter};suite" ${chapter}_test_fast)
        add_dependencies(suite_${chapter} ${chapter}_test_fast)
        add_dependencies(checklists ${chapter}_test_fast)
    endif()
    if(TARGET lessons_test)
        set(lesson */${chapter}:noticed.*:readme.*:guide.*)
        if(chapter MATCHES "^10_")
            string(APPEND lesson :trained_figures.*)
        endif()
        _tfs_test(${chapter}.lesson "${chapter};suite" lessons_test --gtest_filter=${lesson})
        string(SUBSTRING ${chapter} 0 2 number)
        set_tests_properties(${chapter}.lesson PROPERTIES COST ${number})  # ctest begins with the longest
        add_dependencies(suite_${chapter} lessons_test ${chapter})
    endif()

    set(short_answers "")
    set(long_answers "")
    foreach(step IN LISTS steps)
        set(solution ${PROJECT_SOURCE_DIR}/solutions/${chapter}/${step}.cpp)
        _tfs_checklist(${chapter}.test.${step} ${chapter} ${PROJECT_SOURCE_DIR}/tests/${chapter}/${step}_test.cpp)
        _tfs_only_for(${chapter}.test.${step})
        set(own_tests ${main} $<TARGET_OBJECTS:${chapter}.test.${step}>)
        _tfs_steps(others readable ${chapter} "${steps}" ${step})
        _tfs_learners_file(learners ${chapter} ${step})

        _tfs_executable(check_${chapter}_${step} ${learners} ${others} ${own_tests})
        target_link_libraries(check_${chapter}_${step} PRIVATE tfs_test_support ${chapter}.given)
        _tfs_learners(check_${chapter}_${step})
        _tfs_only_for(check_${chapter}_${step})

        # Only the learner's own file is instrumented, so that no more has to be compiled, and what is reported is hers.
        add_executable(sanitize_${chapter}_${step} ${learners} ${others} ${own_tests})
        target_link_libraries(sanitize_${chapter}_${step} PRIVATE tfs_test_support ${chapter}.given)
        target_compile_options(sanitize_${chapter}_${step} PRIVATE -O0 -g -fsanitize=address,undefined
            -fno-omit-frame-pointer)
        target_compile_definitions(sanitize_${chapter}_${step} PRIVATE _GLIBCXX_ASSERTIONS)
        target_link_options(sanitize_${chapter}_${step} PRIVATE -fsanitize=address,undefined)
        _tfs_learners(sanitize_${chapter}_${step})
        _tfs_only_for(sanitize_${chapter}_${step})

        # All kept answers to the step in one file: of these the program of the mistakes chooses.
        set(answer ${PROJECT_BINARY_DIR}/answers/${chapter}/${step}.cpp)
        _tfs_glob(edits tests/${chapter}/mistakes/${step}.*.edit)
        add_custom_command(OUTPUT ${answer} COMMAND generate answers ${solution} ${answer} ${edits}
            DEPENDS generate ${solution} ${edits} VERBATIM)
        if(TARGET ${chapter}.fast.${step})
            list(APPEND long_answers ${answer})
        else()
            list(APPEND short_answers ${answer})
        endif()
    endforeach()

    # The untouched stub of each step, of which only its own tests may fail, as "not started"; and the classic wrong answers,
    # of which each must fail its step with a message that names it. Compiled like a learner's step, except steps with a fast
    # twin: unoptimised, they would slow down the tests of all other steps.
    set(answers ${models})
    if(long_answers)
        _tfs_answers(answers ${chapter}.long_answers "${long_answers}")
        target_compile_options(${chapter}.long_answers PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    _tfs_answers(answers ${chapter}.answers "${short_answers}" quick)
    _tfs_executable(${chapter}_mistakes ${answers} $<TARGET_OBJECTS:tfs_mistakes_main> $<TARGET_OBJECTS:${chapter}.checklist>)
    target_link_libraries(${chapter}_mistakes PRIVATE tfs_test_support tfs_check_report tfs_steps ${chapter}.given)
    _tfs_only_for(${chapter}_mistakes suite_all_${chapter})
    foreach(step IN LISTS steps)
        _tfs_test(${chapter}.mistakes.${step} ${chapter} ${chapter}_mistakes ${step} --leave-out=${models})
    endforeach()

    # Later chapters may use this one.
    set(TFS_EARLIER_CHAPTERS ${TFS_EARLIER_CHAPTERS} ${chapter} CACHE INTERNAL "chapters added so far")
endfunction()
