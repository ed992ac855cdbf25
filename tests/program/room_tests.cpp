#include "program/room_tests.h"

#include <cstdio>
#include <map>
#include <string>

namespace blockloom::test {
namespace {

/// Local, because the order in which static objects of several sources are made is open.
auto& tests() {
    static std::map<std::string, int (*)(int, char**)> all;
    return all;
}

} // namespace

RoomTest::RoomTest(const char* name, int (*main)(int, char**)) {
    tests().emplace(name, main);
}

} // namespace blockloom::test

int main(int argc, char** argv) {
    const auto& tests = blockloom::test::tests();
    const auto test = argc > 1 ? tests.find(argv[1]) : tests.end();
    if (test == tests.end()) {
        std::fprintf(stderr, "usage: %s TEST [argument of Qt Test]…\ntests:\n", argv[0]);
        for (const auto& [name, unused] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    // The test's name becomes argv[0], from which Qt takes the application's name: each test has
    // its own settings.
    return test->second(argc - 1, argv + 1);
}
