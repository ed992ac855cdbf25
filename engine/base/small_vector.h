// A vector whose first few items lie inside it, for lists that are short almost always.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace blockloom {

/// Moving it moves the items where they lie inside, so that no pointer to one stays valid.
template <typename T, std::size_t most_inside> class SmallVector {
    static_assert(std::is_nothrow_move_constructible_v<T> && most_inside > 0);
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

public:
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    SmallVector() noexcept : items_(inside()) {}
    SmallVector(SmallVector&& other) noexcept : items_(inside()) { take(other); }
    SmallVector(const SmallVector& other) : items_(inside()) {
        reserve(other.size_);
        std::uninitialized_copy(other.begin(), other.end(), items_);
        size_ = other.size_;
    }
    SmallVector& operator=(SmallVector&& other) noexcept {
        if (this == &other) return *this;
        drop();
        take(other);
        return *this;
    }
    SmallVector& operator=(const SmallVector& other) {
        if (this != &other) *this = SmallVector(other);
        return *this;
    }
    ~SmallVector() { drop(); }

    [[nodiscard]] T* begin() noexcept { return items_; }
    [[nodiscard]] T* end() noexcept { return items_ + size_; }
    [[nodiscard]] const T* begin() const noexcept { return items_; }
    [[nodiscard]] const T* end() const noexcept { return items_ + size_; }
    [[nodiscard]] T* data() noexcept { return items_; }
    [[nodiscard]] const T* data() const noexcept { return items_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t at) noexcept { return items_[at]; }
    [[nodiscard]] const T& operator[](std::size_t at) const noexcept { return items_[at]; }
    [[nodiscard]] T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] const T& back() const noexcept { return items_[size_ - 1]; }

    void reserve(std::size_t count) {
        if (count > room_) grow(count);
    }
    /// The item may lie in this vector.
    void push_back(T item) {
        if (size_ == room_) grow(2 * room_);
        new (items_ + size_) T(std::move(item));
        ++size_;
    }
    /// Items that lie elsewhere.
    void append(std::span<const T> items) {
        if (items.size() > room_ - size_) grow(std::max(2 * room_, size_ + items.size()));
        std::uninitialized_copy(items.begin(), items.end(), items_ + size_);
        size_ += items.size();
    }
    /// Before `at`, which may be the end.
    T* insert(const T* at, T item) {
        const auto place = static_cast<std::size_t>(at - items_);
        push_back(std::move(item));
        std::rotate(items_ + place, items_ + size_ - 1, items_ + size_);
        return items_ + place;
    }
    void erase(const T* at) {
        T* const place = items_ + (at - items_);
        std::move(place + 1, end(), place);
        --size_;
        std::destroy_at(items_ + size_);
    }
    void pop_back() noexcept {
        --size_;
        std::destroy_at(items_ + size_);
    }
    void clear() noexcept {
        std::destroy(begin(), end());
        size_ = 0;
    }

private:
    [[nodiscard]] T* inside() noexcept { return std::launder(reinterpret_cast<T*>(inside_)); }
    [[nodiscard]] bool is_inside() const noexcept {
        return static_cast<const void*>(items_) == static_cast<const void*>(inside_);
    }

    void grow(std::size_t room) {
        T* const larger = static_cast<T*>(::operator new(room * sizeof(T)));
        std::uninitialized_move(begin(), end(), larger);
        std::destroy(begin(), end());
        if (!is_inside()) ::operator delete(items_);
        items_ = larger;
        room_ = room;
    }
    /// Leaves nothing behind, and no memory.
    void drop() noexcept {
        clear();
        if (!is_inside()) ::operator delete(items_);
        items_ = inside();
        room_ = most_inside;
    }
    /// This one is empty and holds no memory.
    void take(SmallVector& other) noexcept {
        if (other.is_inside()) {
            std::uninitialized_move(other.begin(), other.end(), items_);
            size_ = other.size_;
            other.clear();
            return;
        }
        items_ = std::exchange(other.items_, other.inside());
        size_ = std::exchange(other.size_, 0);
        room_ = std::exchange(other.room_, most_inside);
    }

    T* items_;
    std::size_t size_ = 0, room_ = most_inside;
    alignas(T) std::byte inside_[most_inside * sizeof(T)];
};

} // namespace blockloom
