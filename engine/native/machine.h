// Turns LLVM IR into machine code in memory.
#pragma once

#include "native/code.h"
#include "native/code_region.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <string>

namespace blockloom::native {

/// What code is made for.
struct Processor {
    std::string triple, name, features;
};
[[nodiscard]] Processor this_processor();

/// For this machine's processor.
[[nodiscard]] Result<std::unique_ptr<llvm::TargetMachine>> make_target(Tier tier);

/// Runs the passes that pay off for code that somebody is waiting for.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

/// The module as an object file.
[[nodiscard]] Result<std::unique_ptr<llvm::MemoryBuffer>> emit(llvm::Module& module,
                                                               llvm::TargetMachine& target);

/// The largest frame of the object's functions in bytes, from its section of stack sizes.
[[nodiscard]] std::uint64_t most_frame_bytes(const llvm::MemoryBuffer& object);

/// Places code in memory that it keeps.
struct Linker {
    std::unique_ptr<CodeRegion> region;
    std::string why; ///< the first thing that went wrong while it linked; empty: nothing did
    std::unique_ptr<llvm::orc::LLJIT> jit; ///< destroyed before what it uses
};

/// For code that needs at most `bytes`. It prints nothing.
[[nodiscard]] Result<std::unique_ptr<Linker>> make_linker(std::size_t bytes);

} // namespace blockloom::native
