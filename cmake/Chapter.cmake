# add_chapter(NN_name) defines, for one chapter:
#
#   NN_name                      the program, on the solutions (the fast ones where there are any)
#   NN_name_mine[_all]           the program on the learner's steps (of this chapter / of every chapter so far)
#   NN_name_test[_fast]          the checklist on the readable / the fast solutions
#   check_NN_name_STEP           a step's tests on the learner's step, among the solutions of the other steps
#   sanitize_NN_name_STEP        … with the learner's step under the sanitizers
#   debug_NN_name_STEP           … with the learner's step as a debugger wants it
#   checks_NN_name               what the checks of its steps need, apart from the learner's files
#   NN_name_mistakes             the checklist on steps that give their stub, or one of their mistakes, when they are told to
#   NN_name.given                what the steps use beside the contract; no step is in it
#   NN_name.library, tfs::name   what later chapters link: the solutions (fast where there are any), and what is made of them; the
#                                only one in a project that adds this one
#   NN_name.in_models            chapter 13 alone: what puts its steps into the models of earlier chapters
#   suite_[all_]NN_name          what `./tutorial test N [--all]` runs, which ctest knows by the labels NN_name and suite
#
# A step is a file of solutions/NN_name/; its name is all that CMake knows of it (tools/steps reads the rest). Every
# executable names all its objects, one for each step, so a step that is missing from the learner's file is an error of the
# linker and is never filled in from the solution. The optimised objects stand first: where two bring the same template,
# the linker takes the first. Nothing is built by default but what belongs to the suite.

set(TFS_EARLIER_LIBRARIES "" CACHE INTERNAL "of the chapters added so far")
set(TFS_EARLIER_MINE "" CACHE INTERNAL "their objects on the learner's steps")

# Compiles `sources` into an object library and appends its objects to the list `to`; without sources it does nothing.
#   QUICK         compiled fast rather than running fast
#   SHORT_LOOPS   compiled in half the time, for what has no loops that take long
#   TOGETHER      all files as one
#   TESTS         may use the support of the tests
function(_tfs_objects to target sources)
    if(NOT sources)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 3 are "QUICK;SHORT_LOOPS;TOGETHER;TESTS" "" "")
    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${target} PRIVATE tfs_measure)
    if(are_QUICK OR (are_SHORT_LOOPS AND TFS_SANITIZE))
        tfs_precompile(${target} quick)
    else()
        tfs_precompile(${target})
    endif()
    if(are_SHORT_LOOPS)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    if(are_TOGETHER)
        tfs_unity(${target} 0)
    endif()
    if(are_TESTS)
        target_link_libraries(${target} PRIVATE tfs_test_support)
        string(REGEX MATCH "^[^.]+" chapter ${target})
        target_compile_definitions(${target} PRIVATE TFS_CHAPTER="${chapter}")
    endif()
    set(${to} ${${to}} $<TARGET_OBJECTS:${target}> PARENT_SCOPE)
endfunction()

# An executable of these objects, on these libraries. Sources among the objects are compiled quickly.
function(_tfs_executable target libraries)
    add_executable(${target} EXCLUDE_FROM_ALL ${ARGN})
    target_link_libraries(${target} PRIVATE tfs_common ${libraries})
    tfs_precompile(${target} quick)
endfunction()

function(_tfs_test name labels)
    add_test(NAME ${name} COMMAND ${ARGN})
    # ctest runs a test on each core: no test has threads that wait for those of another one. tools/machines tries threads.
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" ENVIRONMENT "OMP_WAIT_POLICY=passive;OMP_NUM_THREADS=1")
endfunction()

# The source files of a folder. A file that appears or disappears configures anew. What systems and editors leave beside them is
# none: ._softmax.cpp, .#softmax.cpp, "softmax 2.cpp" (steps::is_left_by_others).
function(_tfs_glob out pattern)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${pattern})
    list(FILTER found EXCLUDE REGEX "/[.][^/]*$|/[^/]* [^/]*$")
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

# The source of a solution; in the copy of a course, what tools/copy hid, as it was (tools/steps/gaps.hpp).
function(tfs_solution out source)
    file(STRINGS ${source} hidden REGEX "^hidden: " LIMIT_COUNT 1)
    if(hidden)
        file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
        set(shown ${PROJECT_BINARY_DIR}/${path})
        string(REPLACE "/" "." name ${path})
        if(NOT TARGET tfs_generate)  # in a project that adds this one
            add_subdirectory(${PROJECT_SOURCE_DIR}/tools ${PROJECT_BINARY_DIR}/tools)
        endif()
        if(NOT TARGET tfs_reveal.${name})
            add_custom_command(OUTPUT ${shown} COMMAND tfs_generate reveal ${source} ${shown}
                DEPENDS tfs_generate ${source} VERBATIM)
            add_custom_target(tfs_reveal.${name} DEPENDS ${shown})
        endif()
        set(source ${shown})
    endif()
    set(${out} ${source} PARENT_SCOPE)
endfunction()

# What a learner wrote need not use all its parameters, and must return what it promises.
function(_tfs_learners target)
    target_compile_options(${target} PRIVATE -Werror=return-type -Werror=unused-result)
    # Without ccache: no edit was compiled before, and each would take a quarter of a second longer.
    set_target_properties(${target} PROPERTIES TFS_STEP_TO_DO ON TFS_LEARNERS ON CXX_COMPILER_LAUNCHER "")
endfunction()

# The checklist on one side: NN_name_test or NN_name_test_fast, and the test of ctest that runs these of its tests.
function(_tfs_suite chapter program test filter libraries)
    _tfs_executable(${chapter}_${program} "${libraries}" ${ARGN})
    _tfs_test(${chapter}.${test} "${chapter};suite" ${chapter}_${program} --gtest_filter=${filter})
    add_dependencies(suite_${chapter} ${chapter}_${program})
    add_dependencies(checklists ${chapter}_${program})
endfunction()

function(add_chapter chapter)
    if(PROJECT_IS_TOP_LEVEL)
        foreach(group suite_${chapter} suite_all_${chapter})
            add_custom_target(${group})
        endforeach()
        add_dependencies(suite_all_${chapter} suite_${chapter})
        add_dependencies(suite suite_${chapter})
        add_dependencies(suite_all suite_all_${chapter})
    endif()

    # The steps: the readable solutions, the learner's files, and `fast`: a twin, step.fast.cpp, in place of step.cpp where there
    # is one. It defines the same functions. Where the loops of a step take long, it has a twin.
    _tfs_glob(timed_sources chapters/${chapter}/program/timed/*.cpp)
    _tfs_glob(solutions solutions/${chapter}/*.cpp)
    _tfs_glob(exercises exercises/${chapter}/*.cpp)
    list(FILTER solutions EXCLUDE REGEX "[.]fast[.]cpp$")
    foreach(source IN LISTS solutions)
        get_filename_component(step ${source} NAME_WE)
        list(APPEND steps ${step})
        set(twin ${PROJECT_SOURCE_DIR}/solutions/${chapter}/${step}.fast.cpp)
        set(loops SHORT_LOOPS)
        if(EXISTS ${twin} OR chapter MATCHES "^13_")  # the program of 13 times the steps themselves
            set(loops "")
        endif()
        tfs_solution(source ${source})
        _tfs_objects(readable ${chapter}.solution.${step} ${source} ${loops})
        if(EXISTS ${twin})
            tfs_solution(source ${twin})
            _tfs_objects(fast ${chapter}.fast.${step} ${source})
        else()
            list(APPEND fast $<TARGET_OBJECTS:${chapter}.solution.${step}>)
        endif()
        if(PROJECT_IS_TOP_LEVEL)
            _tfs_learners_file(learners ${chapter} ${step})
            _tfs_objects(mine ${chapter}.mine.${step} ${learners})
            _tfs_learners(${chapter}.mine.${step})
        endif()
    endforeach()

    # What the steps use beside the contract: a library, for which a step is an error of the linker.
    _tfs_glob(given_sources chapters/${chapter}/given/*.cpp)
    _tfs_objects(given ${chapter}.given_objects "${given_sources}" SHORT_LOOPS TOGETHER)
    tfs_shared_library(${chapter}.given ${given})
    target_link_libraries(${chapter}.given PUBLIC ${TFS_EARLIER_LIBRARIES} tfs_measure)
    # What is made of the steps.
    _tfs_glob(model_sources chapters/${chapter}/models/*.cpp)
    _tfs_objects(models ${chapter}.models "${model_sources}" SHORT_LOOPS TOGETHER)

    tfs_shared_library(${chapter}.library ${fast} ${models})
    target_link_libraries(${chapter}.library PUBLIC ${chapter}.given)
    string(SUBSTRING ${chapter} 3 -1 name)
    add_library(tfs::${name} ALIAS ${chapter}.library)
    # Later chapters may use this one; but the steps of chapter 00 the tensor layer has, too, and they use that.
    if(NOT chapter MATCHES "^00_")
        set(TFS_EARLIER_LIBRARIES ${TFS_EARLIER_LIBRARIES} ${chapter}.library CACHE INTERNAL "")
    endif()
    if(NOT PROJECT_IS_TOP_LEVEL)
        return()
    endif()

    # The program, on the solutions and on the learner's steps.
    _tfs_glob(program_sources chapters/${chapter}/program/*.cpp)
    _tfs_objects(program ${chapter}.timed "${timed_sources}")
    list(APPEND program_sources ${PROJECT_SOURCE_DIR}/common/main.cpp)
    _tfs_objects(program ${chapter}.program "${program_sources}" QUICK TOGETHER)
    _tfs_executable(${chapter} ${chapter}.given ${fast} ${models} ${program})
    _tfs_executable(${chapter}_mine ${chapter}.given ${mine} ${models} ${program})
    # On the learner's steps of every chapter: no library, which would bring the solutions.
    set(mine_all ${mine} ${models} ${given} ${TFS_EARLIER_MINE})
    _tfs_executable(${chapter}_mine_all "" ${mine_all} ${program})

    # What puts the steps into the models of earlier chapters, where the runner links it (tools/tutorial/mine_passed.cpp).
    set(in_models ${PROJECT_SOURCE_DIR}/chapters/${chapter}/in_models.cpp)
    if(EXISTS ${in_models})
        _tfs_objects(unused ${chapter}.in_models ${in_models})
        add_dependencies(suite_all_${chapter} ${chapter}.in_models)
    endif()

    # The checklist: a file for each step, what they share, and perhaps tests of the models. All of them together for the suite;
    # of the files of steps a single one for a learner's check.
    _tfs_glob(test_sources tests/${chapter}/*.cpp)
    set(shared_sources ${test_sources})
    list(FILTER shared_sources EXCLUDE REGEX "_test[.]cpp$")
    list(FILTER test_sources INCLUDE REGEX "_test[.]cpp$")
    _tfs_objects(checklist ${chapter}.checklist "${test_sources}" QUICK TOGETHER TESTS)
    _tfs_objects(shared ${chapter}.checklist_shared "${shared_sources}" QUICK TOGETHER TESTS)
    set(beside ${models} ${shared})
    set(libraries tfs_test_support ${chapter}.given)
    # What measures models and data and not steps, the fast side does; and no sanitizer what runs long there, over lines that others
    # run, too.
    string(JOIN ":" of_models "recording.is_what_the_shipped_model_gives" "date_reader.is_scored_by_what_it_writes"
        "small_stack.*" "insides.a_head_that_hands_on_nothing_*" "language_model.its_first_steps_*")
    string(JOIN ":" of_no_step "${of_models}" "insides.*" "it_sentences.*" "written_dates.*" "recording.*"
        "date_reader.knows_every_character_and_the_longest_text")
    set(all "*")
    if(TFS_SANITIZE)
        set(all "-${of_models}")
    endif()
    if("${fast}" STREQUAL "${readable}")
        _tfs_suite(${chapter} test checklist "${all}" "${libraries}" ${readable} ${beside} ${checklist})
    else()
        _tfs_suite(${chapter} test checklist "-${of_no_step}" "${libraries}" ${readable} ${beside} ${checklist})
        _tfs_suite(${chapter} test_fast checklist_fast "${all}" "${libraries}" ${fast} ${beside} ${checklist})
    endif()
    if(TARGET lessons_test)
        _tfs_test(${chapter}.lesson "${chapter};suite" lessons_test --gtest_filter=*${chapter}*)
        string(SUBSTRING ${chapter} 0 2 number)
        set_tests_properties(${chapter}.lesson PROPERTIES COST ${number})  # ctest begins with the longest
        add_dependencies(suite_${chapter} lessons_test ${chapter})
    endif()

    add_custom_target(checks_${chapter})
    foreach(step IN LISTS steps)
        tfs_solution(solution ${PROJECT_SOURCE_DIR}/solutions/${chapter}/${step}.cpp)
        set(own_test tests/${chapter}/${step}_test.cpp)
        if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${own_test})
            message(FATAL_ERROR "The step ${step} has no checklist: ${own_test} is missing")
        endif()
        set(check ${readable} ${beside})
        list(REMOVE_ITEM check $<TARGET_OBJECTS:${chapter}.solution.${step}>)
        _tfs_objects(check ${chapter}.test.${step} ${PROJECT_SOURCE_DIR}/${own_test} QUICK TESTS)
        _tfs_learners_file(learners ${chapter} ${step})
        list(PREPEND check ${learners})

        add_dependencies(checks_${chapter} ${chapter}.test.${step} ${chapter}.solution.${step})
        _tfs_executable(check_${chapter}_${step} "${libraries}" ${check})
        _tfs_learners(check_${chapter}_${step})

        # Only the learner's own file is instrumented, so that no more has to be compiled, and what is reported is hers.
        add_executable(sanitize_${chapter}_${step} EXCLUDE_FROM_ALL ${check})
        target_link_libraries(sanitize_${chapter}_${step} PRIVATE ${libraries})
        target_compile_options(sanitize_${chapter}_${step} PRIVATE -O0 -g -fsanitize=address,undefined
            -fno-omit-frame-pointer)
        target_compile_definitions(sanitize_${chapter}_${step} PRIVATE _GLIBCXX_ASSERTIONS)
        target_link_options(sanitize_${chapter}_${step} PRIVATE -fsanitize=address,undefined)
        _tfs_learners(sanitize_${chapter}_${step})

        # … and for a debugger, which steps through it alone.
        add_executable(debug_${chapter}_${step} EXCLUDE_FROM_ALL ${check} $<TARGET_OBJECTS:tfs_shown>)
        target_link_libraries(debug_${chapter}_${step} PRIVATE ${libraries})
        target_compile_options(debug_${chapter}_${step} PRIVATE -O0 -g)
        _tfs_learners(debug_${chapter}_${step})

        # All kept answers to the step in one file: of these the program of the mistakes chooses.
        set(answer ${PROJECT_BINARY_DIR}/answers/${chapter}/${step}.cpp)
        set(edits ${PROJECT_SOURCE_DIR}/tests/${chapter}/${step}.mistakes)
        add_custom_command(OUTPUT ${answer} COMMAND tfs_generate answers ${solution} ${answer} ${edits}
            DEPENDS tfs_generate ${solution} ${edits} VERBATIM)
        list(APPEND answers_sources ${answer})
        # … and the program of the records with which the runner compares the learner's: as her check, with the answers in her place.
        if(EXISTS ${PROJECT_SOURCE_DIR}/tests/${chapter}/${step}.mistakes)
            list(REMOVE_ITEM check ${learners})
            _tfs_objects(records ${chapter}.answers_to.${step} ${answer} QUICK TESTS)
            target_compile_options(${chapter}.answers_to.${step} PRIVATE -w)
            _tfs_executable(records_${chapter}_${step} "${libraries}" ${check}
                $<TARGET_OBJECTS:${chapter}.answers_to.${step}> $<TARGET_OBJECTS:tfs_records_main>)
        endif()
    endforeach()

    # The untouched stub of each step, of which only its own tests may fail, as "not started"; and the classic wrong answers,
    # of which each must fail its step with a message that names it. Compiled like a learner's step, and
    # all as one file: optimised, they would save no more than their compiling takes.
    _tfs_objects(answers ${chapter}.answers "${answers_sources}" QUICK TOGETHER TESTS)
    target_compile_options(${chapter}.answers PRIVATE -w)  # wrong answers may cause warnings
    _tfs_executable(${chapter}_mistakes "tfs_verdict;tfs_steps;${libraries}" ${answers} ${models} ${shared}
        $<TARGET_OBJECTS:tfs_mistakes_main> ${checklist})
    add_dependencies(suite_all_${chapter} ${chapter}_mistakes)
    foreach(step IN LISTS steps)
        _tfs_test(${chapter}.mistakes.${step} ${chapter} ${chapter}_mistakes ${step} --leave-out=${of_no_step})
    endforeach()

    if(TARGET ${chapter}.checklist_shared)
        add_dependencies(checks_${chapter} ${chapter}.checklist_shared)
    endif()
    if(NOT chapter MATCHES "^00_")
        set(TFS_EARLIER_MINE ${mine_all} CACHE INTERNAL "")
    endif()
endfunction()
