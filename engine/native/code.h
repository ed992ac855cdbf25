// Machine code of a register program, through LLVM (docs/native.md).
#pragma once

#include "base/result.h"
#include "wasm/program.h"

#include <cstdint>
#include <memory>
#include <stop_token>

namespace blockloom::native {

struct CodeImage; // code_image.h

/// How much time LLVM takes. `quick` code is ready four times sooner and runs at two fifths of the
/// speed of `optimised` code (docs/performance.md); the results are the same.
enum class Tier : std::uint8_t { quick, optimised };

/// `none` omits the bounds checks of loads and stores, as code for guard pages would: only to
/// measure the cost of the checks (bench_wasm), on programs that stay inside their memory.
enum class MemoryChecks : std::uint8_t { all, none };

/// Immutable; shared by instances and threads.
class NativeCode {
public:
    explicit NativeCode(std::unique_ptr<const CodeImage> image);
    ~NativeCode();

    [[nodiscard]] const wasm::Program& program() const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept; ///< size of the linked object
    [[nodiscard]] Tier tier() const noexcept;
    [[nodiscard]] const CodeImage& image() const noexcept { return *image_; }

private:
    std::unique_ptr<const CodeImage> image_;
};

/// Compiles all functions, or loads what was kept (kept_code.h). Fails if the program exceeds a
/// limit of the compiler (unavailable), this machine has no memory for the code (system), or a stop
/// was requested (cancelled); takes seconds for a module of some hundred kB. If LLVM itself runs
/// out of memory, the process ends (compiler_memory.h).
[[nodiscard]] Result<std::shared_ptr<const NativeCode>>
compile(std::shared_ptr<const wasm::Program> program, const std::stop_token& stop = {},
        Tier tier = Tier::optimised, MemoryChecks checks = MemoryChecks::all);

/// Whether a thread of this process is compiling: LLVM cannot be interrupted.
[[nodiscard]] bool is_compiling() noexcept;

} // namespace blockloom::native
