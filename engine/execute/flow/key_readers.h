// Which tasks of a flow read which keys, so that a write is compared with the reads that it may
// have changed and with no others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace blockloom::execute {

/// Maps the hash of a key to tasks, by their place in the round. Any worker adds and looks at any
/// time. Keys may share a list: a reader too many is compared for nothing. Keeps its memory.
class KeyReaders {
public:
    KeyReaders();
    ~KeyReaders();
    KeyReaders(const KeyReaders&) = delete;
    KeyReaders& operator=(const KeyReaders&) = delete;

    /// Forgets everything. Nobody may be using it.
    void begin() noexcept { ++generation_; }

    void add(std::uint64_t hash, std::uint32_t place);
    /// Calls `found(place)` for each reader above `place`, some of them several times. It must not
    /// call this object.
    template <typename Found>
    void each_above(std::uint32_t place, std::uint64_t hash, const Found& found) const {
        const List list = lock(hash);
        for (std::size_t i = 0; i < list.count; ++i)
            if (list.places[i] > place) found(list.places[i]);
        unlock(hash);
    }

private:
    struct Shard;
    struct List {
        const std::uint32_t* places;
        std::size_t count;
    };
    [[nodiscard]] List lock(std::uint64_t hash) const;
    void unlock(std::uint64_t hash) const noexcept;
    [[nodiscard]] Shard& shard_of(std::uint64_t hash) const noexcept;

    std::unique_ptr<Shard[]> shards_;
    std::uint32_t generation_ = 1;
};

} // namespace blockloom::execute
