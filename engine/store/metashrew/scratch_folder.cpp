#include "store/metashrew/scratch_folder.h"

#include "base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

namespace blockloom::store {
namespace {

bool lies_in(const std::filesystem::path& inner, const std::filesystem::path& outer) {
    const auto [end, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return end == outer.end();
}

} // namespace

Result<ScratchFolder> ScratchFolder::create(const std::filesystem::path& under,
                                            const std::filesystem::path& outside) {
    std::error_code failed;
    std::filesystem::path base =
        under.empty() ? std::filesystem::temp_directory_path(failed) : under;
    if (!failed) base = std::filesystem::canonical(base, failed);
    std::error_code unknown;
    const std::filesystem::path other = std::filesystem::canonical(outside, unknown);
    if (failed)
        return Error{ErrorCode::system, fmt::format("{}: cannot make a scratch folder here: {}",
                                                    base.string(), failed.message())};
    if (!unknown && lies_in(base, other))
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a scratch folder outside {}, where nothing may "
                                 "be written; set TMPDIR to another folder",
                                 base.string(), other.string())};
    std::string name = (base / "blockloom-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return system_error(base, "make a folder in it", errno);
    ScratchFolder scratch;
    scratch.path_ = name; // mkdtemp makes it with mode 0700
    return scratch;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

} // namespace blockloom::store
