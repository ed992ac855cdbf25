#include "devices.h"

#include "compute/cpu/cpu_provider.h"
#include "compute/fake_cuda/fake_device.h"
#include "compute/vulkan/vulkan_provider.h"

#include <map>

namespace blockloom::compute_tests {
namespace {

std::map<QString, compute::ProviderPtr>& open_ones() {
    static std::map<QString, compute::ProviderPtr> open;
    return open;
}

} // namespace

void add_backends() {
    QTest::addColumn<QString>("backend");
    QTest::newRow("cpu") << QStringLiteral("cpu");
    if (provider(QStringLiteral("vulkan"))) QTest::newRow("vulkan") << QStringLiteral("vulkan");
    QTest::newRow("cuda") << QStringLiteral("cuda");
}

compute::ProviderPtr provider(const QString& backend) {
    if (const auto found = open_ones().find(backend); found != open_ones().end())
        return found->second;
    compute::ProviderOptions options;
    options.validation = true;
    compute::ProviderPtr made;
    if (backend == QStringLiteral("cpu")) {
        options.threads = 3; // more than one also on a machine of one core
        made = compute::open_processor(options);
    } else if (backend == QStringLiteral("cuda")) {
        if (auto opened = fake_cuda::open(options); opened.ok()) made = *opened;
    } else {
        const compute::VulkanDevices list = compute::list_vulkan_devices();
        for (const compute::Description& device : list.devices) {
            if (made || !device.usable()) continue;
            if (auto opened = compute::open_vulkan(device.index, options); opened.ok())
                made = *opened;
        }
    }
    return open_ones()[backend] = made;
}

compute::ProviderPtr open_again(const QString& backend, compute::ProviderOptions options) {
    options.validation = true;
    if (backend == QStringLiteral("cpu")) return compute::open_processor(options);
    const std::uint32_t index = provider(backend)->description().index;
    const auto opened = backend == QStringLiteral("cuda") ? fake_cuda::open(options, index)
                                                          : compute::open_vulkan(index, options);
    return opened.ok() ? *opened : nullptr;
}

QString close_providers() {
    open_ones().clear();
    const auto mistakes = fake_cuda::control().mistakes();
    if (!mistakes.empty()) return QString::fromStdString(mistakes.front());
    return fake_cuda::control().live() == fake_cuda::Live{} ? QString()
                                                            : QStringLiteral("not all given back");
}

std::span<std::uint32_t> words(const compute::BufferPtr& buffer) {
    const auto bytes = buffer->mapped();
    return {reinterpret_cast<std::uint32_t*>(bytes.data()), bytes.size() / 4};
}

void fill_numbers(const compute::BufferPtr& buffer) {
    std::uint32_t number = 0;
    for (std::uint32_t& word : words(buffer)) word = number++ * 2654435761U;
}

compute::BufferPtr buffer(compute::Provider& on, std::uint64_t bytes, compute::BufferUse use) {
    auto made = on.allocate(bytes, use);
    if (!made.ok()) {
        QTest::qFail(made.error().message.c_str(), __FILE__, __LINE__);
        std::abort(); // nothing that follows would make sense
    }
    return *made;
}

QString run(compute::Provider& on, const compute::CommandListPtr& list) {
    const auto ticket = on.submit(list);
    if (!ticket.ok()) return QString::fromStdString(ticket.error().message);
    const Status done = on.wait(*ticket, for_ever);
    return done.ok() ? QString() : QString::fromStdString(done.error().message);
}

} // namespace blockloom::compute_tests
