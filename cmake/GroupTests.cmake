# Writes one source that includes several tests: cmake -DROOM=… -DFOLDER=… -DTESTS="test_a;test_b" -DOUT=… -P GroupTests.cmake
# Each test keeps its names to itself: it is included in a namespace of its own, after all the headers that the tests
# of the group include, so that none of them is read inside the namespace. A test whose names lie in blockloom::ROOM
# has that namespace in its source (blockloom::ROOM::test_a). What QTEST_MAIN defines gets another name.
set(headers)
set(body)
foreach(test IN LISTS TESTS)
  set(source ${FOLDER}/${test}.cpp)
  file(STRINGS ${source} includes REGEX "^#include ")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^#include ([<\"][^>\"]+[>\"]).*" "\\1" header "${line}")
    if(header MATCHES "\\.moc\"$")
      continue()
    endif()
    string(REGEX REPLACE "[<>\"]" "" file "${header}")
    if(EXISTS ${FOLDER}/${file}) # beside the test
      set(header "\"${ROOM}/${file}\"")
    endif()
    list(APPEND headers "${header}")
  endforeach()
  file(STRINGS ${source} own REGEX "^namespace blockloom::[a-z:]+::${test} {")
  string(APPEND body "\n#define main main_of_${test}\n")
  if(own)
    string(APPEND body "#include \"${ROOM}/${test}.cpp\"\n#undef main\n"
      "static const blockloom::test::RoomTest added_${test}(\"${test}\", &main_of_${test});\n")
  else()
    string(APPEND body "namespace ${test} {\n#include \"${ROOM}/${test}.cpp\"\n}\n#undef main\n"
      "static const blockloom::test::RoomTest added_${test}(\"${test}\", &${test}::main_of_${test});\n")
  endif()
endforeach()
list(REMOVE_DUPLICATES headers)
list(TRANSFORM headers PREPEND "#include ")
list(JOIN headers "\n" headers)
set(text "// Made by cmake/GroupTests.cmake.\n#include \"program/room_tests.h\"\n${headers}\n${body}")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT text STREQUAL "${old}") # a test that changes inside costs no new grouping
  file(WRITE ${OUT} "${text}")
endif()
