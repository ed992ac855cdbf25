#include "report/pdf_parts.h"

#include "base/number_text.h"
#include "charts/picture.h"
#include "report/paper.h"
#include "report/pdf_ink.h"
#include "scene/cairo_draw.h"
#include "scene/theme.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

constexpr double column_gap = 16;     ///< columns, points
constexpr double least_picture = 0.7; ///< scale at which its texts can still be read

const scene::Theme& paper_theme() {
    return scene::light_theme();
}

void draw_rule(cairo_t* c, scene::Colour colour, double x, double y, double width) {
    set_ink(c, colour);
    cairo_rectangle(c, x, y, width, 0.5);
    cairo_fill(c);
}

TextStyle pdf_style(double size, scene::Colour colour, bool medium = false) {
    TextStyle made;
    made.size = size;
    made.colour = colour;
    made.medium = medium;
    return made;
}

TextStyle caption_style() {
    return pdf_style(7.5, paper_theme().text3);
}

} // namespace

void PieceWriter::title(const Document& document) {
    words(document.title, pdf_style(20, paper_theme().text, true), 0);
    words(document.subtitle, pdf_style(8.5, paper_theme().text3), 4);
    if (!document.cards.empty()) cards(document.cards);
}

void PieceWriter::cards(const std::vector<Fact>& cards) {
    constexpr std::size_t columns = 3;
    constexpr double gap = 8, pad = 8;
    const double wide = (width_ - gap * (columns - 1)) / columns;
    for (std::size_t first = 0; first < cards.size(); first += columns) {
        std::vector<std::pair<SetText, SetText>> row;
        Piece piece;
        piece.before = first == 0 ? 14 : gap;
        for (std::size_t i = first; i < std::min(first + columns, cards.size()); ++i) {
            row.emplace_back(
                setter_.set(cards[i].value, pdf_style(15, paper_theme().text, true),
                            wide - 2 * pad),
                setter_.set(cards[i].name, pdf_style(8, paper_theme().text3), wide - 2 * pad));
            piece.height = std::max(piece.height, row.back().first.height() +
                                                      row.back().second.height() + 2 * pad - 2);
        }
        piece.draw = [row = std::move(row), wide, height = piece.height](cairo_t* c, double x,
                                                                         double y) {
            for (const auto& [value, name] : row) {
                set_ink(c, paper_theme().line);
                cairo_set_line_width(c, 0.75);
                cairo_rectangle(c, x + 0.4, y + 0.4, wide - 0.8, height - 0.8);
                cairo_stroke(c);
                value.draw(c, x + pad, y + pad - 2);
                name.draw(c, x + pad, y + pad - 2 + value.height());
                x += wide + gap;
            }
        };
        pieces_.push_back(std::move(piece));
    }
}

void PieceWriter::words(const std::string& text, const TextStyle& style, double before) {
    const SetText set = setter_.set(text, style, width_);
    // A piece longer than a dozen lines may be divided column_gap pages, by lines.
    const int lines = set.lines();
    const double line = set.line_height();
    constexpr int whole = 12;
    const int each = lines <= whole ? lines : 1;
    for (int first = 0; first < lines; first += each) {
        Piece piece;
        piece.before = first == 0 ? before : 0;
        piece.height = line * each;
        piece.with_next = lines > whole && (first == 0 || first + 2 == lines);
        piece.draw = [set, first, all = each == lines](cairo_t* c, double x, double y) {
            if (all)
                set.draw(c, x, y);
            else
                set.draw_line(c, first, x, y);
        };
        pieces_.push_back(std::move(piece));
    }
}

void PieceWriter::section_head(const Section& section) {
    TextStyle large =
        pdf_style(14, section.tone == Tone::bad ? paper_theme().error : paper_theme().text, true);
    large.most_lines = 4;
    const SetText title = setter_.set(section.title, large, width_);
    TextStyle small = pdf_style(section.mono_aside ? 7 : 8, paper_theme().text3);
    small.mono = section.mono_aside;
    small.most_lines = 4;
    const SetText aside = setter_.set(section.aside, small, width_);
    Piece piece;
    piece.before = 26;
    piece.with_next = true;
    piece.section = section.id;
    constexpr std::size_t many = 5; // parts: it is not begun near the end of a page
    if (section.parts.size() > many) piece.room = page_height_ / 4;
    piece.height = title.height() + (section.aside.empty() ? 0 : aside.height() + 1) + 7;
    piece.draw = [title, aside, with_aside = !section.aside.empty(), width = width_,
                  height = piece.height](cairo_t* c, double x, double y) {
        title.draw(c, x, y);
        if (with_aside) aside.draw(c, x, y + title.height() + 1);
        set_ink(c, paper_theme().accent);
        cairo_rectangle(c, x, y + height - 4, width, 1);
        cairo_fill(c);
    };
    pieces_.push_back(std::move(piece));
}

void PieceWriter::contents_line(const Section& section, std::function<std::size_t()> page) {
    constexpr double room = 30;
    TextStyle one_line = pdf_style(9.5, paper_theme().text);
    one_line.most_lines = 1;
    const SetText name = setter_.set(section.title, one_line, width_ - room);
    Piece piece;
    piece.before = 3;
    piece.height = name.height();
    piece.draw = [this, name, page = std::move(page), id = section.id,
                  height = piece.height](cairo_t* c, double x, double y) {
        name.draw(c, x, y);
        TextStyle right = pdf_style(9.5, paper_theme().text);
        const SetText number = setter_.set(fmt::format("{}", page()), right);
        number.draw(c, x + width_ - number.width(), y);
        const double from = x + name.width() + 5, to = x + width_ - number.width() - 5;
        set_ink(c, paper_theme().text3);
        for (double dot = to - 1; dot > from; dot -= 4)
            cairo_rectangle(c, dot, y + height - 3, 0.7, 0.7);
        cairo_fill(c);
        link_(c, id, x, y, width_, height);
    };
    pieces_.push_back(std::move(piece));
}

void PieceWriter::parts(const std::vector<Part>& parts, const std::stop_token& stop) {
    for (const Part& part : parts) {
        if (stop.stop_requested()) return;
        std::visit(*this, static_cast<const Part::variant&>(part));
    }
}

void PieceWriter::operator()(const Heading& heading) {
    words(heading.text, pdf_style(10, paper_theme().text, true), 14);
    if (!pieces_.empty()) pieces_.back().with_next = true;
}

void PieceWriter::operator()(const Paragraph& paragraph) {
    words(paragraph.text + (paragraph.code.empty() ? "" : " " + paragraph.code),
          pdf_style(paragraph.tone == Tone::quiet ? 8 : 9, ink_of(paragraph.tone)), 4);
}

void PieceWriter::operator()(const Figures& figures) {
    const double wide = (width_ - column_gap) / 2;
    const auto set = [&](const Fact& fact) {
        TextStyle name_style = pdf_style(8.5, paper_theme().text2);
        name_style.most_lines = 6;
        const SetText name = setter_.set(fact.name, name_style, wide * 0.6);
        TextStyle value = pdf_style(8.5, ink_of(fact.tone), !fact.predicted);
        value.align = PANGO_ALIGN_RIGHT;
        value.most_lines = 6;
        return std::pair(name, setter_.set(fact.value, value, wide - name.width() - 8));
    };
    for (std::size_t i = 0; i < figures.facts.size(); i += 2) {
        std::vector<std::pair<SetText, SetText>> row;
        Piece piece;
        piece.before = i == 0 ? 2 : 0;
        for (std::size_t at = i; at < std::min(i + 2, figures.facts.size()); ++at) {
            row.push_back(set(figures.facts[at]));
            piece.height =
                std::max({piece.height, row.back().first.height(), row.back().second.height()});
        }
        piece.height += 4;
        piece.prefers_next = i + 2 < figures.facts.size();
        piece.draw = [row = std::move(row), wide, height = piece.height](cairo_t* c, double x,
                                                                         double y) {
            for (const auto& [name, value] : row) {
                name.draw(c, x, y + 2);
                value.draw(c, x + name.width() + 8, y + 2);
                draw_rule(c, paper_theme().grid, x, y + height - 0.5, wide);
                x += wide + column_gap;
            }
        };
        pieces_.push_back(std::move(piece));
    }
}

void PieceWriter::operator()(const Terms& terms) {
    const double left = std::min(110.0, width_ * 0.25);
    for (const Fact& fact : terms.facts) {
        TextStyle name_style = pdf_style(8.5, paper_theme().text, true);
        name_style.most_lines = 12;
        const SetText name = setter_.set(fact.name, name_style, left - 8);
        TextStyle value_style =
            pdf_style(8.5, ink_of(fact.tone == Tone::normal ? Tone::second : fact.tone));
        value_style.most_lines = 40;
        const SetText value = setter_.set(fact.value, value_style, width_ - left);
        Piece piece;
        piece.before = 3;
        piece.height = std::max(name.height(), value.height());
        piece.draw = [name, value, left](cairo_t* c, double x, double y) {
            name.draw(c, x, y);
            value.draw(c, x + left, y);
        };
        pieces_.push_back(std::move(piece));
    }
}

void PieceWriter::operator()(const Table& table) {
    const double before = 6;
    if (!table.caption.empty()) {
        words(table.caption, caption_style(), before);
        pieces_.back().with_next = true;
    }
    const std::size_t first = pieces_.size();
    const std::size_t rows = add_table(pieces_, table, setter_, width_, most_rows_on_paper, link_);
    pieces_[first].before = table.caption.empty() ? before : 2;
    if (rows < table.rows)
        words(fmt::format("The first {} of {}. The HTML report has all.", count_text(rows),
                          counted(table.rows, "row")),
              caption_style(), 4);
}

void PieceWriter::picture(scene::FrameRequest request, const std::string& caption) {
    double scale = width_ / static_cast<double>(std::max(request.width, 1));
    scale = std::min(scale, 0.8 * page_height_ / static_cast<double>(std::max(request.height, 1)));
    Piece piece;
    piece.before = 4;
    piece.height = scale * request.height;
    piece.least_scale = least_picture;
    piece.with_next = !caption.empty();
    piece.draw = [request = std::move(request), scale, faces = faces_,
                  height = piece.height](cairo_t* c, double x, double y) {
        const double wide = scale * request.width;
        cairo_save(c);
        cairo_rectangle(c, x, y, wide, height);
        cairo_clip(c);
        cairo_translate(c, x, y);
        cairo_scale(c, scale, scale);
        scene::draw_request(c, request, *faces, scene::CairoTarget::vector);
        cairo_restore(c);
        set_ink(c, paper_theme().line);
        cairo_set_line_width(c, 0.5);
        cairo_rectangle(c, x + 0.25, y + 0.25, wide - 0.5, height - 0.5);
        cairo_stroke(c);
    };
    pieces_.push_back(std::move(piece));
    if (!caption.empty()) words(caption, caption_style(), 3);
}

void PieceWriter::operator()(const ChartFigure& figure) {
    if (!figure.chart.empty()) {
        charts::PictureOptions options;
        options.theme = &paper_theme();
        options.width = pixels_;
        options.height = figure.height;
        auto list = std::make_shared<scene::DisplayList>(charts::picture_of(figure.chart, options));
        scene::FrameRequest request;
        request.width = static_cast<int>(list->world.width);
        request.height = static_cast<int>(list->world.height);
        request.base = std::move(list);
        picture(std::move(request), figure.caption);
    }
    for (const std::string& why : figure.chart.left_out)
        words(why + ".", pdf_style(8, paper_theme().text3), 4);
}

void PieceWriter::operator()(const ViewFigure& figure) {
    auto made = figure.make(paper_theme(), static_cast<int>(pixels_));
    if (!made) {
        words(fmt::format("No picture: {}.", made.error().message),
              pdf_style(8, paper_theme().text3), 4);
        return;
    }
    const std::string caption = view_caption(figure, *made);
    picture(std::move(made->request), caption);
}

void PieceWriter::operator()(const Pair& pair) {
    // Each side is one column of pieces; both together are one piece.
    const double wide = (width_ - column_gap) / 2;
    auto sides = std::make_shared<std::pair<std::vector<Piece>, std::vector<Piece>>>();
    const float share = static_cast<float>(wide / width_);
    Piece both;
    both.before = 0;
    both.least_scale = least_picture;
    const auto fill = [&](const std::vector<Part>& parts, std::vector<Piece>& into) {
        PieceWriter side(into, wide, page_height_, link_, shared_setter_);
        side.faces_ = faces_;
        side.pixels_ = pixels_ * share;
        side.parts(parts, {});
        double height = 0;
        for (const Piece& piece : into) height += piece.before + piece.height;
        both.height = std::max(both.height, height);
    };
    fill(pair.left, sides->first);
    fill(pair.right, sides->second);
    both.draw = [sides, step = wide + column_gap](cairo_t* c, double x, double y) {
        for (const std::vector<Piece>* side : {&sides->first, &sides->second}) {
            double at = y;
            for (const Piece& piece : *side) {
                at += piece.before;
                piece.draw(c, x, at);
                at += piece.height;
            }
            x += step;
        }
    };
    pieces_.push_back(std::move(both));
}

} // namespace blockloom::report
