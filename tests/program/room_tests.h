// The tests of a room are one program: headers are read, templates instantiated and libraries
// linked once for many of them. The first argument names the test, what follows is Qt Test's:
// execute_tests test_pipeline -v2 a_slot.
#pragma once

namespace blockloom::test {

/// Adds a test to the program; made as a static object by the sources that cmake/GroupTests.cmake
/// writes.
struct RoomTest {
    /// `name` lives as long as the program; `main` is the test's own, as QTEST_MAIN or the source
    /// defines it.
    RoomTest(const char* name, int (*main)(int, char**));
};

} // namespace blockloom::test
