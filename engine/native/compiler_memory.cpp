#include "native/compiler_memory.h"

#include <cstdlib>
#include <cstring>
#include <llvm/Support/ErrorHandling.h>
#include <new>
#include <unistd.h>

namespace blockloom::native {
namespace {

thread_local unsigned inside = 0; ///< how many live on this thread
std::new_handler before = nullptr;

void say(const char* text) noexcept {
    (void)!::write(STDERR_FILENO, text, std::strlen(text));
}

/// Allocates nothing.
[[noreturn]] void end_process(const char* why) noexcept {
    constexpr int status = 3; // ErrorCode::system
    say("blockloom: error: native compiler: ");
    say(why);
    say("; committed blocks are kept; --engine interpreter needs less memory\n");
    std::_Exit(status);
}

void on_fatal_error(void*, const char* why, bool) {
    end_process(why);
}

void on_no_memory() {
    if (inside != 0) end_process("out of memory");
    if (before == nullptr) throw std::bad_alloc();
    before();
}

/// For the whole process, once.
struct Handlers {
    Handlers() noexcept {
        llvm::install_bad_alloc_error_handler(on_fatal_error);
        llvm::install_fatal_error_handler(on_fatal_error);
        before = std::set_new_handler(on_no_memory);
    }
};

} // namespace

CompilerMemory::CompilerMemory() noexcept {
    static const Handlers handlers;
    ++inside;
}

CompilerMemory::~CompilerMemory() {
    --inside;
}

} // namespace blockloom::native
