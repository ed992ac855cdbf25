#include "simt/lane_machine.h"

#include "compute/cpu/cpu_provider.h"
#include "simt/lane_batch.h"

namespace blockloom::simt {
namespace {

class LaneMachine final : public gpuvm::Machine {
public:
    LaneMachine(compute::ProviderPtr provider, const gpuvm::Options& options)
        : provider_(std::move(provider)), options_(options) {
        if (provider_->description().backend == "simt")
            providers_.host = provider_;
        else
            providers_ = {compute::open_lanes(), provider_};
    }

    [[nodiscard]] Result<std::uint32_t> add(const gpuvm::InstanceImage& image,
                                            std::span<const gpuvm::HostRule> rules) override {
        programs_.push_back(std::make_shared<CompiledProgram>(image, rules, providers_));
        return static_cast<std::uint32_t>(programs_.size() - 1);
    }
    void clear() override { programs_.clear(); }
    [[nodiscard]] std::unique_ptr<gpuvm::Batch> batch() override {
        return std::make_unique<LaneBatch>(programs_, options_, compute::further_lane(made_++));
    }
    [[nodiscard]] unsigned batches_at_once() const noexcept override { return most_batches; }
    [[nodiscard]] std::uint32_t most_lanes() const override {
        return providers_.device ? lanes_on_device : lanes_on_host;
    }
    [[nodiscard]] std::uint32_t wave() const noexcept override {
        return providers_.device ? 32 : 1;
    }
    [[nodiscard]] std::size_t programs() const noexcept override { return programs_.size(); }
    [[nodiscard]] bool tells_wave_times() const noexcept override { return false; }
    [[nodiscard]] double ns_per_tick() const noexcept override { return 0; }
    [[nodiscard]] std::vector<gpuvm::CompiledCode> take_compiled() override {
        std::vector<gpuvm::CompiledCode> all;
        for (std::uint32_t number = 0; number < programs_.size(); ++number)
            for (gpuvm::CompiledCode& code : programs_[number]->take_compiled()) {
                code.program = number;
                all.push_back(code);
            }
        return all;
    }
    [[nodiscard]] std::vector<gpuvm::CodeFacts> code() const override {
        std::vector<gpuvm::CodeFacts> all;
        for (std::uint32_t number = 0; number < programs_.size(); ++number)
            for (gpuvm::CodeFacts& facts : programs_[number]->code()) {
                facts.program = number;
                all.push_back(std::move(facts));
            }
        return all;
    }
    [[nodiscard]] const gpuvm::Options& options() const noexcept override { return options_; }
    [[nodiscard]] compute::Provider& provider() const noexcept override { return *provider_; }

private:
    static constexpr std::uint32_t lanes_on_host = 512, lanes_on_device = 1 << 18;
    static constexpr unsigned most_batches = 256; // without lanes they are small

    compute::ProviderPtr provider_;
    Providers providers_;
    gpuvm::Options options_;
    std::vector<std::shared_ptr<CompiledProgram>> programs_;
    unsigned made_ = 0; ///< batches
};

} // namespace

std::unique_ptr<gpuvm::Machine> make_machine(compute::ProviderPtr provider,
                                             const gpuvm::Options& options) {
    return std::make_unique<LaneMachine>(std::move(provider), options);
}

Result<std::unique_ptr<gpuvm::Machine>> machine_for(compute::ProviderPtr provider,
                                                    const gpuvm::Options& options) {
    const std::string& backend = provider->description().backend;
    if (backend == "simt" || backend == "cuda") return make_machine(std::move(provider), options);
    return gpuvm::Machine::make(std::move(provider), options);
}

} // namespace blockloom::simt
