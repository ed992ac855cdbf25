// Parts of a document as pieces of pages. Private to the report room.
#pragma once

#include "report/document.h"
#include "report/pdf_pages.h"
#include "report/pdf_table.h"
#include "report/pdf_text.h"
#include "scene/glyph_faces.h"

#include <stop_token>

namespace blockloom::report {

/// Appends pieces; they refer to it and to the parts.
class PieceWriter {
public:
    PieceWriter(std::vector<Piece>& pieces, double width, double page_height, DrawLink link,
                std::shared_ptr<const TextSetter> setter = std::make_shared<TextSetter>())
        : pieces_(pieces), width_(width), page_height_(page_height), link_(std::move(link)),
          shared_setter_(std::move(setter)), setter_(*shared_setter_) {}

    void title(const Document& document);
    void section_head(const Section& section);
    void parts(const std::vector<Part>& parts, const std::stop_token& stop);
    /// A line of the contents, with its page number, which is asked for when it is drawn.
    void contents_line(const Section& section, std::function<std::size_t()> page);
    /// Words on their own, a piece a line.
    void words(const std::string& text, const TextStyle& style, double before);
    [[nodiscard]] const TextSetter& setter() const { return setter_; }

    void operator()(const Heading& heading);
    void operator()(const Paragraph& paragraph);
    void operator()(const Figures& figures);
    void operator()(const Terms& terms);
    void operator()(const Table& table);
    void operator()(const ChartFigure& figure);
    void operator()(const ViewFigure& figure);
    void operator()(const Pair& pair);

private:
    void picture(scene::FrameRequest request, const std::string& caption);
    void cards(const std::vector<Fact>& cards);

    std::vector<Piece>& pieces_;
    double width_, page_height_;
    DrawLink link_;
    std::shared_ptr<const TextSetter> shared_setter_;
    const TextSetter& setter_;
    std::shared_ptr<scene::GlyphFaces> faces_ = std::make_shared<scene::GlyphFaces>();
    float pixels_ = 760; ///< of a picture, as wide as the text
};

} // namespace blockloom::report
