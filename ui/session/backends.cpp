#include "session/backends.h"

#include "compute/selection.h"
#include "runs/provenance.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <QStringList>

namespace blockloom::ui {
namespace {

QString backend_word(const std::string& backend) {
    return backend == "cpu"      ? QStringLiteral("CPU")
           : backend == "vulkan" ? QStringLiteral("Vulkan")
           : backend == "cuda"   ? QStringLiteral("CUDA")
                                 : to_qt(backend);
}

Backend processor(const compute::Description& device) {
    return {QStringLiteral("cpu"),
            words("CPU · %1").arg(counted(device.limits.cores, words("core"), words("cores"))),
            device.memory_bytes == 0
                ? to_qt(device.name)
                : words("%1, %2").arg(to_qt(device.name), size_text(device.memory_bytes)),
            to_qt(device.why), to_qt(runs::this_machine().processor)};
}

Backend accelerator(const compute::Description& device) {
    const QString word = backend_word(device.backend);
    Backend backend;
    backend.key = to_qt(device.backend);
    backend.why = to_qt(device.why);
    if (device.name.empty()) {
        backend.name = words("%1 · no device").arg(word);
        return backend;
    }
    backend.key += QStringLiteral(":%1").arg(device.index);
    backend.device = to_qt(device.name);
    backend.name = words("%1 · %2").arg(word, backend.device);
    if (device.memory_bytes != 0)
        backend.name += QStringLiteral(" · ") + size_text(device.memory_bytes);
    const compute::Limits& limits = device.limits;
    const QStringList lines{
        words("%1, %2, %3")
            .arg(to_qt(name_of(device.kind)), to_qt(device.api), to_qt(device.driver)),
        words("%1 of memory, buffers up to %2, bindings up to %3")
            .arg(size_text(device.memory_bytes), size_text(limits.max_buffer_bytes),
                 size_text(limits.max_binding_bytes)),
        words("subgroups of %1; %2 invocations and %3 of shared memory per workgroup; %4")
            .arg(limits.subgroup_size)
            .arg(count_text(limits.max_workgroup_invocations), size_text(limits.max_shared_bytes),
                 counted(limits.queues, words("queue"), words("queues"))),
        device.kind == compute::DeviceKind::software
            ? words("a software device: it uses the same cores but is slower; for tests")
            : words("its clock: %1").arg(to_qt(name_of(device.clock)))};
    backend.details = lines.join(QLatin1Char('\n'));
    return backend;
}

} // namespace

std::vector<Backend> list_backends() {
    const auto read = compute::read_settings();
    const compute::Settings settings = read ? *read : compute::Settings();
    const auto devices = compute::list_devices(settings);
    const auto taken = compute::choose_device(settings, devices, compute::cache_folder());
    const QString name = !taken || taken->device.backend == "cpu"
                             ? words("the CPU")
                             : QStringLiteral("%1 · %2").arg(backend_word(taken->device.backend),
                                                             to_qt(taken->device.name));
    std::vector<Backend> backends{
        {QStringLiteral("auto"),
         words("Auto · uses %1").arg(name),
         words("Uses the backend that is expected to be fastest, here %1: %2\nThe serial strategy "
               "always runs on the CPU")
             .arg(name, to_qt(taken ? taken->reason : taken.error().message)),
         {}}};
    for (const compute::Description& device : devices)
        if (device.backend != "simt") // for tests, on the command line
            backends.push_back(device.backend == "cpu" ? processor(device) : accelerator(device));
    return backends;
}

} // namespace blockloom::ui
