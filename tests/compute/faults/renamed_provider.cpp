#include "compute/faults/renamed_provider.h"

namespace blockloom::compute {
namespace {

class RenamedProvider final : public Provider {
public:
    RenamedProvider(ProviderPtr inner, const char* backend, std::shared_ptr<KeptNotes> notes)
        : inner_(std::move(inner)), description_(inner_->description()), notes_(std::move(notes)) {
        description_.backend = backend;
    }

    const Description& description() const noexcept override { return description_; }
    MemoryUse memory() const override { return inner_->memory(); }
    Result<BufferPtr> allocate(std::uint64_t bytes, BufferUse use) override {
        return inner_->allocate(bytes, use);
    }
    Result<KernelPtr> kernel(const KernelSource& source) override { return inner_->kernel(source); }
    Result<CommandListPtr> commands(Lane lane) override { return inner_->commands(lane); }
    Result<Ticket> submit(const CommandListPtr& list, std::span<const Ticket> after) override {
        return inner_->submit(list, after);
    }
    Status wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override {
        return inner_->wait(ticket, timeout, stop);
    }
    bool done(Ticket ticket) override { return inner_->done(ticket); }
    Bytes note(const std::string& key) const override {
        if (!notes_) return {};
        const std::lock_guard lock(notes_->mutex);
        const auto found = notes_->notes.find(key);
        return found == notes_->notes.end() ? Bytes() : found->second;
    }
    void keep_note(const std::string& key, ByteView content) override {
        if (!notes_) return;
        const std::lock_guard lock(notes_->mutex);
        notes_->notes[key].assign(content.begin(), content.end());
    }

private:
    ProviderPtr inner_;
    Description description_;
    std::shared_ptr<KeptNotes> notes_;
};

} // namespace

ProviderPtr renamed(ProviderPtr inner, const char* backend, std::shared_ptr<KeptNotes> notes) {
    return std::make_shared<RenamedProvider>(std::move(inner), backend, std::move(notes));
}

} // namespace blockloom::compute
