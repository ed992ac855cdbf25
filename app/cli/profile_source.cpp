#include "profile_source.h"

#include "base/file.h"
#include "base/number_text.h"
#include "report/profile_report.h"
#include "runs/provenance.h"
#include "terminal.h"

#include <filesystem>
#include <fmt/format.h>

namespace blockloom::cli {
namespace {

std::string_view text_of(const FileContent& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

} // namespace

Result<std::optional<std::string>> profile_among(const std::vector<std::string>& sources) {
    for (const std::string& source : sources) {
        std::error_code unknown;
        if (!source.ends_with(".json") || !std::filesystem::is_regular_file(source, unknown))
            continue;
        const auto file = FileContent::read(source);
        if (!file || !report::looks_like_profile(text_of(*file))) continue;
        if (sources.size() > 1)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: expected a profile as the only source, found {} sources",
                                     source, sources.size())};
        return std::optional(source);
    }
    return std::optional<std::string>();
}

Result<int> report_profile(const std::string& source, const PictureChoice& picture,
                           const std::string& output, const Context& context) {
    const auto size = picture_size(picture);
    if (!size) return size.error();
    const auto file = FileContent::read(source);
    if (!file) return file.error();
    const auto profile = report::read_profile(text_of(*file), source);
    if (!profile) return profile.error();
    report::ProfileOptions options;
    options.theme = picture.theme == "dark" ? &scene::dark_theme() : &scene::light_theme();
    options.width = size->first;
    options.height = picture.size_given->count() > 0 ? size->second : 0;
    options.version = BLOCKLOOM_VERSION;
    options.date = runs::provenance_now(BLOCKLOOM_VERSION).date;
    if (const Status written = report::export_profile(*profile, output, options); !written)
        return written.error();
    if (!context.quiet)
        print(fmt::format("{}: profile of {}, {} fuel in {}\n", printable(output),
                          printable(profile->invoked), count_text(profile->fuel),
                          counted(profile->functions.size(), "function")));
    return 0;
}

} // namespace blockloom::cli
