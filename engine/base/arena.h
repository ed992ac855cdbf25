// Memory for what is made together and dropped together.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace blockloom {

/// Large allocations that arenas share which are dropped at about the same time. Each lasts as long
/// as an arena that lies in it: so never for arenas of which some are kept much longer than others.
/// One thread takes from it; arenas may be dropped by others.
class ArenaSlabs {
public:
    ArenaSlabs() noexcept = default;
    ArenaSlabs(const ArenaSlabs&) = delete;
    ArenaSlabs& operator=(const ArenaSlabs&) = delete;
    ~ArenaSlabs() {
        if (slab_ != nullptr) slab_->disown();
    }

private:
    friend class Arena;
    struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) Slab {
        std::atomic<std::size_t> owners{1};
        void disown() noexcept;
    };
    static constexpr std::size_t slab_size = std::size_t{64} << 10U;

    /// An aligned part, and whose it is; null for more than a slab has.
    [[nodiscard]] std::pair<std::byte*, Slab*> take(std::size_t size);

    Slab* slab_ = nullptr;
    std::byte* at_ = nullptr;
    std::size_t left_ = 0;
};

/// Hands out parts of few, large allocations, which end with the arena. Moving an arena leaves what
/// lies in it where it is. A copy is empty: what lies in an arena is copied by whom it belongs to
/// (flat_list.h).
class Arena {
public:
    Arena() noexcept = default;
    /// `room` is allocated on first use; more, if that turns out to be too little.
    explicit Arena(std::size_t room) noexcept : next_room_(room) {}
    /// The same in a slab, if there are some.
    Arena(std::size_t room, ArenaSlabs* slabs);
    Arena(const Arena&) noexcept {}
    Arena(Arena&& other) noexcept { swap(other); }
    Arena& operator=(const Arena& other) noexcept {
        if (this != &other) drop();
        return *this;
    }
    Arena& operator=(Arena&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Arena() { drop(); }

    /// Memory that is aligned for every type.
    [[nodiscard]] void* allocate(std::size_t size) {
        size = rounded(size);
        if (size > left_) add_chunk(size);
        std::byte* const memory = at_;
        at_ += size;
        left_ -= size;
        return memory;
    }
    /// What `allocate` takes for this size.
    [[nodiscard]] static constexpr std::size_t rounded(std::size_t size) noexcept {
        return (size + alignment - 1) / alignment * alignment;
    }

    /// Destroys these items when the arena ends.
    template <typename T> void destroy_at_end(T* items, std::size_t count) {
        auto* const ending = static_cast<Ending*>(allocate(sizeof(Ending)));
        *ending = {endings_, items, count, [](void* first, std::size_t of) {
                       for (T* item = static_cast<T*>(first); of > 0; --of, ++item) item->~T();
                   }};
        endings_ = ending;
    }

    /// Forgets everything that lies in it; keeps the largest chunk.
    void reset() noexcept;

    /// A point in the order in which memory was handed out.
    class Mark;
    [[nodiscard]] Mark mark() const noexcept;
    /// Forgets everything since then.
    void rewind(const Mark& mark) noexcept;

    /// Of all chunks.
    [[nodiscard]] std::size_t size() const noexcept;

private:
    static constexpr std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    static constexpr std::size_t smallest_chunk = 1024, largest_doubled = std::size_t{1} << 20U;

    struct alignas(alignment) Chunk {
        Chunk* before;
        std::size_t room;
        ArenaSlabs::Slab* slab; ///< null: an allocation of its own
    };
    struct Ending {
        Ending* before;
        void* items;
        std::size_t count;
        void (*destroy)(void*, std::size_t);
    };

    void swap(Arena& other) noexcept {
        std::swap(chunk_, other.chunk_);
        std::swap(at_, other.at_);
        std::swap(left_, other.left_);
        std::swap(next_room_, other.next_room_);
        std::swap(endings_, other.endings_);
    }
    void add_chunk(std::size_t size);
    void begin_chunk(std::byte* memory, std::size_t room, ArenaSlabs::Slab* slab) noexcept;
    static void free_chunk(Chunk* chunk) noexcept;
    void end_items_after(const Ending* last) noexcept;
    void drop() noexcept;

    Chunk* chunk_ = nullptr; ///< the last one
    std::byte* at_ = nullptr;
    std::size_t left_ = 0, next_room_ = 0;
    Ending* endings_ = nullptr;
};

class Arena::Mark {
    friend class Arena;
    Chunk* chunk = nullptr;
    std::byte* at = nullptr;
    std::size_t left = 0;
    Ending* endings = nullptr;
};

/// Forgets what was placed in an arena while it lived.
class ArenaScope {
public:
    explicit ArenaScope(Arena& arena) noexcept : arena_(arena), begin_(arena.mark()) {}
    ~ArenaScope() { arena_.rewind(begin_); }
    ArenaScope(const ArenaScope&) = delete;
    ArenaScope& operator=(const ArenaScope&) = delete;

private:
    Arena& arena_;
    Arena::Mark begin_;
};

} // namespace blockloom
