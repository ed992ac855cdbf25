// Which blocks of a program ran, as code of this processor records it: the rest of the program need
// not be translated for a GPU.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wasm/program.h"

#include <atomic>
#include <vector>

namespace blockloom::native {

/// Written by lanes while they run, read by any thread.
class RanBlocks {
public:
    explicit RanBlocks(const wasm::Program& program) : bytes_(program.code.size()) {}

    /// By instruction: whether a block that begins there has run.
    [[nodiscard]] std::vector<bool> so_far() const;
    /// A byte an instruction: code sets that of a block's first one when it begins the block.
    [[nodiscard]] const void* bytes() const noexcept { return bytes_.data(); }

private:
    std::vector<std::atomic<Byte>> bytes_;
    static_assert(sizeof(std::atomic<Byte>) == 1);
};

/// By instruction: whether the block that it is in has run. Fails as `ControlGraph::of`.
[[nodiscard]] Result<std::vector<bool>> live_instructions(const wasm::Program& program,
                                                          const std::vector<bool>& ran);

} // namespace blockloom::native
