#include "kept_runs.h"

#include "base/file.h"
#include "workspace.h"

#include <fmt/format.h>

namespace blockloom::cli {
namespace {

bool is_file(const std::string& name) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(name, unknown);
}

std::string_view text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

Result<report::KeptRun> find_run(const Context& context, const std::string& name) {
    if (is_file(name)) {
        const auto file = MappedFile::open(name);
        if (!file) return file.error();
        return report::read_run(text_of(file->bytes()), name);
    }
    const auto workspace = open_workspace(context, {.read_only = true});
    if (!workspace) return workspace.error();
    const auto document = (*workspace)->load_run(name);
    if (!document) return document.error();
    if (!*document)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: no run \"{}\", and no file of that name (runs list names "
                                 "them)",
                                 (*workspace)->folder().string(), name)};
    return report::read_run(**document, name);
}

} // namespace blockloom::cli
