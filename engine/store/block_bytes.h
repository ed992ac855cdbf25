// How a block's record and its undo are stored: little-endian integers, lengths before bytes.
#pragma once

#include "store/block_record.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::store {

/// A key that sorts by height: 8 bytes, big-endian.
[[nodiscard]] std::string height_key(std::uint64_t height);

/// Hash, previous hash, digest (32 each), changed keys u64, tip before (u8 0 or 1, u64), extra to
/// the end. The height is the key.
[[nodiscard]] std::string record_bytes(const BlockRecord& record);
[[nodiscard]] std::optional<BlockRecord> record_from(std::uint64_t height, std::string_view bytes);

/// For each changed key: u32 length, key, u32 length, value before; absence as length 0xffffffff.
[[nodiscard]] std::string undo_bytes(std::span<const state::Change> changes);

/// Calls `restore(key, value before)` for each; false if the bytes are damaged.
[[nodiscard]] bool
read_undo(std::string_view bytes,
          const std::function<void(std::string_view, std::optional<std::string_view>)>& restore);

} // namespace blockloom::store
