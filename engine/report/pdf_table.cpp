#include "report/pdf_table.h"

#include "report/cell_bars.h"
#include "report/pdf_ink.h"
#include "scene/theme.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace blockloom::report {
namespace {

constexpr double cell_pad_x = 3.5, cell_pad_y = 2, spark_width = 58, spark_height = 9;
constexpr int cell_lines = 12; ///< of a cell
constexpr std::array<double, 5> table_sizes{8, 7.5, 7, 6.5, 6};

void draw_spark(cairo_t* c, const std::vector<double>& bars, double x, double bottom) {
    const scene::Rect place{static_cast<float>(x), static_cast<float>(bottom - spark_height),
                            spark_width, spark_height};
    for (const scene::Box& bar : level_bars(bars, place, 4, scene::light_theme()).boxes) {
        set_ink(c, bar.fill);
        cairo_rectangle(c, static_cast<double>(bar.rect.x), static_cast<double>(bar.rect.y),
                        static_cast<double>(bar.rect.width), static_cast<double>(bar.rect.height));
        cairo_fill(c);
    }
}

/// Least and whole width of each column at the first size, without its padding.
struct ColumnWishes {
    std::vector<double> least, whole;
};

struct TableLayout {
    double size = table_sizes.front();
    std::vector<double> widths; ///< with padding
};

class TableSetter {
public:
    TableSetter(const Table& table, const TextSetter& setter, double width, std::size_t rows)
        : table_(table), setter_(setter), layout_(laid_out(wishes(rows), width)), width_(width) {}

    [[nodiscard]] std::shared_ptr<const Piece> head() const {
        struct HeadCell {
            SetText text;
            double x = 0;
        };
        std::vector<HeadCell> cells;
        auto piece = std::make_shared<Piece>();
        double x = 0;
        for (std::size_t i = 0; i < table_.columns.size();) {
            const Column& column = table_.columns[i];
            double wide = layout_.widths[i++];
            while (i < table_.columns.size() && table_.columns[i].joined)
                wide += layout_.widths[i++];
            TextStyle style = style_of(column, layout_.size);
            style.mono = false;
            style.medium = true;
            style.most_lines = cell_lines;
            style.colour = scene::light_theme().text2;
            cells.push_back(
                {setter_.set(column.name, style, wide - 2 * cell_pad_x), x + cell_pad_x});
            piece->height =
                std::max(piece->height, cells.back().text.height() + 2 * cell_pad_y + 1);
            x += wide;
        }
        piece->with_next = true;
        piece->draw = [cells, width = width_, height = piece->height](cairo_t* c, double left,
                                                                      double top) {
            ground(c, left, top, width, height);
            for (const HeadCell& cell : cells) // on a common foot
                cell.text.draw(c, left + cell.x,
                               top + height - cell_pad_y - 0.5 - cell.text.height());
        };
        return piece;
    }

    [[nodiscard]] Piece row(std::vector<TableCell> cells, const DrawLink& link, bool foot) const {
        std::vector<SetText> texts(cells.size());
        Piece piece;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (!cells[i].spark.empty()) {
                piece.height = std::max(piece.height, spark_height + 2 * cell_pad_y);
                continue;
            }
            TextStyle style = style_of(table_.columns[i], layout_.size);
            style.colour =
                cells[i].link.empty() ? ink_of(cells[i].tone) : scene::light_theme().accent;
            style.medium = foot;
            style.most_lines = cell_lines;
            texts[i] = setter_.set(cells[i].text, style, layout_.widths[i] - 2 * cell_pad_x);
            piece.height = std::max(piece.height, texts[i].height() + 2 * cell_pad_y);
        }
        piece.draw = [cells = std::move(cells), texts = std::move(texts), link, foot,
                      widths = layout_.widths, width = width_,
                      height = piece.height](cairo_t* c, double left, double top) {
            if (foot) ground(c, left, top, width, height);
            double x = left;
            for (std::size_t i = 0; i < cells.size(); x += widths[i++]) {
                if (!cells[i].spark.empty()) {
                    draw_spark(c, cells[i].spark, x + cell_pad_x, top + height - cell_pad_y);
                    continue;
                }
                texts[i].draw(c, x + cell_pad_x, top + cell_pad_y);
                if (!cells[i].link.empty()) link(c, cells[i].link, x, top, widths[i], height);
            }
            if (foot) return;
            set_ink(c, scene::light_theme().grid);
            cairo_rectangle(c, left, top + height - 0.5, width, 0.5);
            cairo_fill(c);
        };
        return piece;
    }

private:
    static void ground(cairo_t* c, double x, double y, double width, double height) {
        set_ink(c, scene::light_theme().raised);
        cairo_rectangle(c, x, y, width, height);
        cairo_fill(c);
    }

    [[nodiscard]] static TextStyle style_of(const Column& column, double size) {
        TextStyle style;
        style.size = column.mono ? size * 0.9 : size;
        style.mono = column.mono;
        style.align = column.left ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT;
        return style;
    }

    [[nodiscard]] ColumnWishes wishes(std::size_t rows) const {
        ColumnWishes made;
        for (const Column& column : table_.columns) {
            TextStyle style = style_of(column, table_sizes.front());
            style.mono = false;
            style.medium = true;
            style.most_lines = cell_lines;
            made.least.push_back(setter_.longest_word(column.name, style));
        }
        made.whole = made.least;
        std::vector<TableCell> foot = table_.foot;
        for (std::size_t at = 0; at < rows + (foot.empty() ? 0 : 1); ++at) {
            const std::vector<TableCell> cells = at < rows ? table_.row(at) : foot;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                TextStyle style = style_of(table_.columns[i], table_sizes.front());
                style.medium = at == rows;
                style.most_lines = cell_lines;
                const double wide = cells[i].spark.empty()
                                        ? setter_.set(cells[i].text, style).width()
                                        : spark_width;
                made.whole[i] = std::max(made.whole[i], wide);
                const bool breaks = table_.columns[i].wide && cells[i].spark.empty();
                made.least[i] = std::max(made.least[i], breaks ? std::min(wide, 72.0) : wide);
            }
        }
        return made;
    }

    /// The largest text at which the least widths have room; what is left over goes to the columns
    /// that want it, then to all.
    [[nodiscard]] static TableLayout laid_out(const ColumnWishes& wishes, double width) {
        const double pads = 2 * cell_pad_x * static_cast<double>(wishes.least.size());
        const double room = std::max(width - pads, 1.0);
        const double least = std::accumulate(wishes.least.begin(), wishes.least.end(), 0.0);
        TableLayout made;
        double scale = 1;
        for (const double size : table_sizes) {
            made.size = size;
            scale = size / table_sizes.front();
            if (least * scale <= room) break;
        }
        made.widths = wishes.least;
        if (least * scale > room) { // text breaks within words
            for (double& wide : made.widths) wide = wide * room / least + 2 * cell_pad_x;
            return made;
        }
        double wanted = 0;
        for (std::size_t i = 0; i < wishes.least.size(); ++i)
            wanted += wishes.whole[i] - wishes.least[i];
        const double spare = room - least * scale;
        const double part = wanted > 0 ? std::min(1.0, spare / (wanted * scale)) : 0;
        const double rest =
            (spare - part * wanted * scale) / static_cast<double>(wishes.least.size());
        for (std::size_t i = 0; i < made.widths.size(); ++i)
            made.widths[i] =
                scale * (wishes.least[i] + part * (wishes.whole[i] - wishes.least[i])) + rest +
                2 * cell_pad_x;
        return made;
    }

    const Table& table_;
    const TextSetter& setter_;
    TableLayout layout_;
    double width_;
};

} // namespace

std::size_t add_table(std::vector<Piece>& pieces, const Table& table, const TextSetter& setter,
                      double width, std::size_t most_rows, const DrawLink& link) {
    const std::size_t rows = std::min(table.rows, most_rows);
    const TableSetter rows_of(table, setter, width, rows);
    const auto head = rows_of.head();
    pieces.push_back(*head);
    const std::size_t all = rows + (table.foot.empty() ? 0 : 1);
    for (std::size_t i = 0; i < all; ++i) {
        pieces.push_back(rows_of.row(i < rows ? table.row(i) : table.foot, link, i == rows));
        Piece& piece = pieces.back();
        if (i > 0) piece.head = head;
        // No row stands alone, neither below the head nor at the top of a page.
        piece.with_next = i + 1 < all && (i == 0 || i + 2 == all);
        piece.prefers_next = i + 1 < all && table.together;
    }
    if (all == 0) pieces.back().with_next = false;
    return rows;
}

} // namespace blockloom::report
