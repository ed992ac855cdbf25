// Commands that are put on a stream each time they are submitted.
#pragma once

#include "compute/cuda/core.h"
#include "compute/cuda/objects.h"

#include <optional>
#include <variant>

namespace blockloom::compute::cuda {

class CudaCommandList final : public CommandList {
public:
    CudaCommandList(std::shared_ptr<Core> core, Lane lane) : core_(std::move(core)), lane_(lane) {}
    ~CudaCommandList() override;

    Status clear() override;
    void copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
              std::uint64_t to_offset, std::uint64_t bytes) override;
    void fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
              std::uint32_t word) override;
    void dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                  std::span<const std::byte> push, Groups groups) override;
    void barrier() override {} // commands of a stream run in order anyway
    void timestamp(std::string label) override;
    [[nodiscard]] Result<std::vector<Timestamp>> timestamps() const override;

    [[nodiscard]] const Core* core() const noexcept { return core_.get(); }
    [[nodiscard]] Lane lane() const noexcept { return lane_; }
    [[nodiscard]] bool idle() const {
        return last_value_ == 0 || core_->done({lane_, last_value_});
    }
    [[nodiscard]] const std::optional<Error>& mistake() const noexcept { return wrong_; }
    [[nodiscard]] std::size_t commands() const noexcept { return commands_.size(); }
    /// The driver may wait for the device before it launches one of its kernels.
    [[nodiscard]] bool has_new_kernel() const;
    /// Puts everything on the stream. The context is current.
    [[nodiscard]] Status play(Stream stream, std::shared_ptr<const Origin> origin);
    void submitted(std::uint64_t value) noexcept {
        last_value_ = value;
        ended_ = true;
    }

private:
    struct Copy {
        BufferPtr from, to; ///< kept alive
        Pointer at_from, at_to;
        std::uint64_t bytes;
    };
    struct Fill {
        BufferPtr to;
        Pointer at;
        std::uint64_t words;
        std::uint32_t word;
    };
    struct Launch {
        std::shared_ptr<const CudaKernel> kernel;
        std::vector<Binding> kept;
        std::vector<Pointer> addresses;
        std::vector<std::uint32_t> words;
        Groups groups;
    };
    struct Stamp {
        std::string label;
        Event event = nullptr;
    };

    void wrong(const std::string& what);
    void keep_events();
    [[nodiscard]] bool fits(const BufferPtr& buffer, std::uint64_t offset, std::uint64_t bytes,
                            const char* what);

    std::shared_ptr<Core> core_;
    Lane lane_;
    std::vector<std::variant<Copy, Fill, Launch, Stamp>> commands_;
    std::vector<Event> spare_;             ///< of stamps that were cleared
    std::shared_ptr<const Origin> origin_; ///< of the last submission
    std::optional<Error> wrong_;
    bool ended_ = false;
    std::uint64_t last_value_ = 0;
};

} // namespace blockloom::compute::cuda
