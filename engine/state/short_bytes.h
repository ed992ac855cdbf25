// Immutable bytes that lie inside the object if they are few, else in one allocation that copies
// share.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace blockloom::state {

/// Bytes with a count of their owners.
class SharedBytes {
public:
    /// Owned once.
    [[nodiscard]] static const SharedBytes* make(std::string_view bytes);

    [[nodiscard]] std::string_view bytes() const noexcept {
        return {reinterpret_cast<const char*>(this + 1), size_};
    }
    void own() const noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
    /// Frees them after the last owner.
    void disown() const noexcept;

private:
    explicit SharedBytes(std::size_t size) noexcept : size_(size) {}

    mutable std::atomic<std::uint64_t> owners_{1};
    std::size_t size_;
};

/// Bytes, or nothing at all; copying costs a short copy, or an update of a count.
template <std::size_t most_inside> class ShortBytes {
public:
    ShortBytes() noexcept = default;
    explicit ShortBytes(std::string_view bytes) {
        if (bytes.size() <= most_inside) {
            if (!bytes.empty()) std::memcpy(inside_.data(), bytes.data(), bytes.size());
            tag_ = static_cast<std::uint8_t>(bytes.size());
        } else {
            const SharedBytes* const made = SharedBytes::make(bytes);
            std::memcpy(inside_.data(), &made, sizeof made);
            tag_ = outside;
        }
    }
    ShortBytes(const ShortBytes& other) noexcept : inside_(other.inside_), tag_(other.tag_) {
        if (tag_ == outside) shared()->own();
    }
    ShortBytes(ShortBytes&& other) noexcept : inside_(other.inside_), tag_(other.tag_) {
        other.tag_ = nothing;
    }
    ShortBytes& operator=(const ShortBytes& other) noexcept {
        if (other.tag_ == outside) other.shared()->own(); // first: it may be this one
        if (tag_ == outside) shared()->disown();
        inside_ = other.inside_;
        tag_ = other.tag_;
        return *this;
    }
    ShortBytes& operator=(ShortBytes&& other) noexcept {
        if (this == &other) return *this;
        if (tag_ == outside) shared()->disown();
        inside_ = other.inside_;
        tag_ = std::exchange(other.tag_, nothing);
        return *this;
    }
    ~ShortBytes() {
        if (tag_ == outside) shared()->disown();
    }

    [[nodiscard]] bool is_nothing() const noexcept { return tag_ == nothing; }
    /// Whether it owns an allocation.
    [[nodiscard]] bool is_outside() const noexcept { return tag_ == outside; }
    /// Empty if nothing. Valid as long as this object, or a copy of a long one, lives.
    [[nodiscard]] std::string_view bytes() const noexcept {
        if (tag_ == outside) return shared()->bytes();
        return {inside_.data(), tag_ == nothing ? std::size_t{0} : std::size_t{tag_}};
    }

private:
    static constexpr std::uint8_t outside = 0xff, nothing = 0xfe;
    static_assert(most_inside >= sizeof(const SharedBytes*) && most_inside < nothing);

    [[nodiscard]] const SharedBytes* shared() const noexcept {
        const SharedBytes* made = nullptr;
        std::memcpy(&made, inside_.data(), sizeof made);
        return made;
    }

    std::array<char, most_inside> inside_{}; ///< the bytes, or where they are
    std::uint8_t tag_ = nothing;             ///< how many lie inside, or one of the two above
};

} // namespace blockloom::state
