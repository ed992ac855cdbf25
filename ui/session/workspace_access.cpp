#include "session/workspace_access.h"

#include <chrono>
#include <thread>

namespace blockloom::ui {

Result<std::unique_ptr<store::Workspace>> open_to_write(const std::filesystem::path& folder) {
    using namespace std::chrono_literals;
    constexpr auto step = 20ms;
    constexpr int tries = 100;
    for (int left = tries;; --left) {
        auto opened = store::Workspace::open(folder);
        if (opened || left == 0 ||
            opened.error().message.find("has this workspace open") == std::string::npos)
            return opened;
        std::this_thread::sleep_for(step);
    }
}

} // namespace blockloom::ui
