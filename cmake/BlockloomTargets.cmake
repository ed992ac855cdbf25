# The three kinds of target in the tree. A folder is a target: sources are found by name, so that adding a file
# needs no edit here, and CONFIGURE_DEPENDS makes a new file noticed by the next build.

add_library(blockloom_settings INTERFACE)
target_compile_features(blockloom_settings INTERFACE cxx_std_20)
target_compile_options(blockloom_settings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
if(CMAKE_UNITY_BUILD) # a source of a group is nobody's header, and names of the others are not its own
  target_compile_options(blockloom_settings INTERFACE -Wshadow=local -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlaps in std::string's own operator+ that are not there (GCC bug 105651).
  target_compile_options(blockloom_settings INTERFACE -Wno-restrict)
endif()
target_compile_definitions(blockloom_settings INTERFACE
  QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH)
if(BLOCKLOOM_SANITIZE)
  target_compile_options(blockloom_settings INTERFACE
    -fsanitize=${BLOCKLOOM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(blockloom_settings INTERFACE -fsanitize=${BLOCKLOOM_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code makes GCC see uses before a value, writes past an end, and null pointers that are not there;
    # the plain builds hold -Werror.
    target_compile_options(blockloom_settings INTERFACE
      -Wno-error=maybe-uninitialized -Wno-error=stringop-overflow -Wno-error=array-bounds -Wno-error=nonnull)
  endif()
endif()
# Tests, benchmarks and fuzz replays are many programs: lld links each in a tenth of GNU ld's time.
add_library(blockloom_fast_link INTERFACE)
find_program(BLOCKLOOM_LLD NAMES ld.lld PATHS /usr/lib/llvm-14/bin)
if(BLOCKLOOM_LLD AND NOT BLOCKLOOM_FUZZ)
  get_filename_component(folder ${BLOCKLOOM_LLD} DIRECTORY)
  target_link_options(blockloom_fast_link INTERFACE -B${folder} -fuse-ld=lld)
endif()
if(BLOCKLOOM_FUZZ)
  target_compile_options(blockloom_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Where this checkout and its programs are: a header of its own rather than a definition on every command line, so that
# a test that does not ask is the same to the compiler's cache in every clone.
set(BLOCKLOOM_PLACES ${PROJECT_BINARY_DIR}/places)
file(CONFIGURE OUTPUT ${BLOCKLOOM_PLACES}/places.h @ONLY CONTENT [[
// Made by CMake: where this checkout and its programs are.
#pragma once
#define BLOCKLOOM_SOURCE_DIR "@PROJECT_SOURCE_DIR@"
#define BLOCKLOOM_BIN_DIR "@CMAKE_RUNTIME_OUTPUT_DIRECTORY@"
]])

# The presets `release` and `asan` compile sources in groups (CMAKE_UNITY_BUILD), so that headers are read and templates
# instantiated once a group. The other presets compile each source by itself, which finds
# a missing include; names in anonymous namespaces are unique within a room.
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 6)
endif()

# blockloom_room(NAME [FOLDERS …] [LINK …]): engine/NAME as a static library; includes are written "NAME/file.h".
# FOLDERS are parts of the room with a folder of their own ("NAME/FOLDER/file.h").
function(blockloom_room name)
  cmake_parse_arguments(room "" "" "FOLDERS;LINK;PRIVATE_LINK" ${ARGN})
  set(patterns *.cpp *.h)
  foreach(folder ${room_FOLDERS})
    list(APPEND patterns ${folder}/*.cpp ${folder}/*.h)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  add_library(engine_${name} STATIC ${sources})
  set_target_properties(engine_${name} PROPERTIES LINKER_LANGUAGE CXX AUTOMOC OFF)
  target_include_directories(engine_${name} PUBLIC ${PROJECT_SOURCE_DIR}/engine)
  target_link_libraries(engine_${name} PUBLIC ${room_LINK} PRIVATE blockloom_settings ${room_PRIVATE_LINK})
  if(NOT BLOCKLOOM_FUZZ) # clang takes no header that was compiled with another visibility (engine/native)
    target_precompile_headers(engine_${name} REUSE_FROM engine_headers)
  endif()
endfunction()

# No test depends on the clock: a function takes as long as it takes, and a device that is slow under load is not lost.
# ctest's own time-out (CMakePresets.json) ends a test that would never end. No test reads or fills the user's folder of
# machine code: those that need one make their own.
set(BLOCKLOOM_TEST_ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=2147483647;BLOCKLOOM_TIMEOUT=86400s;BLOCKLOOM_CODE_CACHE=off")

# blockloom_tests(ROOM [LINK …] [LONG …] [ALONE …]): every tests/ROOM/test_*.cpp is one class of Qt Test and one ctest
# entry; together they are one program, ROOM_tests, whose first argument is the test (tests/program/room_tests.h). Where
# sources are compiled in groups, so are tests (cmake/GroupTests.cmake). Those that are ALONE are programs of their own,
# ROOM_test_…, because they replace operator new or include headers on a condition. Other sources of the folder are a
# library for all of them. A test includes "test_….moc" at its end: moc is called here, because AUTOMOC does not see
# through a group. LONG tests are begun first, so that none is left running alone at the end.
function(blockloom_tests room)
  cmake_parse_arguments(tests "" "" "LINK;LONG;ALONE" ${ARGN})
  file(GLOB programs CONFIGURE_DEPENDS test_*.cpp)
  file(GLOB shared CONFIGURE_DEPENDS *.cpp)
  list(REMOVE_ITEM shared ${programs})
  # As Qt has it, what a program links decides what <QtTest> brings.
  set(headers core)
  if("Qt6::Gui" IN_LIST tests_LINK)
    set(headers gui)
  elseif("blockloom_ui" IN_LIST tests_LINK)
    set(headers widgets)
  endif()
  set(parts)
  if(shared)
    set(parts ${room}_test_parts)
    add_library(${parts} STATIC ${shared})
    target_link_libraries(${parts} PUBLIC blockloom_test_settings ${tests_LINK})
    target_precompile_headers(${parts} REUSE_FROM test_headers_${headers})
  endif()

  set(together)
  foreach(source ${programs})
    get_filename_component(stem ${source} NAME_WE)
    if(NOT stem IN_LIST tests_ALONE)
      list(APPEND together ${stem})
    endif()
  endforeach()
  if(together)
    add_executable(${room}_tests)
    target_link_libraries(${room}_tests PRIVATE blockloom_test_program)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # a test that is included is taken for a header
      target_compile_options(${room}_tests PRIVATE -Wno-subobject-linkage)
    endif()
    set(size 1)
    if(BLOCKLOOM_GROUP_TESTS)
      set(size 8)
    endif()
    list(LENGTH together count)
    math(EXPR last "${count} - 1")
    foreach(begin RANGE 0 ${last} ${size})
      list(SUBLIST together ${begin} ${size} group)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/groups/group_${begin}.cpp)
      list(TRANSFORM group PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
      list(TRANSFORM sources APPEND .cpp)
      add_custom_command(OUTPUT ${file}
        COMMAND ${CMAKE_COMMAND} -DROOM=${room} -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR} "-DTESTS=${group}" -DOUT=${file}
          -P ${PROJECT_SOURCE_DIR}/cmake/GroupTests.cmake
        DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/GroupTests.cmake COMMENT "Grouping tests of ${room}" VERBATIM)
      target_sources(${room}_tests PRIVATE ${file})
    endforeach()
  else()
    add_custom_target(${room}_tests)
  endif()

  foreach(source ${programs})
    get_filename_component(stem ${source} NAME_WE)
    if(stem IN_LIST tests_ALONE)
      set(target ${room}_${stem})
      add_executable(${target} ${source})
      add_dependencies(${room}_tests ${target})
      set(command ${target})
    else()
      set(target ${room}_tests)
      set(command ${target} ${stem})
    endif()
    set(moc ${CMAKE_CURRENT_BINARY_DIR}/moc/${stem}.moc)
    set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>) # a test may stand in an #ifdef
    add_custom_command(OUTPUT ${moc}
      COMMAND Qt6::moc "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" -o ${moc} ${source}
      DEPENDS ${source} COMMAND_EXPAND_LISTS COMMENT "Reading the slots of ${room}/${stem}" VERBATIM)
    target_sources(${target} PRIVATE ${moc})
    add_test(NAME ${room}.${stem} COMMAND ${command})
    set_tests_properties(${room}.${stem} PROPERTIES LABELS ${room}
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_RUNTIME_DIR=${CMAKE_BINARY_DIR};XDG_DATA_HOME=${CMAKE_BINARY_DIR}/nobody;LC_ALL=C.UTF-8;${BLOCKLOOM_TEST_ENVIRONMENT}")
    # Tests that fork start threads in the child; Qt's own watchdog would fork to print stacks.
    if(BLOCKLOOM_SANITIZE MATCHES "thread")
      set_property(TEST ${room}.${stem} APPEND PROPERTY ENVIRONMENT
        "TSAN_OPTIONS=die_after_fork=0:suppressions=${PROJECT_SOURCE_DIR}/tests/thread_sanitizer.supp" "QTEST_DISABLE_STACK_DUMP=1")
    endif()
    if(stem IN_LIST tests_LONG)
      set_tests_properties(${room}.${stem} PROPERTIES COST 10)
    endif()
  endforeach()

  set(targets ${tests_ALONE})
  list(TRANSFORM targets PREPEND ${room}_)
  if(together)
    list(APPEND targets ${room}_tests)
  endif()
  foreach(target ${targets})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/moc)
    target_link_libraries(${target} PRIVATE ${parts} blockloom_test_settings ${tests_LINK})
    target_precompile_headers(${target} REUSE_FROM test_headers_${headers})
  endforeach()
endfunction()

# blockloom_bench(NAME [LINK …]): tests/bench/NAME.cpp, Google Benchmark; run by hand or `blockloom-cli bench`.
function(blockloom_bench name)
  cmake_parse_arguments(bench "" "" "LINK" ${ARGN})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
    return()
  endif()
  add_executable(bench_${name} ${name}.cpp)
  set_target_properties(bench_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
  target_include_directories(bench_${name} PRIVATE ${BLOCKLOOM_PLACES})
  target_link_libraries(bench_${name} PRIVATE blockloom_settings blockloom_fast_link benchmark::benchmark ${bench_LINK})
endfunction()

# blockloom_fuzz(NAME [LINK …]): tests/fuzz/NAME.cpp defines LLVMFuzzerTestOneInput. With the preset `fuzz` it is a
# libFuzzer program; otherwise a driver replays the seeds with seeded mutations, so that the target never rots.
function(blockloom_fuzz name)
  cmake_parse_arguments(fuzz "" "" "LINK" ${ARGN})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
    return()
  endif()
  if(BLOCKLOOM_FUZZ)
    add_executable(fuzz_${name} ${name}.cpp)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    if(NOT TARGET fuzz_replay)
      add_library(fuzz_replay OBJECT replay_main.cpp)
      target_link_libraries(fuzz_replay PRIVATE blockloom_settings)
    endif()
    add_executable(fuzz_${name} ${name}.cpp)
    target_link_libraries(fuzz_${name} PRIVATE fuzz_replay)
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${CMAKE_CURRENT_SOURCE_DIR}/seeds/${name})
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
  endif()
  add_dependencies(fuzz_tests fuzz_${name})
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  target_link_libraries(fuzz_${name} PRIVATE blockloom_settings blockloom_fast_link ${fuzz_LINK})
endfunction()
