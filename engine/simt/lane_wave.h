// One launch of lanes that run the same code, from its inputs to what became of each.
#pragma once

#include "gpuvm/options.h"
#include "simt/batch_inputs.h"
#include "simt/kernel/layout.h"
#include "simt/lane_tape.h"
#include "simt/lane_variant.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::simt {

/// What a lane is launched with.
struct LaneTask {
    const gpuvm::Invocation* given = nullptr;
    const Tape* tape = nullptr;
    std::uint64_t held_back = 0; ///< fuel that its code is not given
};

/// Buffers are kept for the next launch. One thread at a time; what became of lanes may be read by
/// several.
class LaneWave {
public:
    LaneWave(compute::ProviderPtr provider, compute::Lane lane)
        : provider_(std::move(provider)), lane_(lane) {}
    [[nodiscard]] const compute::Provider* provider() const noexcept { return provider_.get(); }

    /// Starts `count` lanes. `task(i)` may be called by several threads.
    [[nodiscard]] Status launch(std::shared_ptr<const LaneVariant> variant, BatchInputs& inputs,
                                std::uint32_t count,
                                const std::function<LaneTask(std::uint32_t)>& task,
                                const gpuvm::Options& options);
    /// finish() does not wait for it.
    [[nodiscard]] bool has_landed() { return provider_->done(ticket_); }
    /// Waits, instead of finish(): nothing of it is of interest.
    void abandon() noexcept { (void)provider_->wait(ticket_, options_.time_out); }
    /// Waits, and fetches the memory of lanes that wait for the host.
    [[nodiscard]] Status finish(const std::stop_token& stop, gpuvm::Times& times);

    /// Its number (gpuvm::Options::launched).
    [[nodiscard]] std::uint32_t submission() const noexcept { return submission_; }
    [[nodiscard]] std::uint32_t size() const noexcept { return push_.count; }
    [[nodiscard]] const LaneVariant& variant() const noexcept { return *variant_; }
    /// native::Exit, LANE_RUNNING if it never ended, or LANE_NO_DUMP.
    [[nodiscard]] std::uint32_t exit(std::uint32_t lane) const;
    /// Whether what a lane gave at its end or at its call has arrived undamaged.
    [[nodiscard]] bool intact(std::uint32_t lane) const { return intact_[lane] != 0; }
    [[nodiscard]] std::uint64_t row(std::uint32_t row, std::uint32_t lane) const noexcept {
        return rows_[std::size_t{row} * push_.stride + lane];
    }
    [[nodiscard]] std::uint32_t done(std::uint32_t lane) const; ///< LANE_DONE_ flags and reads
    [[nodiscard]] std::uint32_t import(std::uint32_t lane) const;
    [[nodiscard]] std::uint32_t call_place(std::uint32_t lane) const;
    void read_cells(std::uint32_t lane, std::uint32_t count, std::vector<wasm::Cell>& to) const;
    void read_log(std::uint32_t lane, std::vector<std::uint32_t>& to) const;
    /// The bytes at the lane's first result, if it brought them (LANE_DONE_RESPONSE).
    void read_response(std::uint32_t lane, std::string& to) const;
    /// Small pages of the lane's memory that differ from its start, ascending; only if it was
    /// dumped.
    [[nodiscard]] std::span<const std::uint32_t> pages(std::uint32_t lane) const;
    [[nodiscard]] ByteView page(std::uint32_t lane, std::size_t index) const; ///< of pages()
    [[nodiscard]] wasm::Cell global(std::uint32_t lane, std::uint32_t index) const;

private:
    [[nodiscard]] Status reserve_all();
    void check_lanes();
    /// Whether `count` lanes that gave equally much have arrived undamaged.
    void check_alike(std::uint32_t first, std::uint32_t count);
    [[nodiscard]] bool alike(std::uint32_t lane, std::uint32_t other) const;
    /// Of what lies in the dump. Nothing: it does not lie there.
    [[nodiscard]] std::optional<std::uint32_t> mix_dumped(std::uint32_t sum,
                                                          std::uint32_t lane) const;
    [[nodiscard]] const std::uint32_t* log_row(std::uint32_t row) const noexcept {
        return logged_ + std::size_t{row} * push_.stride;
    }
    [[nodiscard]] Status fetch_dump(const std::stop_token& stop);
    [[nodiscard]] std::uint32_t cells_given(std::uint32_t lane) const;
    [[nodiscard]] std::uint32_t dump_first(std::uint32_t lane) const;
    [[nodiscard]] std::uint32_t dump_count(std::uint32_t lane) const;

    compute::ProviderPtr provider_;
    compute::Lane lane_;
    std::shared_ptr<const LaneVariant> variant_;
    gpuvm::Options options_;
    compute::CommandListPtr list_, rest_;
    compute::Ticket ticket_;
    compute::BufferPtr upload_, lanes_; ///< unless they are beside the inputs
    /// In memory of the host: what a lane gives is little, is written once, and needs no copy.
    compute::BufferPtr results_, log_;
    const std::uint64_t* rows_ = nullptr;   ///< of results_
    const std::uint32_t* logged_ = nullptr; ///< of log_
    compute::BufferPtr dump_, dump_here_;   ///< on the device, and what of it was fetched
    bool dump_is_empty_ = false;            ///< its count of pages is 0
    LanePush push_{};
    std::uint32_t submission_ = gpuvm::no_submission;
    std::vector<std::uint8_t> intact_; ///< by lane, for those that gave something
    std::uint32_t dumped_ = 0;
};

} // namespace blockloom::simt
