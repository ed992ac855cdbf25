#include "gpuvm/device.h"

#include "compute/cpu/cpu_provider.h"
#include "compute/cuda/cuda_provider.h"
#include "compute/faults/renamed_provider.h"
#include "compute/vulkan/vulkan_provider.h"
#include "simt/lane_machine.h"

#include <QString>
#include <QtTest>

namespace blockloom::tests {

compute::ProviderPtr gpuvm_device(std::string& why) {
    static std::string reason;
    static const compute::ProviderPtr opened = [] {
        const compute::VulkanDevices found = compute::list_vulkan_devices();
        reason = found.why.empty() ? "no Vulkan device" : found.why;
        const QString wanted = qEnvironmentVariable("BLOCKLOOM_GPUVM_DEVICE");
        for (const compute::Description& device : found.devices) {
            if (!device.usable()) continue;
            if (!wanted.isEmpty() && wanted.toUInt() != device.index) continue;
            compute::ProviderOptions options;
            options.validation = qEnvironmentVariableIntValue("BLOCKLOOM_VALIDATION") != 0;
            auto provider = compute::open_vulkan(device.index, options);
            if (provider) return *std::move(provider);
            reason = provider.error().message;
        }
        return compute::ProviderPtr{};
    }();
    why = reason;
    return opened;
}

void add_machines() {
    QTest::addColumn<QString>("machine");
    for (const char* row : {"kernel", "simt", "profiled"})
        QTest::newRow(row) << QString::fromLatin1(row);
    if (cuda_device()) QTest::newRow("cuda") << QStringLiteral("cuda");
}

compute::ProviderPtr cuda_device() {
    static const compute::ProviderPtr opened = [] {
        for (const compute::Description& device : compute::list_cuda_devices().devices)
            if (device.usable())
                if (auto provider = compute::open_cuda(device.index, {})) return *provider;
        return compute::ProviderPtr{};
    }();
    return opened;
}

std::unique_ptr<gpuvm::Machine> machine_of(const QString& row, std::string& why,
                                           gpuvm::Options options) {
    if (row == QStringLiteral("simt"))
        return simt::make_machine(compute::open_lanes(), without_time_out(std::move(options)));
    if (row == QStringLiteral("cuda") || row == QStringLiteral("profiled")) {
        options.wait_for_code = true;
        return simt::make_machine(row == QStringLiteral("cuda")
                                      ? cuda_device()
                                      : compute::renamed(compute::open_lanes(), "cuda"),
                                  without_time_out(std::move(options)));
    }
    const compute::ProviderPtr provider = gpuvm_device(why);
    if (!provider) return nullptr;
    auto made = gpuvm::Machine::make(provider, without_time_out(std::move(options)));
    if (!made) qFatal("%s", made.error().message.c_str());
    return *std::move(made);
}

gpuvm::Options without_time_out(gpuvm::Options options) {
    options.time_out = 365 * 86'400 * Nanoseconds{1'000'000'000};
    return options;
}

} // namespace blockloom::tests
