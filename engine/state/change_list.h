// The changes of a block as its result keeps them. There can be hundreds of thousands: several
// threads put them in place, and each is the first to touch the memory of its own.
#pragma once

#include "state/block_changes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace blockloom::state {

/// Memory for changes, divided into pieces.
class ChangePieces {
public:
    /// `borders`: the first change of each piece, and one past the last.
    explicit ChangePieces(std::vector<std::size_t> borders);
    ~ChangePieces();
    ChangePieces(const ChangePieces&) = delete;
    ChangePieces& operator=(const ChangePieces&) = delete;

    /// Moves the changes of a piece to their places. Once for each, several at once.
    void fill(std::size_t piece, std::span<Change* const> from) noexcept;
    /// After all pieces.
    [[nodiscard]] std::span<const Change> all() const noexcept {
        return {content_, borders_.back()};
    }

private:
    std::vector<std::size_t> borders_;
    std::vector<std::uint8_t> filled_; ///< by piece; those that are not hold no objects
    Change* content_ = nullptr;
};

/// A list of changes, which only changes as a whole.
class ChangeList {
public:
    using value_type = Change;

    ChangeList() = default;
    ChangeList(std::vector<Change> list) noexcept : list_(std::move(list)), all_(list_) {}
    /// All pieces must have been filled.
    explicit ChangeList(std::unique_ptr<const ChangePieces> pieces) noexcept
        : pieces_(std::move(pieces)), all_(pieces_->all()) {}
    ChangeList(const ChangeList& other) : ChangeList(std::vector(other.begin(), other.end())) {}
    ChangeList(ChangeList&& other) noexcept { swap(other); }
    ChangeList& operator=(ChangeList other) noexcept {
        swap(other);
        return *this;
    }
    ~ChangeList() = default;

    [[nodiscard]] const Change* data() const noexcept { return all_.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
    [[nodiscard]] const Change* begin() const noexcept { return data(); }
    [[nodiscard]] const Change* end() const noexcept { return data() + size(); }
    [[nodiscard]] const Change& operator[](std::size_t i) const noexcept { return all_[i]; }

    bool operator==(const ChangeList& other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

private:
    void swap(ChangeList& other) noexcept {
        std::swap(list_, other.list_);
        std::swap(pieces_, other.pieces_);
        std::swap(all_, other.all_);
    }

    // They lie in one of these.
    std::vector<Change> list_;
    std::unique_ptr<const ChangePieces> pieces_;
    std::span<const Change> all_;
};

} // namespace blockloom::state
