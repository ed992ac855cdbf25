#include "report/pdf_pages.h"

#include <algorithm>

namespace blockloom::report {
namespace {

double height_of_head(const Piece& piece) {
    return piece.head ? piece.head->height : 0;
}

} // namespace

std::vector<PlacedPiece> on_pages(const std::vector<Piece>& pieces, double height) {
    std::vector<PlacedPiece> placed;
    std::size_t page = 0;
    double y = 0;
    const auto put = [&](const Piece& piece) {
        const double room = y == 0 ? height_of_head(piece) : piece.before;
        if (y > 0 && y + room + piece.height > height) {
            ++page;
            y = 0;
        }
        if (y == 0 && piece.head) {
            placed.push_back({piece.head.get(), page, 0});
            y = piece.head->height;
        } else if (y > 0) {
            y += piece.before;
        }
        placed.push_back({&piece, page, y});
        y += piece.height;
    };
    for (std::size_t first = 0; first < pieces.size();) {
        std::size_t end = first;
        double chain = height_of_head(pieces[first]); // at the top of a page
        double here = 0;                              // below what is there
        for (;; ++end) {
            here += pieces[end].before + pieces[end].height;
            chain += (end == first ? 0 : pieces[end].before) + pieces[end].height;
            if (!pieces[end].with_next || end + 1 == pieces.size()) break;
        }
        ++end;
        const bool fits = y + std::max(here, pieces[first].room) <= height;
        if (y > 0 && !fits && chain <= height) {
            ++page;
            y = 0;
        }
        for (; first < end; ++first) put(pieces[first]);
    }
    return placed;
}

} // namespace blockloom::report
