#include "scene/renderer.h"

#include <cstdlib>
#include <string>
#include <string_view>

namespace blockloom::scene {

namespace {

std::string_view chosen() {
    const char* asked = std::getenv("BLOCKLOOM_RENDERER");
    return asked == nullptr ? "" : asked;
}

} // namespace

Status check_renderer_choice() {
    if (chosen().empty() || chosen() == "cairo" || chosen() == "vulkan") return {};
    return Error{ErrorCode::wrong_usage, "BLOCKLOOM_RENDERER: expected cairo or vulkan, found \"" +
                                             std::string(chosen()) + "\""};
}

std::unique_ptr<Renderer> make_renderer(std::string& why) {
    why.clear();
    if (chosen() == "cairo") {
        why = "BLOCKLOOM_RENDERER=cairo";
        return make_cairo_renderer();
    }
    auto vulkan = make_vulkan_renderer();
    if (vulkan.ok()) return std::move(*vulkan);
    why = vulkan.error().message;
    return make_cairo_renderer();
}

} // namespace blockloom::scene
