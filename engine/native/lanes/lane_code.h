// Lane code: a program whose runs either return with the interpreter's results or leave, to be run
// again elsewhere (docs/native.md#lanes). Compiled for this machine; for a GPU: lane_ptx.h.
#pragma once

#include "native/lanes/plan.h"

#include <span>

namespace blockloom::native {

/// How a lane ended. Without an exit `left` is the fuel that is left, and frame and cells are those
/// of the end; else they mean nothing.
struct LaneEnd {
    Exit exit = Exit::none;
    std::uint64_t left = 0, steps = 0;
    std::uint64_t memory_bytes = 0; ///< the memory's size at the end
};

/// Answers the imports of a lane on the host.
class LaneImports {
public:
    virtual ~LaneImports() = default;
    /// `cells`: arguments, then results. `fuel`: that is left, and is left after the answer.
    /// Memory, its size and charged fees are in the frame. `pc`: of the call. Anything but `none`
    /// leaves the lane.
    [[nodiscard]] virtual Exit answer(std::span<Byte> frame, std::uint64_t& fuel,
                                      std::uint32_t function, wasm::Cell* cells,
                                      std::uint32_t pc) = 0;
};

/// Machine code of this processor. Immutable; used by any thread.
class LaneCode {
public:
    [[nodiscard]] static Result<std::shared_ptr<const LaneCode>> compile(LanePlan plan);
    ~LaneCode();
    LaneCode(const LaneCode&) = delete;
    LaneCode& operator=(const LaneCode&) = delete;

    [[nodiscard]] const LanePlan& plan() const noexcept;
    /// Runs one lane. `frame` has `frame_bytes` and the alignment of a cell pair (16); `cells` has
    /// room for arguments and results. At most 2^62 units of fuel. Without `imports` a call of a
    /// host function leaves.
    [[nodiscard]] LaneEnd run(std::uint32_t function, std::uint64_t fuel, std::span<Byte> frame,
                              std::span<wasm::Cell> cells, LaneImports* imports = nullptr) const;

private:
    struct Image;
    explicit LaneCode(std::unique_ptr<Image> image);
    std::unique_ptr<Image> image_;
};

/// Copies windows and globals of the instance to a frame.
void fill_frame(const LanePlan& plan, wasm::Instance& instance, std::span<Byte> frame);

} // namespace blockloom::native
