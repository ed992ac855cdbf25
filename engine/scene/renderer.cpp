#include "scene/renderer.h"

#include <cstdlib>
#include <string_view>

namespace blockloom::scene {

std::unique_ptr<Renderer> make_renderer(std::string& why) {
    why.clear();
    const char* asked = std::getenv("BLOCKLOOM_RENDERER");
    const std::string_view choice = asked == nullptr ? "" : asked;
    if (choice == "cairo") {
        why = "BLOCKLOOM_RENDERER=cairo";
        return make_cairo_renderer();
    }
    auto vulkan = make_vulkan_renderer();
    if (vulkan.ok()) return std::move(*vulkan);
    why = vulkan.error().message;
    return make_cairo_renderer();
}

} // namespace blockloom::scene
