#include "report/pdf_pages.h"

#include <algorithm>

namespace blockloom::report {
namespace {

constexpr double few_lines = 0.2; ///< share of a last page that is better avoided
constexpr double rounding = 1e-6; ///< points

/// Height of a chain of pieces: what is fixed, and what may be drawn smaller.
struct Extent {
    double fixed = 0, flexible = 0, least = 0; ///< `least`: of the flexible part

    [[nodiscard]] double natural() const { return fixed + flexible; }
    [[nodiscard]] double smallest() const { return fixed + least; }
};

/// Places pieces in order. `spacing` multiplies gaps and the height of pictures.
class PageFiller {
public:
    PageFiller(const std::vector<Piece>& pieces, double height, double spacing)
        : pieces_(pieces), height_(height), spacing_(spacing) {}

    [[nodiscard]] std::vector<PlacedPiece> fill() && {
        for (std::size_t first = 0; first < pieces_.size();) {
            const std::size_t end = end_of_chain(first, true);
            place(first, end, true);
            first = end;
        }
        return std::move(placed_);
    }

private:
    [[nodiscard]] std::size_t end_of_chain(std::size_t first, bool with_preferred) const {
        const auto stays = [&](const Piece& piece) {
            return piece.with_next || (with_preferred && piece.prefers_next);
        };
        while (first + 1 < pieces_.size() && stays(pieces_[first])) ++first;
        return first + 1;
    }

    [[nodiscard]] double natural_scale(const Piece& piece) const {
        return std::max(piece.least_scale, std::min(1.0, spacing_));
    }

    [[nodiscard]] Extent extent(std::size_t first, std::size_t end, bool at_top) const {
        Extent made;
        for (std::size_t i = first; i < end; ++i) {
            const Piece& piece = pieces_[i];
            if (i > first || !at_top)
                made.fixed += piece.before * spacing_;
            else if (piece.head)
                made.fixed += piece.head->height;
            if (piece.least_scale < 1) {
                made.flexible += piece.height * natural_scale(piece);
                made.least += piece.height * piece.least_scale;
            } else {
                made.fixed += piece.height;
            }
        }
        return made;
    }

    /// On the current page, with its pictures as large as the page allows.
    bool put_all(std::size_t first, std::size_t end) {
        const Extent here = extent(first, end, y_ == 0);
        const double left = height_ - y_;
        if (here.smallest() > left + rounding) return false;
        if (y_ > 0 && pieces_[first].room > left) return false;
        const double range = here.flexible - here.least;
        const double part =
            here.natural() <= left ? 1 : std::max(0.0, (left - here.smallest()) / range);
        for (std::size_t i = first; i < end; ++i) {
            const double least = pieces_[i].least_scale;
            put(pieces_[i], least + part * (natural_scale(pieces_[i]) - least));
        }
        return true;
    }

    void place(std::size_t first, std::size_t end, bool with_preferred) {
        if (put_all(first, end)) return;
        const bool must_stay = with_preferred && y_ < least_filled * height_;
        if (y_ > 0 && !must_stay && extent(first, end, true).smallest() <= height_) {
            turn_page();
            if (put_all(first, end)) return;
        }
        for (; first < end; ++first) { // longer than a page, or than what is left of this one
            if (!with_preferred) {
                if (y_ > 0 && !fits(pieces_[first])) turn_page();
                put(pieces_[first], y_ == 0 ? scale_at_top(pieces_[first]) : 1);
                continue;
            }
            const std::size_t part = end_of_chain(first, false);
            place(first, std::min(part, end), false);
            first = std::min(part, end) - 1;
        }
    }

    [[nodiscard]] bool fits(const Piece& piece) const {
        return y_ + piece.before * spacing_ + piece.height <= height_;
    }
    [[nodiscard]] double scale_at_top(const Piece& piece) const {
        const double head = piece.head ? piece.head->height : 0;
        return std::clamp((height_ - head) / std::max(piece.height, 1.0), piece.least_scale, 1.0);
    }

    void turn_page() {
        ++page_;
        y_ = 0;
    }

    void put(const Piece& piece, double scale) {
        if (y_ == 0 && piece.head) {
            placed_.push_back({piece.head.get(), page_, 0});
            y_ = piece.head->height;
        } else if (y_ > 0) {
            y_ += piece.before * spacing_;
        }
        placed_.push_back({&piece, page_, y_, scale});
        y_ += piece.height * scale;
    }

    const std::vector<Piece>& pieces_;
    double height_, spacing_;
    std::vector<PlacedPiece> placed_;
    std::size_t page_ = 0;
    double y_ = 0;
};

double end_of(const PlacedPiece& placed) {
    return placed.y + placed.piece->height * placed.scale;
}

} // namespace

std::vector<PlacedPiece> on_pages(const std::vector<Piece>& pieces, double height) {
    auto placed = PageFiller(pieces, height, 1).fill();
    if (placed.empty() || placed.back().page == 0) return placed;
    if (end_of(placed.back()) > few_lines * height) return placed;
    for (const double spacing : {0.9, 0.8, 0.7}) {
        auto closer = PageFiller(pieces, height, spacing).fill();
        if (closer.back().page < placed.back().page) return closer;
    }
    return placed;
}

} // namespace blockloom::report
