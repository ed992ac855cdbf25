// What happens when LLVM finds no memory.
#pragma once

namespace blockloom::native {

/// LLVM is built without exceptions: one that passed through it would leave its locks taken. While
/// one of these lives, memory that is not there for this thread ends the process with a sentence on
/// standard error and exit status 3, as the command line has it for what the system refuses; so do
/// LLVM's own fatal errors. No state is lost: a block is one atomic write.
class CompilerMemory {
public:
    CompilerMemory() noexcept;
    ~CompilerMemory();
    CompilerMemory(const CompilerMemory&) = delete;
    CompilerMemory& operator=(const CompilerMemory&) = delete;
};

} // namespace blockloom::native
