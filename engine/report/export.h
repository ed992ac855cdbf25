// A range or one of its blocks as a file, in the format of the file's ending.
#pragma once

#include "range/range.h"
#include "report/paper.h"
#include "report/picture.h"
#include "report/range_document.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace blockloom::report {

/// File formats. Range: html, pdf, csv, json. One block: dot, graphml, png, svg.
enum class Form : std::uint8_t { html, pdf, csv, json, dot, graphml, png, svg };

/// By the ending, ignoring case; nothing for an unknown one (such as ".trace.json").
[[nodiscard]] std::optional<Form> form_of(const std::filesystem::path& path);

/// Whether the format is for a single block.
[[nodiscard]] bool holds_one_block(Form form) noexcept;

struct ExportOptions {
    RangeReportOptions report;
    Paper paper = Paper::a4; ///< of .pdf
    PictureOptions picture;
};

/// Writes the whole file or nothing. `block`: for formats of one block; null: the range's first
/// block. Reports (.html, .pdf, .json) include the hashes of the inputs. Fails on an unknown ending
/// and lists the known ones.
Status export_range(const range::Range& range, const range::BlockRecord* block,
                    const std::filesystem::path& path, const ExportOptions& options,
                    ProgressSink& progress, std::stop_token stop = {});

} // namespace blockloom::report
