// Access sets of a block as flat arrays (structure of arrays, CSR): the input of every analysis.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::trace {

using KeyId = std::uint32_t;  ///< dense, 0-based, within one block's trace
using TaskId = std::uint32_t; ///< place in block order, 0-based

/// How a task accesses a key. A key that is read and written counts as two accesses
/// (docs/definitions.md#access-sets).
enum class Mode : std::uint32_t { read = 1, write = 2, read_write = 3 };

/// One task's access to one key, in 4 bytes: at most 2^30 keys a trace. A task holds each key at
/// most once.
class Access {
public:
    Access() = default;
    constexpr Access(KeyId key, Mode mode) noexcept
        : packed_((key << 2) | static_cast<std::uint32_t>(mode)) {}

    [[nodiscard]] constexpr KeyId key() const noexcept { return packed_ >> 2; }
    [[nodiscard]] constexpr Mode mode() const noexcept { return static_cast<Mode>(packed_ & 3); }
    [[nodiscard]] constexpr bool reads() const noexcept { return (packed_ & 1) != 0; }
    [[nodiscard]] constexpr bool writes() const noexcept { return (packed_ & 2) != 0; }
    /// 1, or 2 for a key that is read and written.
    [[nodiscard]] constexpr std::uint32_t count() const noexcept {
        return (packed_ & 1) + ((packed_ >> 1) & 1);
    }
    friend constexpr bool operator==(Access, Access) = default;

private:
    std::uint32_t packed_ = 0;
};

inline constexpr KeyId max_keys = KeyId{1} << 30;

/// The access sets of all tasks of a block. Task t's accesses are accesses[begin[t]] …
/// accesses[begin[t+1]-1], in any order, no key twice.
struct AccessSets {
    std::vector<std::uint32_t> begin{0}; ///< tasks + 1 entries, begin[0] = 0
    std::vector<Access> accesses;
    KeyId key_count = 0; ///< every key id is below it

    [[nodiscard]] TaskId tasks() const noexcept { return static_cast<TaskId>(begin.size() - 1); }
    [[nodiscard]] std::span<const Access> of(TaskId task) const noexcept {
        return std::span(accesses).subspan(begin[task], begin[task + 1] - begin[task]);
    }
};

} // namespace blockloom::trace
