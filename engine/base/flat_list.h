// A list that owns its items, like std::vector, or has them lie in an arena, where dropping it
// costs nothing.
#pragma once

#include "base/arena.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace blockloom {

template <typename T> class FlatList;

/// Whether an item in an arena may simply be forgotten. Types that own something say so by an
/// overload.
template <typename T> [[nodiscard]] constexpr bool lies_flat(const T& /*item*/) noexcept {
    return std::is_trivially_destructible_v<T>;
}
template <typename T> [[nodiscard]] bool lies_flat(const FlatList<T>& list) noexcept {
    return list.is_placed() || list.is_nothing();
}
template <typename A, typename B>
[[nodiscard]] constexpr bool lies_flat(const std::pair<A, B>& pair) noexcept {
    return lies_flat(pair.first) && lies_flat(pair.second);
}

/// A copy owns its items. One that is moved from a list in an arena remains in that arena, which
/// must outlive it, or its last use: whoever moves such lists moves the arena, too. Items in an
/// arena that were flat are never destroyed: they must not be given something to own.
template <typename T> class FlatList {
    static_assert(std::is_nothrow_move_constructible_v<T>);
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

public:
    using value_type = T;
    using reference = T&;
    using const_reference = const T&;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using iterator = T*;
    using const_iterator = const T*;

    FlatList() noexcept = default;
    explicit FlatList(std::size_t count) { resize(count); }
    FlatList(std::initializer_list<T> items) { append_each(items.begin(), items.end()); }
    template <std::forward_iterator From> FlatList(From begin, From end) {
        append_each(begin, end);
    }
    /// Of a range of items.
    template <typename Range>
    requires(!std::same_as<std::remove_cvref_t<Range>, FlatList> && requires(const Range& range) {
        { *range.data() } -> std::convertible_to<const T&>;
        { range.size() } -> std::convertible_to<std::size_t>;
    }) FlatList(const Range& items) {
        append_each(items.data(), items.data() + items.size());
    }
    FlatList(const FlatList& other) { append_each(other.begin(), other.end()); }
    FlatList(FlatList&& other) noexcept
        : items_(std::exchange(other.items_, nullptr)), size_(std::exchange(other.size_, 0)),
          room_(std::exchange(other.room_, 0)) {}
    FlatList& operator=(FlatList other) noexcept {
        std::swap(items_, other.items_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
        return *this;
    }
    ~FlatList() { drop(); }

    /// A list of copies in an arena.
    template <typename From>
    [[nodiscard]] static FlatList placed(Arena& arena, std::span<From> items) {
        return placed(arena, items.begin(), items.end());
    }
    /// Of these copies, or, from move iterators, of the items themselves.
    template <typename From>
    [[nodiscard]] static FlatList placed(Arena& arena, From begin, From end) {
        FlatList list;
        const auto count = static_cast<std::size_t>(std::distance(begin, end));
        if (count == 0) return list;
        list.items_ = static_cast<T*>(arena.allocate(count * sizeof(T)));
        std::uninitialized_copy(begin, end, list.items_);
        list.size_ = static_cast<std::uint32_t>(count);
        list.end_with(arena);
        return list;
    }
    /// Of `count` items that `make(i)` makes, in this order.
    template <typename Make>
    [[nodiscard]] static FlatList made(Arena& arena, std::size_t count, const Make& make) {
        FlatList list;
        if (count == 0) return list;
        list.items_ = static_cast<T*>(arena.allocate(count * sizeof(T)));
        for (; list.size_ < count; ++list.size_) new (list.items_ + list.size_) T(make(list.size_));
        list.end_with(arena);
        return list;
    }
    /// In an arena, or, without one, of items that it owns.
    template <typename Make>
    [[nodiscard]] static FlatList made(Arena* arena, std::size_t count, const Make& make) {
        if (arena != nullptr) return made(*arena, count, make);
        FlatList list;
        list.reserve(count);
        for (std::size_t i = 0; i < count; ++i) list.push_back(make(i));
        return list;
    }
    /// The items of another list, which lie where they are: in an arena, or in other memory that
    /// outlives both.
    [[nodiscard]] static FlatList of(std::span<const T> items) noexcept {
        FlatList list;
        list.items_ = const_cast<T*>(items.data());
        list.size_ = static_cast<std::uint32_t>(items.size());
        return list;
    }
    /// What `placed` takes of an arena for so many flat items.
    [[nodiscard]] static constexpr std::size_t room_for(std::size_t count) noexcept {
        return Arena::rounded(count * sizeof(T));
    }

    [[nodiscard]] bool is_placed() const noexcept { return room_ == 0 && size_ != 0; }
    [[nodiscard]] bool is_nothing() const noexcept { return room_ == 0 && size_ == 0; }

    [[nodiscard]] T* begin() noexcept { return items_; }
    [[nodiscard]] T* end() noexcept { return items_ + size_; }
    [[nodiscard]] const T* begin() const noexcept { return items_; }
    [[nodiscard]] const T* end() const noexcept { return items_ + size_; }
    [[nodiscard]] const T* cbegin() const noexcept { return items_; }
    [[nodiscard]] const T* cend() const noexcept { return items_ + size_; }
    [[nodiscard]] T* data() noexcept { return items_; }
    [[nodiscard]] const T* data() const noexcept { return items_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t at) noexcept { return items_[at]; }
    [[nodiscard]] const T& operator[](std::size_t at) const noexcept { return items_[at]; }
    /// As the one above: it must be there.
    [[nodiscard]] const T& at(std::size_t place) const noexcept {
        assert(place < size_);
        return items_[place];
    }
    [[nodiscard]] T& front() noexcept { return items_[0]; }
    [[nodiscard]] const T& front() const noexcept { return items_[0]; }
    [[nodiscard]] T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] const T& back() const noexcept { return items_[size_ - 1]; }

    void reserve(std::size_t count) {
        if (count > room_) grow(count);
    }
    void resize(std::size_t count) {
        if (count <= size_) return truncate(count);
        reserve(count);
        std::uninitialized_value_construct(end(), items_ + count);
        size_ = static_cast<std::uint32_t>(count);
    }
    /// The item may lie in this list.
    void push_back(T item) {
        if (size_ >= room_) grow(std::max<std::size_t>(4, 2 * std::size_t{size_}));
        new (items_ + size_) T(std::move(item));
        ++size_;
    }
    template <typename... Parts> T& emplace_back(Parts&&... parts) {
        push_back(T(std::forward<Parts>(parts)...));
        return back();
    }
    /// Items that lie elsewhere.
    template <typename From> void append_each(From begin, From end) {
        const auto count = static_cast<std::size_t>(std::distance(begin, end));
        if (count == 0) return;
        if (size_ + count > room_) grow(size_ + count);
        for (; begin != end; ++begin, ++size_) new (items_ + size_) T(*begin);
    }
    template <typename From> void assign(From begin, From end) { *this = FlatList(begin, end); }
    void drop_front(std::size_t count) {
        if (room_ == 0) {
            items_ += count;
            size_ -= static_cast<std::uint32_t>(count);
        } else {
            std::move(begin() + count, end(), begin());
            truncate(size_ - count);
        }
    }
    void truncate(std::size_t count) noexcept {
        if (room_ != 0) std::destroy(items_ + count, end());
        size_ = static_cast<std::uint32_t>(count);
    }
    /// Keeps memory that it owns.
    void clear() noexcept {
        truncate(0);
        if (room_ == 0) items_ = nullptr;
    }

    template <typename Range>
    requires requires(const Range& range) {
        { *range.data() } -> std::convertible_to<const T&>;
        range.size();
    }
    [[nodiscard]] bool operator==(const Range& other) const {
        return std::equal(begin(), end(), other.data(), other.data() + other.size());
    }

private:
    void end_with(Arena& arena) {
        if constexpr (!std::is_trivially_destructible_v<T>) {
            const bool flat =
                std::all_of(begin(), end(), [](const T& item) { return lies_flat(item); });
            if (!flat) arena.destroy_at_end(items_, size_);
        }
    }
    /// Afterwards it owns its items.
    void grow(std::size_t room) {
        T* const larger = static_cast<T*>(::operator new(room * sizeof(T)));
        if (room_ != 0) {
            std::uninitialized_move(begin(), end(), larger);
            std::destroy(begin(), end());
            ::operator delete(items_);
        } else {
            std::uninitialized_copy(cbegin(), cend(), larger);
        }
        items_ = larger;
        room_ = static_cast<std::uint32_t>(room);
    }
    void drop() noexcept {
        if (room_ == 0) return;
        std::destroy(begin(), end());
        ::operator delete(items_);
    }

    T* items_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t room_ = 0; ///< for so many that it owns; 0: they lie elsewhere, or there are none
};

/// A list of these items in an arena, or, without one, of items that it owns.
template <typename Items>
[[nodiscard]] FlatList<typename Items::value_type> kept(const Items& items, Arena* arena) {
    return FlatList<typename Items::value_type>::made(arena, items.size(),
                                                      [&items](std::size_t i) { return items[i]; });
}

} // namespace blockloom
