// A program as lane code for this machine's processor, and what its lanes' memory looks like.
#pragma once

#include "gpuvm/image.h"
#include "native/lanes/lane_code.h"
#include "simt/device_code.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace blockloom::simt {

/// How much of its memory a lane has: what its module declares and a little growth, as most
/// contracts need; or all of it, for those that leave there.
enum class Reach : std::uint8_t { declared, whole };
inline constexpr std::size_t reaches = 2;

/// Code for both reaches, with and without records, each compiled when it is first needed. Used by
/// any thread.
class ProgramCode {
public:
    explicit ProgramCode(const gpuvm::InstanceImage& image);

    /// Null: it cannot be compiled. Waits for it. `records`: it shows a device's code which blocks
    /// run, which makes it a little slower.
    [[nodiscard]] std::shared_ptr<const native::LaneCode> of(Reach reach, bool records);
    /// Whether `of` answers at once; compiles it in the background if not.
    [[nodiscard]] bool is_there(Reach reach, bool records);
    /// How it was compiled without records; nothing: it was not, or cannot be.
    [[nodiscard]] std::optional<gpuvm::Compilation> compilation(Reach reach) const;
    /// Code on a device; lanes on the host show what it needs first. `image`: that of the program.
    [[nodiscard]] std::shared_ptr<DeviceCode> on_device(const gpuvm::InstanceImage& image,
                                                        const compute::ProviderPtr& provider,
                                                        std::uint32_t function);
    /// Whether there is more than `declared`.
    [[nodiscard]] bool reaches_further() const noexcept { return further_; }
    /// Whether code for `image` is the same: it depends on the program, the memory's size and its
    /// limit, and the tables.
    [[nodiscard]] bool is_for(const gpuvm::InstanceImage& image) const;

private:
    gpuvm::InstanceImage image_; ///< without its bytes
    bool further_ = false;
    struct Form {
        std::mutex compiling;
        std::atomic<bool> tried{false}; ///< then what follows is final
        std::shared_ptr<const native::LaneCode> code;
        gpuvm::Compilation compilation;
        std::jthread background;
    };
    [[nodiscard]] Form& form_of(Reach reach, bool records) noexcept {
        return forms_[static_cast<std::size_t>(reach)][records ? 1 : 0];
    }
    std::array<std::vector<native::AddressRange>, reaches> ranges_;
    std::shared_ptr<native::RanBlocks> ran_;         ///< of all functions that lanes ran
    std::array<std::array<Form, 2>, reaches> forms_; ///< by reach, and by whether it records
    std::mutex mutex_;
    std::vector<std::shared_ptr<DeviceCode>> device_;
};

/// The code for an image: what was compiled for a machine serves the next one of the process.
[[nodiscard]] std::shared_ptr<ProgramCode> code_for(const gpuvm::InstanceImage& image);

} // namespace blockloom::simt
