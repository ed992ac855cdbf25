// Digests of blocks and states (docs/state.md#digests): SHA-256 over pairs sorted by key bytes,
// each as u32 LE length, key, u32 LE length, value; absence is the length 0xffffffff.
#pragma once

#include "base/sha256.h"
#include "state/block_changes.h"
#include "state/value.h"

#include <array>
#include <span>
#include <string_view>

namespace blockloom::state {

/// Takes pairs in the order of key bytes.
class DigestStream {
public:
    void add(std::string_view key, const Value& value);
    /// Any bytes count as a value here: for a cursor that only has a view.
    void add_present(std::string_view key, std::string_view value);
    /// The digest; the stream cannot be used afterwards.
    [[nodiscard]] Hash256 finish() {
        flush();
        return stream_.finish();
    }

private:
    /// `length`: of the value, or what stands for its absence.
    void add_pair(std::string_view key, std::uint32_t length, std::string_view value);
    void flush();

    /// A call of the hash costs as much as some bytes.
    static constexpr std::size_t buffered = 4096;

    Sha256Stream stream_;
    std::array<char, buffered> buffer_;
    std::size_t used_ = 0;
};

/// `digest` of a block: the changed keys with their new values.
[[nodiscard]] Hash256 block_digest(std::span<const Change> changes);

} // namespace blockloom::state
