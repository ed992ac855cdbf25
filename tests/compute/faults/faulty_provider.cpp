#include "compute/faults/faulty_provider.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <mutex>
#include <utility>
#include <vector>

namespace blockloom::compute {
namespace {

constexpr std::string_view expected_faults = "lost@N, memory@N, refused@N, timeout@N or corrupt@N";

Error injected(ErrorCode code, std::string_view what) {
    return {code, fmt::format("injected fault: {}", what)};
}

class FaultyProvider final : public Provider {
public:
    FaultyProvider(ProviderPtr inner, const Faults& faults)
        : inner_(std::move(inner)), faults_(faults) {}

    const Description& description() const noexcept override { return inner_->description(); }
    MemoryUse memory() const override { return inner_->memory(); }
    std::optional<std::uint64_t> validation_messages() const noexcept override {
        return inner_->validation_messages();
    }

    Result<BufferPtr> allocate(std::uint64_t bytes, BufferUse use) override {
        const std::lock_guard lock(mutex_);
        if (Status fine = alive(); !fine.ok()) return fine.error();
        if (++allocations_ == faults_.full_allocation)
            return injected(out_of_memory, fmt::format("no memory for {} bytes", bytes));
        auto made = inner_->allocate(bytes, use);
        if (made.ok() && use == BufferUse::download) downloads_.push_back(*made);
        return made;
    }

    Result<KernelPtr> kernel(const KernelSource& source) override {
        const std::lock_guard lock(mutex_);
        if (Status fine = alive(); !fine.ok()) return fine.error();
        if (++kernels_ == faults_.refused_kernel)
            return injected(kernel_refused, fmt::format("kernel {} is refused", source.name));
        return inner_->kernel(source);
    }

    Result<CommandListPtr> commands(Lane lane) override {
        const std::lock_guard lock(mutex_);
        if (Status fine = alive(); !fine.ok()) return fine.error();
        return inner_->commands(lane);
    }

    Result<Ticket> submit(const CommandListPtr& list, std::span<const Ticket> after) override {
        const std::lock_guard lock(mutex_);
        if (Status fine = alive(); !fine.ok()) return fine.error();
        const std::uint64_t number = ++submissions_;
        if (number == faults_.lost_submission) {
            // The device takes the work and is gone before it is done: the caller learns by
            // waiting.
            lost_ = true;
            return Ticket{Lane::work, ~std::uint64_t{0}};
        }
        auto ticket = inner_->submit(list, after);
        if (!ticket.ok()) return ticket;
        if (number == faults_.hung_submission) hung_ = *ticket;
        if (number == faults_.corrupted_submission) corrupted_ = true;
        return ticket;
    }

    Status wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override {
        std::unique_lock lock(mutex_);
        if (Status fine = alive(); !fine.ok()) return fine;
        if (hangs(ticket))
            return injected(timed_out,
                            fmt::format("a submission never ends ({} ms)", timeout / 1'000'000));
        lock.unlock();
        Status done = inner_->wait(ticket, timeout, stop);
        lock.lock();
        if (done.ok() && corrupted_) flip();
        return done;
    }

    bool done(Ticket ticket) override {
        const std::lock_guard lock(mutex_);
        return !lost_ && !hangs(ticket) && inner_->done(ticket);
    }

private:
    Status alive() const {
        return lost_ ? Status(injected(device_lost, "the device is lost")) : Status();
    }

    bool hangs(Ticket ticket) const {
        return hung_.value != 0 && ticket.lane == hung_.lane && ticket.value >= hung_.value;
    }

    /// Sparse, so that some results are right and some are not.
    void flip() {
        constexpr std::size_t stride = 97;
        for (const auto& weak : downloads_)
            if (const BufferPtr buffer = weak.lock())
                for (std::size_t at = 0; at < buffer->mapped().size(); at += stride)
                    buffer->mapped()[at] ^= std::byte{0x10};
    }

    ProviderPtr inner_;
    Faults faults_;
    std::mutex mutex_;
    std::uint64_t allocations_ = 0, kernels_ = 0, submissions_ = 0;
    bool lost_ = false, corrupted_ = false;
    Ticket hung_;
    std::vector<std::weak_ptr<Buffer>> downloads_;
};

} // namespace

Result<Faults> parse_faults(std::string_view text) {
    Faults faults;
    const std::array counted{
        std::pair{std::string_view("lost"), &Faults::lost_submission},
        std::pair{std::string_view("memory"), &Faults::full_allocation},
        std::pair{std::string_view("refused"), &Faults::refused_kernel},
        std::pair{std::string_view("timeout"), &Faults::hung_submission},
        std::pair{std::string_view("corrupt"), &Faults::corrupted_submission},
    };
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::size_t at = one.find('@');
        const std::string_view digits =
            at == std::string_view::npos ? std::string_view("1") : one.substr(at + 1);
        std::uint64_t number = 0;
        const char* end = digits.data() + digits.size();
        const auto [rest, error] = std::from_chars(digits.data(), end, number);
        const auto kind = std::find_if(counted.begin(), counted.end(), [&](const auto& entry) {
            return entry.first == one.substr(0, at);
        });
        if (kind == counted.end() || error != std::errc() || rest != end || number == 0)
            return Error{ErrorCode::wrong_usage, std::string(expected_faults)};
        faults.*kind->second = number;
    }
    return faults;
}

ProviderPtr with_faults(ProviderPtr inner, const Faults& faults) {
    return std::make_shared<FaultyProvider>(std::move(inner), faults);
}

} // namespace blockloom::compute
