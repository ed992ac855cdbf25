// Views as files: PNG, and vectors as SVG and PDF.
#include "base/file.h"
#include "scene/cairo_draw.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>

namespace blockloom::scene {
namespace {

constexpr int max_side = 16384;

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
    auto& all = *static_cast<std::vector<Byte>*>(bytes);
    const auto* from = reinterpret_cast<const Byte*>(data);
    all.insert(all.end(), from, from + length);
    return CAIRO_STATUS_SUCCESS;
}

Error cairo_error(const char* what, cairo_status_t status) {
    return {ErrorCode::system, fmt::format("{}: {}", what, cairo_status_to_string(status))};
}

Result<std::vector<Byte>> vector_file(const FrameRequest& request, FileKind kind) {
    if (auto good = check_request(request, max_side); !good.ok()) return good.error();
    const double ratio = static_cast<double>(request.pixel_ratio);
    const double width = request.width / ratio, height = request.height / ratio;
    std::vector<Byte> bytes;
    const CairoSurface surface(
        kind == FileKind::svg ? cairo_svg_surface_create_for_stream(append, &bytes, width, height)
                              : cairo_pdf_surface_create_for_stream(append, &bytes, width, height));
    if (kind == FileKind::svg)
        cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
    {
        const CairoContext context(cairo_create(surface.get()));
        cairo_scale(context.get(), 1 / ratio, 1 / ratio);
        GlyphFaces faces;
        draw_request(context.get(), request, faces, CairoTarget::vector);
        cairo_show_page(context.get());
        if (const cairo_status_t status = cairo_status(context.get());
            status != CAIRO_STATUS_SUCCESS)
            return cairo_error("Cairo", status);
    }
    cairo_surface_finish(surface.get());
    if (const cairo_status_t status = cairo_surface_status(surface.get());
        status != CAIRO_STATUS_SUCCESS)
        return cairo_error("Cairo", status);
    return bytes;
}

} // namespace

Status write_png(const Image& image, const std::string& path) {
    const auto row = static_cast<std::size_t>(image.width) * 4;
    if (image.width < 1 || image.height < 1 ||
        image.bgra.size() != row * static_cast<std::size_t>(image.height))
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: expected an image with {} × {} × 4 bytes, found {}", path,
                                 image.width, image.height, image.bgra.size())};
    // Cairo only reads the pixels of a surface if nothing is drawn on it.
    auto* pixels = const_cast<unsigned char*>(image.bgra.data());
    const CairoSurface surface(cairo_image_surface_create_for_data(
        pixels, CAIRO_FORMAT_RGB24, image.width, image.height, static_cast<int>(row)));
    std::vector<Byte> bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) return cairo_error(path.c_str(), status);
    return write_file(path, bytes);
}

Status export_view(const FrameRequest& request, FileKind kind, const std::string& path) {
    if (kind == FileKind::png) {
        const auto frame = make_cairo_renderer()->render(request);
        if (!frame.ok()) return frame.error();
        return write_png(frame->image, path);
    }
    const auto bytes = vector_file(request, kind);
    if (!bytes.ok()) return bytes.error();
    return write_file(path, *bytes);
}

Result<std::string> svg_text(const FrameRequest& request) {
    const auto bytes = vector_file(request, FileKind::svg);
    if (!bytes.ok()) return bytes.error();
    std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    // The XML declaration of a file is not allowed inside a page.
    if (const auto root = text.find("<svg"); root != std::string::npos) text.erase(0, root);
    return text;
}

} // namespace blockloom::scene
