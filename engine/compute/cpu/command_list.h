// Commands that the processor executes one after the other.
#pragma once

#include "compute/cpu/core.h"

#include <optional>

namespace blockloom::compute {

class CpuKernel final : public Kernel {
public:
    CpuKernel(const void* owner, const KernelSource& source)
        : Kernel(owner, source), host_(source.host), constants_(source.constants) {}

    [[nodiscard]] const HostKernel& host() const noexcept { return host_; }
    [[nodiscard]] const std::vector<SpecConstant>& constants() const noexcept { return constants_; }

private:
    HostKernel host_;
    std::vector<SpecConstant> constants_;
};

class CpuCommandList final : public CommandList {
public:
    CpuCommandList(std::shared_ptr<CpuCore> core, Lane lane)
        : core_(std::move(core)), lane_(lane) {}

    Status clear() override;
    void copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
              std::uint64_t to_offset, std::uint64_t bytes) override;
    void fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
              std::uint32_t word) override;
    void dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                  std::span<const std::byte> push, Groups groups) override;
    void barrier() override {} // commands run in order anyway
    void timestamp(std::string label) override;
    [[nodiscard]] Result<std::vector<Timestamp>> timestamps() const override;

    [[nodiscard]] const CpuCore* core() const noexcept { return core_.get(); }
    [[nodiscard]] Lane lane() const noexcept { return lane_; }
    [[nodiscard]] bool idle() const { return core_->done({lane_, last_value_}); }
    [[nodiscard]] const std::optional<Error>& mistake() const noexcept { return wrong_; }
    void submitted(std::uint64_t value) noexcept {
        last_value_ = value;
        ended_ = true;
    }
    /// Called on the lane's thread.
    void run();

private:
    struct Command {
        std::function<void()> run;
        std::optional<std::size_t> timestamp; ///< position in taken_
    };

    void wrong(const std::string& what);
    [[nodiscard]] bool fits(const BufferPtr& buffer, std::uint64_t offset, std::uint64_t bytes,
                            const char* what);

    std::shared_ptr<CpuCore> core_;
    Lane lane_;
    std::vector<Command> commands_;
    std::vector<Timestamp> taken_;
    std::optional<Error> wrong_;
    bool ended_ = false;
    std::uint64_t last_value_ = 0;
};

} // namespace blockloom::compute
