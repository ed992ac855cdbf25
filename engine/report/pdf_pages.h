// What is on the pages of a PDF, from top to bottom, and where the pages end. Private to the
// report room.
#pragma once

#include <cairo.h>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::report {

/// A piece of a page that is not divided: a line, a row of a table, a chart. Points.
struct Piece {
    double height = 0;
    double before = 0;         ///< free room above it, unless it is the first of its page
    double room = 0;           ///< what it wants from its top to the end of the page
    double least_scale = 1;    ///< it may be drawn this much smaller to fit on a page
    bool with_next = false;    ///< not the last of its page
    bool prefers_next = false; ///< likewise, unless that leaves a page nearly empty
    /// Left edge and top.
    std::function<void(cairo_t*, double x, double y)> draw;
    std::shared_ptr<const Piece> head; ///< above it where it is the first of its page
    std::string section;               ///< begins the section of this id
};

struct PlacedPiece {
    const Piece* piece = nullptr; ///< of the list, or a repeated head
    std::size_t page = 0;         ///< from 0
    double y = 0;
    double scale = 1;
};

/// Pages that hold less than this share are nearly empty.
constexpr double least_filled = 1.0 / 3;

/// Fills pages of `height` points in order. A chain of pieces that stay with the next one is moved
/// to the next page as a whole, if it fits there; its pictures are drawn smaller if that is enough
/// to keep it on the page. A last page of a few lines is avoided by closer spacing if possible.
[[nodiscard]] std::vector<PlacedPiece> on_pages(const std::vector<Piece>& pieces, double height);

} // namespace blockloom::report
