// A range or one of its blocks as a file, in the form that the file's ending names.
#pragma once

#include "range/range.h"
#include "report/html.h"
#include "report/picture.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace blockloom::report {

/// What a file can hold. Range: html, csv, json. One block: dot, graphml, png, svg, pdf.
enum class Form : std::uint8_t { html, csv, json, dot, graphml, png, svg, pdf };

/// By the ending, whatever its case; nothing for one that is not known (".trace.json" is not).
[[nodiscard]] std::optional<Form> form_of(const std::filesystem::path& path);

/// Whether the form holds one block only.
[[nodiscard]] bool holds_one_block(Form form) noexcept;

struct ExportOptions {
    HtmlOptions html;
    PictureOptions picture;
};

/// Writes the file whole or not at all. `block` is what one-block forms hold; null: the range's
/// first. Reports (.html, .json) carry the inputs' hashes. Fails on an ending that is not known,
/// naming those that are.
Status export_range(const range::Range& range, const range::BlockRecord* block,
                    const std::filesystem::path& path, const ExportOptions& options,
                    ProgressSink& progress, std::stop_token stop = {});

} // namespace blockloom::report
