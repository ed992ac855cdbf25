#include "compute/faults/renamed_provider.h"

namespace blockloom::compute {
namespace {

class RenamedProvider final : public Provider {
public:
    RenamedProvider(ProviderPtr inner, const char* backend)
        : inner_(std::move(inner)), description_(inner_->description()) {
        description_.backend = backend;
    }

    const Description& description() const noexcept override { return description_; }
    MemoryUse memory() const override { return inner_->memory(); }
    Result<BufferPtr> allocate(std::uint64_t bytes, BufferUse use) override {
        return inner_->allocate(bytes, use);
    }
    Result<KernelPtr> kernel(const KernelSource& source) override {
        return inner_->kernel(source);
    }
    Result<CommandListPtr> commands(Lane lane) override { return inner_->commands(lane); }
    Result<Ticket> submit(const CommandListPtr& list, std::span<const Ticket> after) override {
        return inner_->submit(list, after);
    }
    Status wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override {
        return inner_->wait(ticket, timeout, stop);
    }
    bool done(Ticket ticket) override { return inner_->done(ticket); }

private:
    ProviderPtr inner_;
    Description description_;
};

} // namespace

ProviderPtr renamed(ProviderPtr inner, const char* backend) {
    return std::make_shared<RenamedProvider>(std::move(inner), backend);
}

} // namespace blockloom::compute
