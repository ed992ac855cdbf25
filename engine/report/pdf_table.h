// A table of a PDF: widths of its columns, its rows as pieces of pages. Private to the report room.
#pragma once

#include "report/document.h"
#include "report/pdf_pages.h"
#include "report/pdf_text.h"

namespace blockloom::report {

/// Leads from a rectangle of the page that is drawn to the beginning of a section.
using DrawLink = std::function<void(cairo_t*, const std::string& section, double x, double y,
                                    double width, double height)>;

/// Appends the table's rows, at most `most_rows` of them, with its head above each page's. Returns
/// how many rows it took. Columns that may break get lines where the width is short; where even
/// that does not do, the text grows smaller.
std::size_t add_table(std::vector<Piece>& pieces, const Table& table, const TextSetter& setter,
                      double width, std::size_t most_rows, const DrawLink& link);

} // namespace blockloom::report
