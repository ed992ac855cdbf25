// How the versions of metashrew keep a key's values: a chain of entries, one a write, each with its
// height (docs/metashrew.md#layouts). Pure functions of bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::store {

enum class NodeLayout : std::uint8_t {
    v8,        ///< up to 8.8.4: binary, the height behind the value
    v9,        ///< 9.0: text "HEIGHT:HEX"
    v9_hashes, ///< a branch of 9.0: text "height:HEX of the block hash:HEX"
    v10,       ///< 10.0: binary, the height before the value
};

/// "v9 (text)".
[[nodiscard]] std::string_view text_of(NodeLayout layout) noexcept;

/// The key of the number of entries of `key`'s chain.
[[nodiscard]] std::string count_key(NodeLayout layout, std::string_view key);
/// The key of entry `index` of the chain.
[[nodiscard]] std::string entry_key(NodeLayout layout, std::string_view key, std::uint64_t index);

/// The number of entries; nothing if these bytes are none.
[[nodiscard]] std::optional<std::uint64_t> count_from(NodeLayout layout, std::string_view bytes);

/// An entry; views of its bytes.
struct ChainEntry {
    std::uint32_t height = 0;
    std::string_view block;  ///< v9_hashes: 16 hexadecimal digits of the block's hash
    std::string_view stored; ///< the value as it is stored
};
/// Nothing if these bytes are no entry.
[[nodiscard]] std::optional<ChainEntry> entry_from(NodeLayout layout, std::string_view bytes);
/// The value; nothing if it is not hexadecimal where it should be.
[[nodiscard]] std::optional<std::string> value_of(NodeLayout layout, const ChainEntry& entry);

/// The layout of a chain by the bytes of its first entry in the layouts since v9 (`slashed`) or in
/// v8 (`binary`), if its value has `size` bytes. Nothing: none of them.
[[nodiscard]] std::optional<NodeLayout> layout_of_entry(const std::optional<std::string>& slashed,
                                                        const std::optional<std::string>& binary,
                                                        std::size_t size);

} // namespace blockloom::store
