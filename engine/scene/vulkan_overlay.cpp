#include "scene/vulkan_overlay.h"

#include "scene/glyph_faces.h"
#include "vulkan/status_text.h"

#include <algorithm>
#include <array>
#include <backends/imgui_impl_vulkan.h>
#include <cfloat>
#include <imgui.h>
#include <mutex>

namespace blockloom::scene {
namespace {

// Dear ImGui takes the height from ascender to descender: these are 11 and 12 px of Roboto.
constexpr float text_height = 13, title_height = 14;

std::mutex& imgui_mutex() {
    static std::mutex mutex;
    return mutex;
}

// The backend reports failures only through a plain function, which runs under the lock.
VkResult failed = VK_SUCCESS;
void note_failure(VkResult result) {
    if (result < 0) failed = result;
}

/// Holds the lock and makes a context the current one.
class Current {
public:
    explicit Current(ImGuiContext* context) : lock_(imgui_mutex()) {
        ImGui::SetCurrentContext(context);
        failed = VK_SUCCESS;
    }
    ~Current() { ImGui::SetCurrentContext(nullptr); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    std::lock_guard<std::mutex> lock_;
};

// Latin, and the signs that figures are written with: … – — ‘’“” • ‰ → − ≈ ≤ ≥; × is Latin.
constexpr std::array<ImWchar, 15> characters{0x20,   0xFF,   0x2010, 0x2026, 0x2030,
                                             0x2030, 0x2192, 0x2192, 0x2212, 0x2212,
                                             0x2248, 0x2248, 0x2264, 0x2265, 0};

ImFont* load_font(Face face, float height) {
    ImFontAtlas* fonts = ImGui::GetIO().Fonts;
    const std::string file = font_file(face);
    ImFontConfig config;
    config.OversampleH = 2;
    ImFont* font = nullptr;
    if (!file.empty())
        font = fonts->AddFontFromFileTTF(file.c_str(), height, &config, characters.data());
    return font != nullptr ? font : fonts->AddFontDefault();
}

} // namespace

Result<std::unique_ptr<VulkanOverlay>> VulkanOverlay::create(std::shared_ptr<vulkan::Device> device,
                                                             VkRenderPass over_pass, float ratio) {
    std::unique_ptr<VulkanOverlay> made(new VulkanOverlay);
    made->device_ = std::move(device);
    made->ratio_ = ratio;
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    pool.maxSets = 4;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VkDescriptorPool handle = VK_NULL_HANDLE;
    const VkResult result = vkCreateDescriptorPool(made->device_->get(), &pool, nullptr, &handle);
    if (result != VK_SUCCESS) return vulkan::vulkan_error("vkCreateDescriptorPool", result);
    made->pool_ = vulkan::DescriptorPool(made->device_->get(), handle);
    {
        const std::lock_guard lock(imgui_mutex());
        made->context_ = ImGui::CreateContext();
    }
    const Current current(made->context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = io.LogFilename = nullptr;
    io.FontGlobalScale = 1 / ratio;
    made->fonts_.text = load_font(Face::text, text_height * ratio);
    made->fonts_.medium = load_font(Face::medium, title_height * ratio);
    if (!io.Fonts->Build())
        return Error{ErrorCode::system, "Dear ImGui: its font atlas could not be built"};

    ImGui_ImplVulkan_InitInfo info{};
    info.Instance = made->device_->instance().get();
    info.PhysicalDevice = made->device_->physical();
    info.Device = made->device_->get();
    info.QueueFamily = made->device_->family();
    info.Queue = made->device_->queue();
    info.DescriptorPool = handle;
    info.MinImageCount = info.ImageCount = 2;
    info.MSAASamples = VK_SAMPLE_COUNT_1_BIT;
    info.CheckVkResultFn = note_failure;
    made->backend_ = ImGui_ImplVulkan_Init(&info, over_pass);
    if (failed != VK_SUCCESS) return vulkan::vulkan_error("Dear ImGui", failed);
    if (!made->backend_)
        return Error{ErrorCode::unavailable, "Dear ImGui: its Vulkan backend did not start"};
    return made;
}

VulkanOverlay::~VulkanOverlay() {
    if (context_ == nullptr) return;
    {
        const Current current(context_);
        if (backend_) ImGui_ImplVulkan_Shutdown();
    }
    const std::lock_guard lock(imgui_mutex());
    ImGui::DestroyContext(context_);
}

void VulkanOverlay::pass(OverlayPanel& panel, const FrameRequest& request,
                         const FrameStatistics& statistics, float seconds, Answer& answer) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = seconds;
    const Theme& theme = request.overlay->dark ? dark_theme() : light_theme();
    style_overlay(theme);
    ImGui_ImplVulkan_NewFrame();
    ImGui::NewFrame();
    build_overlay(panel, hud_rows(request, statistics, true), statistics, theme, fonts_, width_,
                  height_, answer.changes);
    ImGui::Render();
    io.MouseWheel = 0;
}

VulkanOverlay::Answer VulkanOverlay::build(const FrameRequest& request,
                                           const FrameStatistics& statistics) {
    const Current current(context_);
    const OverlayFrame& frame = *request.overlay;
    const OverlayInput& input = frame.input;
    width_ = static_cast<float>(request.width) / ratio_;
    height_ = static_cast<float>(request.height) / ratio_;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {width_, height_};
    io.DisplayFramebufferScale = {ratio_, ratio_};
    const Nanoseconds now = now_ns();
    const float passed =
        last_ == 0
            ? 0.02F
            : std::clamp(static_cast<float>(static_cast<double>(now - last_) / 1e9), 0.001F, 0.5F);
    last_ = now;

    Answer answer;
    OverlayPanel panel = frame.panel;
    constexpr float soon = 0.001F;
    // A window takes two passes to find its size: it must stand where it will be seen before the
    // pointer comes.
    for (int i = 0; i < 2 && !settled_; ++i) pass(panel, request, statistics, soon, answer);
    settled_ = true;
    const bool away = input.mouse_x < 0 || input.mouse_y < 0;
    const ImVec2 pointer = away ? ImVec2(-FLT_MAX, -FLT_MAX) : ImVec2(input.mouse_x, input.mouse_y);
    const bool elsewhere = input.pressed && input.press_x >= 0;
    const ImVec2 press_at = elsewhere ? ImVec2(input.press_x, input.press_y) : pointer;
    // Dear ImGui sees one state of the button per pass: what happened between two of our frames
    // is played back in order. The first pass only moves the pointer.
    io.MousePos = input.pressed ? press_at : pointer;
    io.MouseDown[0] = was_down_ && !input.pressed;
    pass(panel, request, statistics, passed, answer);
    if (input.pressed) {
        io.MouseDown[0] = true;
        pass(panel, request, statistics, soon, answer);
    }
    io.MousePos = pointer;
    io.MouseDown[0] = input.down;
    io.MouseWheel = input.wheel;
    io.AddInputCharactersUTF8(input.text.c_str());
    pass(panel, request, statistics, soon, answer);
    // What has opened now needs them too.
    pass(panel, request, statistics, soon, answer);
    pass(panel, request, statistics, soon, answer);
    was_down_ = input.down;
    answer.wants_mouse = io.WantCaptureMouse;
    return answer;
}

Status VulkanOverlay::prepare(VkCommandBuffer commands) {
    if (uploaded_) return {};
    const Current current(context_);
    ImGui_ImplVulkan_CreateFontsTexture(commands);
    if (failed != VK_SUCCESS) return vulkan::vulkan_error("Dear ImGui", failed);
    uploading_ = uploaded_ = true;
    return {};
}

Status VulkanOverlay::draw(VkCommandBuffer commands) {
    const Current current(context_);
    const ImDrawData* const data = ImGui::GetDrawData();
    draw_calls_ = 0;
    for (int i = 0; i < data->CmdListsCount; ++i)
        draw_calls_ += static_cast<std::uint32_t>(data->CmdLists[i]->CmdBuffer.Size);
    ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands);
    if (failed != VK_SUCCESS) return vulkan::vulkan_error("Dear ImGui", failed);
    return {};
}

void VulkanOverlay::finished() {
    if (!uploading_) return;
    const Current current(context_);
    ImGui_ImplVulkan_DestroyFontUploadObjects();
    uploading_ = false;
}

} // namespace blockloom::scene
