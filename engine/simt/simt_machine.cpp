#include "simt/simt_machine.h"

#include "simt/simt_batch.h"

namespace blockloom::simt {
namespace {

class SimtMachine final : public gpuvm::Machine {
public:
    SimtMachine(compute::ProviderPtr provider, const gpuvm::Options& options)
        : provider_(std::move(provider)), options_(options) {}

    [[nodiscard]] Result<std::uint32_t> add(const gpuvm::InstanceImage& image,
                                            std::span<const gpuvm::HostRule> rules) override {
        std::shared_ptr<ProgramCode> code;
        for (const auto& there : programs_)
            if (there->code()->is_for(image)) code = there->code();
        if (!code) code = std::make_shared<ProgramCode>(image);
        programs_.push_back(std::make_shared<CompiledProgram>(image, rules, std::move(code)));
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
