#include "store/location.h"

#include <cstdlib>

namespace blockloom::store {

Result<std::filesystem::path> default_folder() {
    const char* data = std::getenv("XDG_DATA_HOME");
    // The specification says to ignore a relative path.
    if (data != nullptr && std::filesystem::path(data).is_absolute())
        return std::filesystem::path(data) / "blockloom" / "workspace";
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home != '\0')
        return std::filesystem::path(home) / ".local" / "share" / "blockloom" / "workspace";
    return Error{
        ErrorCode::wrong_usage,
        "workspace: neither XDG_DATA_HOME nor HOME is set; name a folder with --workspace"};
}

} // namespace blockloom::store
