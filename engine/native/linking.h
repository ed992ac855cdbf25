// Machine code in memory from the object files of a module.
#pragma once

#include "native/code.h"

#include <llvm/Support/MemoryBuffer.h>
#include <memory>
#include <vector>

namespace blockloom::native {

using Object = std::unique_ptr<llvm::MemoryBuffer>;

/// Links objects that `compile` made of this program in this tier. Pages are writable until they
/// are executable, and never both. Fails if this machine has no memory for them.
[[nodiscard]] Result<std::shared_ptr<const NativeCode>>
link_objects(std::shared_ptr<const wasm::Program> program, Tier tier, std::vector<Object> objects);

} // namespace blockloom::native
