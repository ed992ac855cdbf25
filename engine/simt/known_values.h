// Values that value rules may return, found by owner and key.
#pragma once

#include "gpuvm/invocation.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::simt {

/// Of one batch; immutable while lanes run.
class KnownValues {
public:
    /// `inputs` outlive it. `compute::misused` if a value lies outside their bytes.
    [[nodiscard]] Status take(const gpuvm::Inputs& inputs);
    /// Null: unknown.
    [[nodiscard]] const gpuvm::KnownValue* find(std::uint32_t owner, ByteView key) const;
    [[nodiscard]] ByteView bytes(const gpuvm::Piece& piece) const {
        return ByteView(bytes_).subspan(piece.offset, piece.bytes);
    }
    [[nodiscard]] bool empty() const noexcept { return values_.empty(); }

private:
    Bytes bytes_;
    std::vector<gpuvm::KnownValue> values_; ///< by owner and key, ascending
};

} // namespace blockloom::simt
