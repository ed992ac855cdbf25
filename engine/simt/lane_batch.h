// Lanes of compiled code, on a device or on this machine's processor.
#pragma once

#include "gpuvm/batch.h"
#include "gpuvm/options.h"
#include "simt/batch_inputs.h"
#include "simt/compiled_program.h"
#include "simt/lane_tape.h"
#include "simt/lane_wave.h"

#include <memory>
#include <vector>

namespace blockloom::simt {

class LaneBatch final : public gpuvm::Batch {
public:
    /// Both outlive the batch.
    /// `lane`: of its submissions on a device.
    LaneBatch(const std::vector<std::shared_ptr<CompiledProgram>>& programs,
              const gpuvm::Options& options, compute::Lane lane)
        : programs_(programs), options_(options), lane_(lane) {}
    ~LaneBatch() override { abandon_launched(); }

    [[nodiscard]] Status start(std::span<const gpuvm::Invocation> invocations,
                               const gpuvm::Inputs& inputs) override;
    [[nodiscard]] Status launch() override;
    [[nodiscard]] bool has_landed() override;
    /// Runs all lanes that do not wait, to their next stop.
    [[nodiscard]] Result<bool> advance(const std::stop_token& stop = {},
                                       const std::function<void()>& launched = {}) override;
    [[nodiscard]] std::span<const gpuvm::Stop> stops() const noexcept override { return stops_; }
    [[nodiscard]] std::span<const gpuvm::WaveTime> wave_times() const noexcept override {
        return {};
    }
    [[nodiscard]] std::span<const gpuvm::LaneTime>
    lane_times(const gpuvm::WaveTime&) const noexcept override {
        return {};
    }
    void read_end(std::uint32_t invocation, gpuvm::Ended& to) const override;
    [[nodiscard]] wasm::RunResult so_far(std::uint32_t invocation) const override;
    [[nodiscard]] Status read_log(std::uint32_t invocation,
                                  std::vector<std::uint32_t>& to) override;
    [[nodiscard]] Status fetch_reads() override { return {}; }
    [[nodiscard]] bool read_kept(std::uint32_t invocation, std::uint32_t pointer,
                                 std::string& bytes) const override;
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
    /// Where a lane runs; `any`: wherever its program has code.
    enum class Place : std::uint8_t { any, declared, whole };
    struct Lane {
        CompiledProgram* program = nullptr;
        gpuvm::Invocation given;        ///< its arguments are in arguments_
        const LaneWave* wave = nullptr; ///< its last run, and its number there
        std::uint32_t number = 0;
        Phase phase = Phase::running;
        Place place = Place::any;
        std::uint64_t held_back = 0; ///< fuel that its code was not given
        gpuvm::Stop stop;
        std::unique_ptr<struct LaneDialogue> dialogue; ///< null until the host is asked
    };
    /// Lanes that run the same code together.
    struct Group {
        std::shared_ptr<const LaneVariant> variant;
        std::vector<std::uint32_t> lanes;
    };

    [[nodiscard]] Status check(std::span<const gpuvm::Invocation> invocations,
                               const gpuvm::Inputs& inputs) const;
    [[nodiscard]] Result<std::vector<Group>> place_lanes(std::span<const std::uint32_t> running);
    [[nodiscard]] std::vector<std::uint32_t> lanes_to_run();
    /// Submits the groups; `launched_` has those whose submission succeeded.
    [[nodiscard]] Status launch_groups(std::vector<Group> groups);
    [[nodiscard]] Status finish_groups(const std::stop_token& stop);
    void abandon_launched() noexcept;
    [[nodiscard]] LaneWave& wave_for(const compute::ProviderPtr& provider);
    void stop_lane(std::uint32_t number, gpuvm::StopKind kind, gpuvm::Ejection ejection);
    /// What became of the lane's run: it stops, or runs again.
    void look_at(std::uint32_t number);
    void learn_from(std::uint32_t number);
    void compile_learned();
    void reuse_waves();
    [[nodiscard]] std::uint64_t word(const Lane& lane, std::uint32_t row) const;
    [[nodiscard]] bool dumped(const Lane& lane) const;
    /// A small page as it is now; false: the lane did not keep its memory.
    [[nodiscard]] bool page_now(std::uint32_t number, std::uint32_t page, std::span<Byte> to) const;

    const std::vector<std::shared_ptr<CompiledProgram>>& programs_;
    const gpuvm::Options& options_;
    const compute::Lane lane_;
    BatchInputs inputs_;
    std::vector<wasm::Cell> arguments_;
    std::vector<Lane> lanes_;
    std::vector<std::unique_ptr<LaneWave>> waves_, idle_;
    std::vector<std::pair<Group, LaneWave*>> launched_; ///< on their devices, by wave
    std::vector<std::uint32_t> running_;                ///< lanes that launch() has taken
    bool ahead_ = false; ///< launch() was called for the next advance
    std::vector<gpuvm::Stop> stops_;
    /// Lanes that returned on the host and have shown the memory that they use.
    std::vector<std::pair<DeviceCode*, std::uint32_t>> learned_;
    gpuvm::Times times_;
    gpuvm::Work work_;
};

/// What a lane and the host have said to each other.
struct LaneDialogue {
    Tape tape;
    TapeEntry next; ///< what the host has written since the lane stopped
    wasm::Trap trap;
    bool failed = false; ///< the host's answer was an error: `trap`
};

} // namespace blockloom::simt
