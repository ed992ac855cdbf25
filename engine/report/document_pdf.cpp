#include "report/document_pdf.h"

#include "base/part_progress.h"
#include "base/utf8.h"
#include "report/pdf_parts.h"
#include "scene/cairo_handles.h"
#include "scene/theme.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace blockloom::report {
namespace {

constexpr double margin_side = 42, margin_top = 46, margin_bottom = 56; ///< margins, points

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
    auto& file = *static_cast<std::vector<Byte>*>(bytes);
    const auto* from = reinterpret_cast<const Byte*>(data);
    file.insert(file.end(), from, from + length);
    return CAIRO_STATUS_SUCCESS;
}

/// "2030-01-02 03:04 UTC" as ISO 8601; Cairo would take the time of day where there is none.
std::string iso_date(const std::string& date) {
    if (date.size() < 16 || date[4] != '-' || date[10] != ' ' || date[13] != ':')
        return "1970-01-01T00:00:00Z";
    const bool seconds = date.size() >= 19 && date[16] == ':';
    return date.substr(0, 10) + "T" + date.substr(11, seconds ? 8 : 5) + (seconds ? "Z" : ":00Z");
}

struct PagePlace {
    std::size_t page = 0;
    double y = 0;
};

class PdfWriter {
public:
    PdfWriter(const Document& document, Paper paper)
        : document_(document), size_(size_of(paper)),
          writer_(pieces_, size_.width - 2 * margin_side, size_.height - margin_top - margin_bottom,
                  [this](cairo_t* c, const std::string& section, double x, double y, double width,
                         double height) { link(c, section, x, y, width, height); }) {}

    Result<std::vector<Byte>> write(ProgressSink& progress, const std::stop_token& stop) {
        writer_.title(document_);
        const auto& sections = document_.sections;
        const std::uint64_t steps = 2 * sections.size(); // laying them out, then drawing the pages
        for (std::size_t i = 0; i < sections.size(); ++i) {
            if (stop.stop_requested()) return cancelled_error();
            progress.report({"Writing report", i, steps});
            // Words that precede the contents on the screen do so here, too.
            if (i == (document_.contents ? 1U : 0U)) contents();
            writer_.section_head(sections[i]);
            writer_.parts(sections[i].parts, stop);
        }
        if (stop.stop_requested()) return cancelled_error();
        placed_ = on_pages(pieces_, size_.height - margin_top - margin_bottom);
        for (const PlacedPiece& at : placed_) {
            pages_ = std::max(pages_, at.page + 1);
            if (!at.piece->section.empty()) places_[at.piece->section] = {at.page, at.y};
        }
        PartProgress drawing(progress, sections.size(), sections.size(), steps);
        return draw(drawing, stop);
    }

private:
    void contents() {
        Section head;
        head.title = "Contents";
        writer_.section_head(head);
        for (const Section& section : document_.sections)
            writer_.contents_line(section,
                                  [this, &section] { return places_[section.id].page + 1; });
    }

    Result<std::vector<Byte>> draw(ProgressSink& progress, const std::stop_token& stop) {
        std::vector<Byte> bytes;
        const scene::CairoSurface surface(
            cairo_pdf_surface_create_for_stream(append_bytes, &bytes, size_.width, size_.height));
        cairo_surface_t* const pdf = surface.get();
        const auto say = [pdf](cairo_pdf_metadata_t what, const std::string& value) {
            cairo_pdf_surface_set_metadata(pdf, what, value.c_str());
        };
        say(CAIRO_PDF_METADATA_TITLE, printable(document_.title));
        say(CAIRO_PDF_METADATA_CREATOR, "Blockloom " + document_.version);
        say(CAIRO_PDF_METADATA_CREATE_DATE, iso_date(document_.date));
        for (const Section& section : document_.sections) {
            const PagePlace at = places_[section.id];
            cairo_pdf_surface_add_outline(pdf, CAIRO_PDF_OUTLINE_ROOT,
                                          printable(section.title).c_str(),
                                          fmt::format("page={} pos=[{:.1f} {:.1f}]", at.page + 1,
                                                      margin_side, at.y + margin_top)
                                              .c_str(),
                                          static_cast<cairo_pdf_outline_flags_t>(0));
        }
        {
            const scene::CairoContext context(cairo_create(pdf));
            cairo_t* const c = context.get();
            std::size_t page = 0;
            for (const PlacedPiece& at : placed_) {
                if (stop.stop_requested()) return cancelled_error();
                for (; page < at.page; ++page) {
                    end_page(c, page);
                    progress.report({"Writing report", page + 1, pages_});
                }
                draw_placed(c, at);
            }
            end_page(c, page);
            if (const Status good = checked(cairo_status(c)); !good) return good.error();
        }
        cairo_surface_finish(pdf);
        if (const Status good = checked(cairo_surface_status(pdf)); !good) return good.error();
        return bytes;
    }

    static void draw_placed(cairo_t* c, const PlacedPiece& at) {
        if (at.scale >= 1) return at.piece->draw(c, margin_side, margin_top + at.y);
        cairo_save(c);
        cairo_translate(c, margin_side, margin_top + at.y);
        cairo_scale(c, at.scale, at.scale);
        at.piece->draw(c, 0, 0);
        cairo_restore(c);
    }

    void end_page(cairo_t* c, std::size_t page) {
        TextStyle style;
        style.size = 8;
        style.colour = scene::light_theme().text3;
        style.most_lines = 1;
        const SetText number =
            writer_.setter().set(fmt::format("Page {} of {}", page + 1, pages_), style);
        const double y = size_.height - 34, wide = size_.width - 2 * margin_side;
        number.draw(c, size_.width - margin_side - number.width(), y);
        writer_.setter()
            .set("Blockloom · " + document_.title, style, wide - number.width() - 16)
            .draw(c, margin_side, y);
        cairo_show_page(c);
    }

    void link(cairo_t* c, const std::string& section, double x, double y, double width,
              double height) {
        const auto at = places_.find(section);
        if (at == places_.end()) return;
        cairo_tag_begin(
            c, CAIRO_TAG_LINK,
            fmt::format("rect=[{:.1f} {:.1f} {:.1f} {:.1f}] page={} pos=[{:.1f} {:.1f}]", x, y,
                        width, height, at->second.page + 1, margin_side, at->second.y + margin_top)
                .c_str());
        cairo_tag_end(c, CAIRO_TAG_LINK);
    }

    static Status checked(cairo_status_t status) {
        if (status == CAIRO_STATUS_SUCCESS) return {};
        return Error{ErrorCode::system, fmt::format("PDF: {}", cairo_status_to_string(status))};
    }

    const Document& document_;
    PaperSize size_;
    std::vector<Piece> pieces_;
    PieceWriter writer_;
    std::vector<PlacedPiece> placed_;
    std::map<std::string, PagePlace> places_; ///< where sections begin
    std::size_t pages_ = 1;
};

} // namespace

Result<std::vector<Byte>> pdf_of(const Document& document, Paper paper, ProgressSink& progress,
                                 std::stop_token stop) {
    return PdfWriter(document, paper).write(progress, stop);
}

} // namespace blockloom::report
