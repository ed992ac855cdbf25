#include "store/damage.h"

#include <fmt/format.h>

namespace blockloom::store {

Error damaged_error(const std::filesystem::path& folder, const std::string& what) {
    return {ErrorCode::bad_input,
            fmt::format("{}: the workspace is damaged: {}{}", folder.string(), what, way_back)};
}

} // namespace blockloom::store
