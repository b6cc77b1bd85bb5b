# add_chapter(NN_name step...) defines, for one chapter:
#
#   NN_name                      the program, on the solutions (the fast ones where there are any)
#   NN_name_mine[_all]           the program on the learner's steps (of this chapter / of every chapter so far)
#   NN_name_test[_fast]          the checklist on the readable / the fast solutions
#   check_NN_name_STEP           the checklist with one of the learner's steps in place of the solution
#   stub_NN_name_STEP            … with the untouched stub of a step
#   mistake_NN_name_STEP.WHAT    … with tests/mistakes/NN_name/STEP.WHAT.cpp
#   NN_name.library              what later chapters link: the solutions (fast where there are any)
#
# The program, the checklist and each step are compiled once, as objects. Every executable names all its objects, one
# for each step, so a step that is missing from the learner's file is an error of the linker and is never filled in from
# the solution.

set(TFS_EARLIER_CHAPTERS "" CACHE INTERNAL "chapters added so far")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Source files as an object library; `tests` or `learners` after them chooses other precompiled headers.
function(_tfs_objects target source)
    add_library(${target} OBJECT ${source})
    target_link_libraries(${target} PRIVATE tfs_common)
    tfs_precompile(${target} ${ARGN})
endfunction()

# Writes to `out` the objects of every step, those of `replaced` replaced by the object library `by`.
function(_tfs_steps out side chapter steps replaced by)
    set(objects "")
    foreach(step IN LISTS steps)
        if(step STREQUAL replaced)
            list(APPEND objects $<TARGET_OBJECTS:${by}>)
        elseif(side STREQUAL "fast" AND TARGET ${chapter}.fast.${step})
            list(APPEND objects $<TARGET_OBJECTS:${chapter}.fast.${step}>)
        elseif(side STREQUAL "mine")
            list(APPEND objects $<TARGET_OBJECTS:${chapter}.mine.${step}>)
        else()
            list(APPEND objects $<TARGET_OBJECTS:${chapter}.solution.${step}>)
        endif()
    endforeach()
    set(${out} ${objects} PARENT_SCOPE)
endfunction()

function(_tfs_executable target)
    add_executable(${target} ${ARGN})
    target_link_libraries(${target} PRIVATE tfs_common)
endfunction()

function(add_chapter chapter)
    set(steps ${ARGN})
    set(solutions ${PROJECT_SOURCE_DIR}/solutions/${chapter})
    set(exercises ${PROJECT_SOURCE_DIR}/exercises/${chapter})
    set(mistakes ${PROJECT_SOURCE_DIR}/tests/mistakes/${chapter})
    string(REGEX MATCH "^[0-9]+" padded ${chapter})
    math(EXPR number "${padded}")
    set(earlier "")
    set(earlier_mine "")
    foreach(other IN LISTS TFS_EARLIER_CHAPTERS)
        list(APPEND earlier ${other}.library)
        list(APPEND earlier_mine ${other}.library_mine)
    endforeach()

    # The program and the checklist, compiled once.
    file(GLOB program_sources CONFIGURE_DEPENDS chapters/${chapter}/*.cpp)
    _tfs_objects(${chapter}.program "${program_sources}")
    target_compile_options(${chapter}.program PRIVATE ${TFS_QUICK_TO_COMPILE})
    _tfs_objects(${chapter}.checklist tests/${chapter}_test.cpp tests)
    target_link_libraries(${chapter}.checklist PRIVATE tfs_test_support)

    # What the steps are given beside the contract, part of every program, checklist and library.
    set(given "")
    file(GLOB given_sources CONFIGURE_DEPENDS chapters/${chapter}/given/*.cpp)
    if(given_sources)
        _tfs_objects(${chapter}.given "${given_sources}")
        set(given $<TARGET_OBJECTS:${chapter}.given>)
    endif()

    # Each step: the solution, its fast twin, the learner's. The globs only see to it that a file that appears or
    # disappears configures anew.
    file(GLOB unused CONFIGURE_DEPENDS ${solutions}/*.cpp)
    file(GLOB unused CONFIGURE_DEPENDS ${exercises}/*.cpp)
    set(index 0)
    foreach(step IN LISTS steps)
        math(EXPR index "${index} + 1")
        set(id ${number}.${index})
        file(STRINGS ${solutions}/${step}.cpp banner LIMIT_COUNT 1)
        if(NOT banner MATCHES "^// Step ${number}\\.${index} ")
            message(FATAL_ERROR "solutions/${chapter}/${step}.cpp must begin with \"// Step ${id} \", as CMakeLists.txt counts it")
        endif()
        set(id_${step} ${id})
        _tfs_objects(${chapter}.solution.${step} ${solutions}/${step}.cpp)
        if(EXISTS ${solutions}/${step}.fast.cpp)
            _tfs_objects(${chapter}.fast.${step} ${solutions}/${step}.fast.cpp)
        endif()
        set(learners ${exercises}/${step}.cpp)
        if(NOT EXISTS ${learners})
            message(WARNING "exercises/${chapter}/${step}.cpp is missing; ./tutorial reset ${id} brings it back")
            file(WRITE ${PROJECT_BINARY_DIR}/missing/${chapter}/${step}.cpp "// nothing: the step's file is missing\n")
            set(learners ${PROJECT_BINARY_DIR}/missing/${chapter}/${step}.cpp)
        endif()
        # A function that forgets to return would crash instead of failing its check; an optional read while empty or an
        # index out of range would give any value.
        _tfs_objects(${chapter}.mine.${step} ${learners} learners)
        target_compile_options(${chapter}.mine.${step} PRIVATE -Werror=return-type -Werror=unused-result)
        target_compile_definitions(${chapter}.mine.${step} PRIVATE _GLIBCXX_ASSERTIONS)
        set_target_properties(${chapter}.mine.${step} PROPERTIES EXCLUDE_FROM_ALL ON TFS_STEP_TO_DO ON TFS_LEARNERS ON)
    endforeach()

    _tfs_steps(readable readable ${chapter} "${steps}" "" "")
    _tfs_steps(fast fast ${chapter} "${steps}" "" "")
    _tfs_steps(mine mine ${chapter} "${steps}" "" "")
    add_library(${chapter}.library STATIC ${fast} ${given})
    target_link_libraries(${chapter}.library PUBLIC ${earlier} tfs_common)
    add_library(${chapter}.library_mine STATIC EXCLUDE_FROM_ALL ${mine} ${given})
    target_link_libraries(${chapter}.library_mine PUBLIC ${earlier_mine} tfs_common)

    # The program, on the solutions and on the learner's steps.
    set(program $<TARGET_OBJECTS:${chapter}.program> ${given})
    _tfs_executable(${chapter} ${program} ${fast})
    target_link_libraries(${chapter} PRIVATE ${earlier})
    _tfs_executable(${chapter}_mine ${program} ${mine})
    target_link_libraries(${chapter}_mine PRIVATE ${earlier})
    _tfs_executable(${chapter}_mine_all ${program} ${mine})
    target_link_libraries(${chapter}_mine_all PRIVATE ${earlier_mine})
    set_target_properties(${chapter}_mine ${chapter}_mine_all PROPERTIES EXCLUDE_FROM_ALL ON)

    # The checklist, on both solutions.
    set(checklist $<TARGET_OBJECTS:${chapter}.checklist> $<TARGET_OBJECTS:tfs_checklist_main> ${given})
    _tfs_executable(${chapter}_test ${checklist} ${readable})
    target_link_libraries(${chapter}_test PRIVATE tfs_test_support ${earlier})
    add_test(NAME ${chapter}.checklist COMMAND ${chapter}_test)
    if(NOT "${fast}" STREQUAL "${readable}")
        _tfs_executable(${chapter}_test_fast ${checklist} ${fast})
        target_link_libraries(${chapter}_test_fast PRIVATE tfs_test_support ${earlier})
        add_test(NAME ${chapter}.checklist_fast COMMAND ${chapter}_test_fast)
    endif()

    foreach(step IN LISTS steps)
        # The learner's step among the solution's other steps.
        _tfs_steps(objects readable ${chapter} "${steps}" ${step} ${chapter}.mine.${step})
        _tfs_executable(check_${chapter}_${step} ${checklist} ${objects})
        target_link_libraries(check_${chapter}_${step} PRIVATE tfs_test_support ${earlier})
        set_target_properties(check_${chapter}_${step} PROPERTIES EXCLUDE_FROM_ALL ON)

        # The stub, made from the solution: it compiles, and only its own step fails, as "not started".
        set(stub ${PROJECT_BINARY_DIR}/stubs/${chapter}/${step}.cpp)
        add_custom_command(OUTPUT ${stub}
            COMMAND ${PROJECT_SOURCE_DIR}/tools/make_exercises ${solutions}/${step}.cpp ${stub}
            DEPENDS ${solutions}/${step}.cpp ${PROJECT_SOURCE_DIR}/tools/make_exercises VERBATIM)
        _tfs_objects(${chapter}.stub.${step} ${stub})
        set_target_properties(${chapter}.stub.${step} PROPERTIES TFS_STEP_TO_DO ON)
        _tfs_steps(objects readable ${chapter} "${steps}" ${step} ${chapter}.stub.${step})
        _tfs_executable(stub_${chapter}_${step} ${checklist} ${objects})
        target_link_libraries(stub_${chapter}_${step} PRIVATE tfs_test_support ${earlier})
        add_test(NAME ${chapter}.stub.${step} COMMAND stub_${chapter}_${step} --expect-not-started=${id_${step}})

        # The classic wrong answers: each must fail its step with a message that names it.
        file(GLOB wrong CONFIGURE_DEPENDS ${mistakes}/${step}.*.cpp)
        foreach(source IN LISTS wrong)
            get_filename_component(name ${source} NAME_WLE)
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
            file(STRINGS ${source} expectation REGEX "^// The checklist must say: " LIMIT_COUNT 1)
            string(REGEX REPLACE "^// The checklist must say: \"(.*)\"$" "\\1" must_say "${expectation}")
            if(must_say STREQUAL "" OR must_say STREQUAL expectation)
                message(FATAL_ERROR "${source} needs a line: // The checklist must say: \"…\"")
            endif()
            _tfs_objects(${chapter}.mistake.${name} ${source})
            set_target_properties(${chapter}.mistake.${name} PROPERTIES TFS_STEP_TO_DO ON)
            _tfs_steps(objects readable ${chapter} "${steps}" ${step} ${chapter}.mistake.${name})
            _tfs_executable(mistake_${chapter}_${name} ${checklist} ${objects})
            target_link_libraries(mistake_${chapter}_${name} PRIVATE tfs_test_support ${earlier})
            add_test(NAME ${chapter}.mistake.${name}
                COMMAND mistake_${chapter}_${name} --expect-mistake=${id_${step}} "--must-say=${must_say}")
        endforeach()
    endforeach()

    # Later chapters may use this one.
    set(TFS_EARLIER_CHAPTERS ${TFS_EARLIER_CHAPTERS} ${chapter} CACHE INTERNAL "chapters added so far")
endfunction()
