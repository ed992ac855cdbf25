// A report as plain data: sections of words, figures, tables, charts and views. HTML
// (report/document_html.h) and PDF (report/document_pdf.h) show the same document.
#pragma once

#include "charts/chart.h"
#include "report/picture.h"
#include "scene/renderer.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace blockloom::report {

enum class Tone : std::uint8_t { normal, second, quiet, good, bad };

/// The heading of a part of a section.
struct Heading {
    std::string text;
};

struct Paragraph {
    std::string text;
    Tone tone = Tone::normal;
    std::string code = {}; ///< behind the text, in the monospaced face
};

/// A name with its value.
struct Fact {
    std::string name, value;
    Tone tone = Tone::normal;
    bool predicted = false;
};

/// Short facts in columns.
struct Figures {
    std::vector<Fact> facts;
};

/// Names with sentences or long values, one below the other.
struct Terms {
    std::vector<Fact> facts;
};

struct Column {
    std::string name;
    bool left = false; ///< text; else a number, aligned right
    bool wide = false; ///< breaks into lines where it has no room
    bool mono = false;
    bool joined = false; ///< under the heading of the column before
};

struct TableCell {
    std::string text;
    Tone tone = Tone::normal;
    std::string link = {};          ///< id of the section it leads to
    std::vector<double> spark = {}; ///< bars of 0 … 1 along the ramp, instead of the text
};

struct Table {
    std::string caption;
    std::vector<Column> columns;
    std::size_t rows = 0;
    /// The cells of a row, one a column; called when the row is written.
    std::function<std::vector<TableCell>(std::size_t row)> row;
    std::vector<TableCell> foot; ///< a row of totals; may be empty
    bool together = false;       ///< short: not divided between pages
};

/// A chart with its caption, and what it leaves out.
struct ChartFigure {
    charts::Chart chart;
    std::string caption;
    float width = 1080, height = 240; ///< pixels in HTML
};

/// A view of a block with its caption; laid out once a theme, since colours are part of a layout.
struct ViewFigure {
    std::function<Result<Picture>(const scene::Theme& theme, int width)> make; ///< pixels
    std::string caption;
};

struct Part;

/// Two stacks of parts side by side.
struct Pair {
    std::vector<Part> left, right;
};

struct Part
    : std::variant<Heading, Paragraph, Figures, Terms, Table, ChartFigure, ViewFigure, Pair> {
    using variant::variant;
};

struct Section {
    std::string id, title;
    std::string aside; ///< smaller, beside the title
    bool mono_aside = false;
    Tone tone = Tone::normal;
    bool chief = true; ///< in the list of contents of the HTML page; a PDF lists all
    std::vector<Part> parts;
};

/// Refers to what it was made of (Table::row, ViewFigure::make), which must outlive it.
struct Document {
    std::string title, subtitle;
    std::string version, date; ///< of Blockloom and of the report
    std::vector<Fact> cards;   ///< the first figures to see
    std::vector<Section> sections;
    bool contents = true; ///< HTML: links to the sections below the first one
};

/// A column of numbers.
[[nodiscard]] inline Column number_column(std::string name) {
    Column column;
    column.name = std::move(name);
    return column;
}
[[nodiscard]] inline Column text_column(std::string name, bool wide = false, bool mono = false) {
    Column column;
    column.name = std::move(name);
    column.left = true;
    column.wide = wide;
    column.mono = mono;
    return column;
}

/// The caption with the picture's legend and coverage in words.
[[nodiscard]] std::string view_caption(const ViewFigure& figure, const Picture& picture);

/// A view's table as a table of the document; `table` is kept.
[[nodiscard]] Table table_of(std::shared_ptr<const scene::ViewTable> table);

} // namespace blockloom::report
