// A batch of the interpreter kernel.
#pragma once

#include "gpuvm/batch.h"

namespace blockloom::gpuvm {

struct BatchState;
struct MachineState;

class KernelBatch final : public Batch {
public:
    explicit KernelBatch(MachineState& machine);
    ~KernelBatch() override;

    [[nodiscard]] Status start(std::span<const Invocation> invocations,
                               const Inputs& inputs) override;
    [[nodiscard]] Result<bool> advance(const std::stop_token& stop = {},
                                       const std::function<void()>& launched = {}) override;
    [[nodiscard]] std::span<const Stop> stops() const noexcept override;
    [[nodiscard]] std::span<const WaveTime> wave_times() const noexcept override;
    [[nodiscard]] std::span<const LaneTime>
    lane_times(const WaveTime& wave) const noexcept override;
    void read_end(std::uint32_t invocation, Ended& to) const override;
    [[nodiscard]] wasm::RunResult so_far(std::uint32_t invocation) const override;
    [[nodiscard]] Status read_log(std::uint32_t invocation,
                                  std::vector<std::uint32_t>& to) override;
    [[nodiscard]] Status fetch_reads() override;
    [[nodiscard]] Result<std::vector<wasm::Cell>> globals(std::uint32_t invocation) override;
    [[nodiscard]] std::uint32_t dropped_segments(std::uint32_t invocation) const override;
    [[nodiscard]] std::vector<wasm::Cell> arguments(std::uint32_t invocation) const override;
    [[nodiscard]] std::uint64_t fuel_left(std::uint32_t invocation) const override;
    [[nodiscard]] std::uint32_t memory_pages(std::uint32_t invocation) const override;
    [[nodiscard]] std::vector<std::uint32_t> resident(std::uint32_t invocation) const override;
    [[nodiscard]] Status read_pages(std::span<const PageRead> pages, std::span<Byte> to) override;
    [[nodiscard]] Status write_pages(std::span<const PageRead> pages, ByteView from) override;
    [[nodiscard]] Status load_memories(std::span<const std::uint32_t> invocations,
                                       std::span<wasm::Instance* const> instances) override;
    [[nodiscard]] Status store_memories(std::span<const std::uint32_t> invocations,
                                        std::span<wasm::Instance* const> instances) override;
    void answer(std::uint32_t invocation, const HostReply& reply) override;
    void drop(std::uint32_t invocation) override;
    [[nodiscard]] std::size_t size() const noexcept override;
    [[nodiscard]] Times times() const noexcept override;
    [[nodiscard]] Work work() const noexcept override;

private:
    std::unique_ptr<BatchState> state_;
};

} // namespace blockloom::gpuvm
