// Handles LLVM running out of memory.
#pragma once

namespace blockloom::native {

/// LLVM is built without exceptions: one that passed through it would leave its locks held. While
/// an object of this class lives, running out of memory on this thread ends the process with a
/// message on standard error and exit status 3, which the command line uses for system errors; so
/// do LLVM's own fatal errors. No state is lost: a block is one atomic write.
class CompilerMemory {
public:
    CompilerMemory() noexcept;
    ~CompilerMemory();
    CompilerMemory(const CompilerMemory&) = delete;
    CompilerMemory& operator=(const CompilerMemory&) = delete;
};

} // namespace blockloom::native
