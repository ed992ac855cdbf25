#include "simt/program_code.h"

#include "simt/lane_start.h"

#include <algorithm>

namespace blockloom::simt {
namespace {

/// Beyond its first size a memory can grow by this many pages of 64 KiB before its lane leaves.
constexpr std::uint32_t grown_pages = 4, much_grown_pages = 16;

/// Bytes of memory that the module declares, or that its data reach.
std::uint64_t declared_bytes(const gpuvm::InstanceImage& image) {
    const auto& memories = image.program->module->memories;
    std::uint64_t bytes = memories.empty() ? 0 : std::uint64_t{memories.front().min} << 16;
    if (!image.page_numbers.empty())
        bytes = std::max(bytes, (std::uint64_t{image.page_numbers.back()} + 1) * gpuvm::small_page);
    return std::min(bytes, std::uint64_t{image.pages} << 16);
}

/// What only growing brings, page by page: a window is there in whole or not at all.
void add_growth(std::vector<native::AddressRange>& ranges, const gpuvm::InstanceImage& image,
                std::uint32_t pages) {
    // A range begins below 4 GiB.
    const std::uint32_t most = std::min(image.most_pages, 0xffffu);
    for (std::uint32_t page = image.pages; page < std::min(image.pages + pages, most); ++page)
        ranges.push_back({page << 16, 1u << 16});
}

} // namespace

ProgramCode::ProgramCode(const gpuvm::InstanceImage& image) {
    image_.program = image.program;
    image_.pages = image.pages;
    image_.most_pages = image.most_pages;
    image_.tables = image.tables;
    image_.call_depth = image.call_depth;
    image_.stack_cells = image.stack_cells;
    const std::uint64_t all = std::uint64_t{image.pages} << 16, declared = declared_bytes(image);
    auto& small = ranges_[static_cast<std::size_t>(Reach::declared)];
    auto& large = ranges_[static_cast<std::size_t>(Reach::whole)];
    const auto range = [](std::uint64_t bytes) {
        return native::AddressRange{
            0, static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, 0xffff'0000))};
    };
    small.push_back(range(declared));
    add_growth(small, image, grown_pages);
    large.push_back(range(all));
    add_growth(large, image, much_grown_pages);
    ran_ = std::make_shared<native::RanBlocks>(*image.program);
    further_ = declared < all || image.most_pages > image.pages + grown_pages;
}

std::shared_ptr<const native::LaneCode> ProgramCode::of(Reach reach, bool records) {
    Form& form = form_of(reach, records);
    const std::lock_guard lock(form.compiling);
    if (form.tried) return form.code;
    const Nanoseconds begin = now_ns();
    if (auto plan =
            native::plan_lanes(lane_start_of(image_), ranges_[static_cast<std::size_t>(reach)])) {
        if (records) plan->records = ran_;
        if (auto made = native::LaneCode::compile(*std::move(plan))) {
            form.code = *std::move(made);
            form.compilation = {begin, now_ns(), false};
        }
    }
    form.tried = true;
    return form.code;
}

bool ProgramCode::is_there(Reach reach, bool records) {
    Form& form = form_of(reach, records);
    if (form.tried) return true;
    const std::lock_guard lock(mutex_);
    if (!form.background.joinable())
        form.background = std::jthread([this, reach, records] { (void)of(reach, records); });
    return false;
}

std::optional<gpuvm::Compilation> ProgramCode::compilation(Reach reach) const {
    const Form& form = forms_[static_cast<std::size_t>(reach)][0];
    return form.tried && form.code ? std::optional(form.compilation) : std::nullopt;
}

std::shared_ptr<DeviceCode> ProgramCode::on_device(const gpuvm::InstanceImage& image,
                                                   const compute::ProviderPtr& provider,
                                                   std::uint32_t function) {
    const std::lock_guard lock(mutex_);
    std::erase_if(device_, [](const auto& code) { return code->unused(); });
    for (const auto& code : device_)
        if (code->is_for(provider, function)) return code;
    device_.push_back(std::make_shared<DeviceCode>(image, provider, function, ran_));
    return device_.back();
}

bool ProgramCode::is_for(const gpuvm::InstanceImage& image) const {
    return image.program == image_.program && image.pages == image_.pages &&
           image.most_pages == image_.most_pages && image.call_depth == image_.call_depth &&
           image.stack_cells == image_.stack_cells &&
           std::equal(image.tables.begin(), image.tables.end(), image_.tables.begin(),
                      image_.tables.end(),
                      [](const auto& a, const auto& b) { return a.cells == b.cells; });
}

std::shared_ptr<ProgramCode> code_for(const gpuvm::InstanceImage& image) {
    constexpr std::size_t most_kept = 64;
    static std::mutex mutex;
    static std::vector<std::shared_ptr<ProgramCode>> kept; // the last used one at the end
    const std::lock_guard lock(mutex);
    const auto found =
        std::ranges::find_if(kept, [&](const auto& each) { return each->is_for(image); });
    std::shared_ptr<ProgramCode> code =
        found == kept.end() ? std::make_shared<ProgramCode>(image) : *found;
    if (found != kept.end()) kept.erase(found);
    if (kept.size() == most_kept) kept.erase(kept.begin());
    kept.push_back(code);
    return code;
}

} // namespace blockloom::simt
