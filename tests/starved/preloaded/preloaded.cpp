// The preloaded form: BLOCKLOOM_FAIL="memory@17" lets the 17th allocation fail after `main` has
// begun ("memory@17+": those after it, too); BLOCKLOOM_FAIL_COUNTS=FILE keeps how many calls of
// each kind a run made.
#include "starved/failing_calls.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

using blockloom::test::CallKind;

using Main = int (*)(int, char**, char**);
Main own_main = nullptr;

void begin() noexcept {
    CallKind kind = CallKind::memory;
    std::uint64_t number = 0;
    bool lasting = false;
    if (const char* const wish = std::getenv("BLOCKLOOM_FAIL")) {
        for (const CallKind each : blockloom::test::call_kinds) {
            const std::size_t length = std::strlen(name_of(each));
            if (std::strncmp(wish, name_of(each), length) != 0 || wish[length] != '@') continue;
            char* end = nullptr;
            kind = each;
            number = std::strtoull(wish + length + 1, &end, 10);
            lasting = *end == '+';
        }
    }
    blockloom::test::fail_call(kind, number, lasting);
}

int counted_main(int count, char** arguments, char** environment) {
    begin();
    const int status = own_main(count, arguments, environment);
    blockloom::test::fail_no_more();
    if (const char* const file = std::getenv("BLOCKLOOM_FAIL_COUNTS")) {
        char text[256];
        int size = 0;
        for (const CallKind kind : blockloom::test::call_kinds)
            size += std::snprintf(text + size, sizeof text - static_cast<std::size_t>(size),
                                  "%s %llu\n", name_of(kind),
                                  static_cast<unsigned long long>(calls_made(kind)));
        const int to = ::open(file, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        (void)!::write(to, text, static_cast<std::size_t>(size));
        ::close(to);
    }
    return status;
}

} // namespace

// Static initialisation, of LLVM's libraries above all, is not the program's: no call fails before
// `main`.
extern "C" int __libc_start_main(Main entry, int count, char** arguments, void (*init)(),
                                 void (*fini)(), void (*at_exit)(), void* stack) {
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
    own_main = entry;
    return start(counted_main, count, arguments, init, fini, at_exit, stack);
}
