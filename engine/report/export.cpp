#include "report/export.h"

#include "base/file.h"
#include "base/part_progress.h"
#include "range/file_hashes.h"
#include "report/csv.h"
#include "report/document_html.h"
#include "report/document_pdf.h"
#include "report/graph_export.h"
#include "report/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace blockloom::report {
namespace {

constexpr std::array<std::pair<std::string_view, Form>, 9> endings{{{".html", Form::html},
                                                                    {".htm", Form::html},
                                                                    {".csv", Form::csv},
                                                                    {".json", Form::json},
                                                                    {".dot", Form::dot},
                                                                    {".graphml", Form::graphml},
                                                                    {".png", Form::png},
                                                                    {".svg", Form::svg},
                                                                    {".pdf", Form::pdf}}};

Result<range::Range> with_hashes(const range::Range& range, ProgressSink& progress,
                                 const std::stop_token& stop) {
    auto files = range::hashed_files(range, progress, stop);
    if (!files) return files.error();
    range::Range hashed = range;
    hashed.files = *std::move(files);
    return hashed;
}

/// Makes the document of a range and lets `write` write it. Hashing the inputs and writing are one
/// piece of work: its steps are files and sections.
template <typename Write>
auto write_document(const range::Range& range, const ExportOptions& options, ProgressSink& progress,
                    const std::stop_token& stop, Write write)
    -> decltype(write(std::declval<const Document&>(), progress)) {
    range::Range hashed = range; // the document refers to it and shows the hashes, which come later
    const Document document = range_document(hashed, options.report, stop);
    const std::uint64_t files = range.files.size(), sections = document.sections.size();
    PartProgress hashing(progress, 0, files, files + sections),
        writing(progress, files, sections, files + sections);
    auto hashes = range::hashed_files(range, hashing, stop);
    if (!hashes) return hashes.error();
    hashed.files = *std::move(hashes);
    return write(document, writing);
}

Result<std::string> text_of(const range::Range& range, const range::BlockRecord& block, Form form,
                            const ExportOptions& options, ProgressSink& progress,
                            const std::stop_token& stop) {
    if (form == Form::csv) return analysis_csv(range);
    if (form == Form::dot) return dependency_dot(block);
    if (form == Form::graphml) return dependency_graphml(block);
    if (form == Form::html)
        return write_document(range, options, progress, stop,
                              [&stop](const Document& document, ProgressSink& writing) {
                                  return html_of(document, writing, stop);
                              });
    const auto hashed = with_hashes(range, progress, stop);
    if (!hashed) return hashed.error();
    return analysis_json(*hashed);
}

Status write_pdf(const range::Range& range, const std::filesystem::path& path,
                 const ExportOptions& options, ProgressSink& progress,
                 const std::stop_token& stop) {
    const auto pdf = write_document(range, options, progress, stop,
                                    [&](const Document& document, ProgressSink& writing) {
                                        return pdf_of(document, options.paper, writing, stop);
                                    });
    if (!pdf) return pdf.error();
    return write_file(path, *pdf);
}

Status write_picture(const range::BlockRecord& block, Form form, const std::filesystem::path& path,
                     const ExportOptions& options, const std::stop_token& stop) {
    const auto picture = make_picture(block, options.picture, stop);
    if (!picture) return picture.error();
    const scene::FileKind kind = form == Form::png ? scene::FileKind::png : scene::FileKind::svg;
    return scene::export_view(picture->request, kind, path.string());
}

} // namespace

std::optional<Form> form_of(const std::filesystem::path& path) {
    std::string name = path.filename().string();
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.ends_with(".trace.json")) return std::nullopt;
    for (const auto& [ending, form] : endings)
        if (name.ends_with(ending)) return form;
    return std::nullopt;
}

bool holds_one_block(Form form) noexcept {
    return form == Form::dot || form == Form::graphml || form == Form::png || form == Form::svg;
}

Status export_range(const range::Range& range, const range::BlockRecord* block,
                    const std::filesystem::path& path, const ExportOptions& options,
                    ProgressSink& progress, std::stop_token stop) {
    const auto form = form_of(path);
    if (!form)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: expected a name that ends in .html, .pdf, .csv, .json, "
                                 ".dot, .graphml, .png or .svg",
                                 path.string())};
    if (block == nullptr) {
        if (range.blocks.empty())
            return Error{ErrorCode::wrong_usage, "nothing to export: the range has no blocks"};
        block = range.blocks.front().get();
    }
    if (*form == Form::pdf) return write_pdf(range, path, options, progress, stop);
    if (*form == Form::png || *form == Form::svg)
        return write_picture(*block, *form, path, options, stop);
    const auto text = text_of(range, *block, *form, options, progress, stop);
    if (!text) return text.error();
    return write_file(path, as_bytes(*text));
}

} // namespace blockloom::report
