#include "simt/simt_machine.h"

#include "simt/simt_batch.h"

#include <algorithm>
#include <mutex>

namespace blockloom::simt {
namespace {

/// What was compiled for a machine serves the next one: repetitions compile once.
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

class SimtMachine final : public gpuvm::Machine {
public:
    SimtMachine(compute::ProviderPtr provider, const gpuvm::Options& options)
        : provider_(std::move(provider)), options_(options) {}

    [[nodiscard]] Result<std::uint32_t> add(const gpuvm::InstanceImage& image,
                                            std::span<const gpuvm::HostRule> rules) override {
        programs_.push_back(std::make_shared<CompiledProgram>(image, rules, code_for(image)));
        return static_cast<std::uint32_t>(programs_.size() - 1);
    }
    void clear() override { programs_.clear(); }
    [[nodiscard]] std::unique_ptr<gpuvm::Batch> batch() override {
        return std::make_unique<SimtBatch>(programs_, options_);
    }
    [[nodiscard]] std::uint32_t most_lanes() const override { return lanes_at_once; }
    [[nodiscard]] std::uint32_t wave() const noexcept override { return 1; }
    [[nodiscard]] std::size_t programs() const noexcept override { return programs_.size(); }
    [[nodiscard]] bool tells_wave_times() const noexcept override { return false; }
    [[nodiscard]] double ns_per_tick() const noexcept override { return 0; }
    [[nodiscard]] const gpuvm::Options& options() const noexcept override { return options_; }
    [[nodiscard]] compute::Provider& provider() const noexcept override { return *provider_; }

private:
    /// Their frames are reserved together; of each, what it writes takes memory.
    static constexpr std::uint32_t lanes_at_once = 512;

    compute::ProviderPtr provider_;
    gpuvm::Options options_;
    std::vector<std::shared_ptr<const CompiledProgram>> programs_;
};

} // namespace

std::unique_ptr<gpuvm::Machine> make_machine(compute::ProviderPtr provider,
                                             const gpuvm::Options& options) {
    return std::make_unique<SimtMachine>(std::move(provider), options);
}

Result<std::unique_ptr<gpuvm::Machine>> machine_for(compute::ProviderPtr provider,
                                                    const gpuvm::Options& options) {
    if (provider->description().backend == "simt")
        return make_machine(std::move(provider), options);
    return gpuvm::Machine::make(std::move(provider), options);
}

} // namespace blockloom::simt
