#include "cuda_work.h"

#include "devices.h"
#include "kernels.h"

namespace blockloom::compute_tests {

using compute::BufferUse;

namespace {

constexpr std::uint32_t count = 64, rounds = 3, salt = 5, add = 7;

template <typename T> T must(Result<T> result) {
    if (!result) qFatal("%s", result.error().message.c_str());
    return *std::move(result);
}

} // namespace

compute::ProviderPtr opened(const std::string& faults, const compute::ProviderOptions& options) {
    const fake_cuda::WithFaults set("immediate" + (faults.empty() ? faults : "," + faults));
    return must(fake_cuda::open(options));
}

MixWork::MixWork(const compute::ProviderPtr& provider, compute::Lane lane)
    : on(provider), up(must(on->allocate(count * 4, BufferUse::upload))),
      there(must(on->allocate(count * 4, BufferUse::device))),
      down(must(on->allocate(count * 4, BufferUse::download))),
      kernel(must(on->kernel(mix_kernel(rounds, salt)))), list(must(on->commands(lane))) {
    fill_numbers(up);
    const std::vector<compute::Binding> bindings{{up}, {there}};
    list->dispatch(kernel, bindings, push_of(MixPush{count, add}), {});
    list->barrier();
    list->copy(there, 0, down, 0, count * 4);
}

Status MixWork::run() {
    std::ranges::fill(words(down), 0);
    const auto ticket = on->submit(list);
    return ticket ? on->wait(*ticket, for_ever) : Status(ticket.error());
}

bool MixWork::is_right() const {
    for (std::uint32_t i = 0; i < count; ++i)
        if (words(down)[i] != mixed(words(up)[i], rounds, salt, add)) return false;
    return true;
}

QString unlike(const Error& error, ErrorCode code, const char* expected) {
    if (error.code == code && error.message.find(expected) != std::string::npos) return {};
    return QStringLiteral("code %1: %2")
        .arg(static_cast<int>(error.code))
        .arg(QString::fromStdString(error.message));
}

} // namespace blockloom::compute_tests
