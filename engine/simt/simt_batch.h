// Lanes of compiled code on this machine's processor.
#pragma once

#include "gpuvm/batch.h"
#include "gpuvm/options.h"
#include "simt/frame_region.h"
#include "simt/lane_answers.h"

#include <memory>
#include <vector>

namespace blockloom::simt {

class SimtBatch final : public gpuvm::Batch {
public:
    /// Both outlive the batch.
    SimtBatch(const std::vector<std::shared_ptr<const CompiledProgram>>& programs,
              const gpuvm::Options& options)
        : programs_(programs), options_(options) {}

    [[nodiscard]] Status start(std::span<const gpuvm::Invocation> invocations,
                               const gpuvm::Inputs& inputs) override;
    /// Runs all lanes that do not wait, to their next stop.
    [[nodiscard]] Result<bool> advance(const std::stop_token& stop) override;
    [[nodiscard]] std::span<const gpuvm::Stop> stops() const noexcept override { return stops_; }
    [[nodiscard]] std::span<const gpuvm::WaveTime> wave_times() const noexcept override {
        return {};
    }
    [[nodiscard]] std::span<const gpuvm::LaneTime>
    lane_times(const gpuvm::WaveTime&) const noexcept override {
        return {};
    }
    [[nodiscard]] gpuvm::Ended ended(std::uint32_t invocation) const override;
    [[nodiscard]] wasm::RunResult so_far(std::uint32_t invocation) const override;
    [[nodiscard]] Result<std::vector<std::uint32_t>> reads(std::uint32_t invocation) override {
        return lanes_[invocation].record.reads;
    }
    [[nodiscard]] Status fetch_reads() override { return {}; }
    [[nodiscard]] Result<std::vector<wasm::Cell>> globals(std::uint32_t invocation) override;
    [[nodiscard]] std::uint32_t dropped_segments(std::uint32_t invocation) const override;
    [[nodiscard]] std::vector<wasm::Cell> arguments(std::uint32_t invocation) const override;
    [[nodiscard]] std::uint64_t fuel_left(std::uint32_t invocation) const override;
    [[nodiscard]] std::uint32_t memory_pages(std::uint32_t invocation) const override;
    [[nodiscard]] std::vector<std::uint32_t> resident(std::uint32_t invocation) const override;
    [[nodiscard]] Status read_pages(std::span<const gpuvm::PageRead> pages,
                                    std::span<Byte> to) override;
    [[nodiscard]] Status write_pages(std::span<const gpuvm::PageRead> pages,
                                     ByteView from) override;
    [[nodiscard]] Status load_memories(std::span<const std::uint32_t> invocations,
                                       std::span<wasm::Instance* const> instances) override;
    [[nodiscard]] Status store_memories(std::span<const std::uint32_t> invocations,
                                        std::span<wasm::Instance* const> instances) override;
    void answer(std::uint32_t invocation, const gpuvm::HostReply& reply) override;
    void drop(std::uint32_t invocation) override;
    [[nodiscard]] std::size_t size() const noexcept override { return lanes_.size(); }
    [[nodiscard]] gpuvm::Times times() const noexcept override { return times_; }
    [[nodiscard]] gpuvm::Work work() const noexcept override { return work_; }

private:
    enum class Phase : std::uint8_t { running, stopped, over };
    struct Lane {
        std::shared_ptr<const CompiledProgram> program;
        gpuvm::Invocation given; ///< its arguments are `arguments`
        std::vector<wasm::Cell> arguments, results;
        std::vector<TapeEntry> tape;
        TapeEntry next; ///< what the host has written since the lane stopped
        LaneRecord record;
        native::LaneEnd end;
        std::uint64_t held_back = 0; ///< fuel that its code was not given
        std::uint64_t fuel_left = 0, fees = 0, memory_bytes = 0;
        wasm::Trap trap;
        Phase phase = Phase::running;
        gpuvm::Stop stop;
        Reach reach = Reach::declared;
        bool used = false; ///< its frame is not zero
    };

    void run_lane(std::uint32_t number);
    /// From its beginning, with the answers that its tape has.
    void run_once(Lane& lane, std::uint32_t number, const native::LaneCode& code);
    void stop_at(Lane& lane, native::Exit exit);
    [[nodiscard]] LaneMemory memory_of(std::uint32_t number) const;
    [[nodiscard]] const native::LanePlan& plan_of(const Lane& lane) const;
    /// A small page as it is now.
    void page_now(std::uint32_t number, std::uint32_t page, std::span<Byte> to) const;
    void page_at_start(const Lane& lane, std::uint32_t page, std::span<Byte> to) const;

    const std::vector<std::shared_ptr<const CompiledProgram>>& programs_;
    const gpuvm::Options& options_;
    KnownValues values_;
    FrameRegion frames_;
    std::vector<Lane> lanes_;
    std::vector<gpuvm::Stop> stops_;
    gpuvm::Times times_;
    gpuvm::Work work_;
};

} // namespace blockloom::simt
