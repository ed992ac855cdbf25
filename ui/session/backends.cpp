// What the list of backends says of this machine.
#include "compute/selection.h"
#include "look/numbers.h"
#include "session/runs.h"

namespace blockloom::ui {
namespace {

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

QString backend_word(const std::string& backend) {
    return backend == "cpu"      ? QStringLiteral("CPU")
           : backend == "vulkan" ? QStringLiteral("Vulkan")
           : backend == "cuda"   ? QStringLiteral("CUDA")
                                 : from(backend);
}

Backend processor(const compute::Description& device) {
    return {
        QStringLiteral("cpu"),
        Runs::tr("CPU · %1").arg(counted(device.limits.cores, Runs::tr("core"), Runs::tr("cores"))),
        device.memory_bytes == 0
            ? from(device.name)
            : Runs::tr("%1, %2").arg(from(device.name), size_text(device.memory_bytes)),
        from(device.why)};
}

Backend accelerator(const compute::Description& device) {
    const QString word = backend_word(device.backend);
    Backend backend;
    backend.key = from(device.backend);
    backend.why = from(device.why);
    if (device.name.empty()) {
        backend.name = Runs::tr("%1 · no device").arg(word);
        return backend;
    }
    backend.key += QStringLiteral(":%1").arg(device.index);
    backend.name = Runs::tr("%1 · %2").arg(word, from(device.name));
    if (device.memory_bytes != 0)
        backend.name += QStringLiteral(" · ") + size_text(device.memory_bytes);
    backend.details =
        Runs::tr("%1, %2, %3, subgroups of %4, buffers up to %5")
            .arg(QString::fromLatin1(name_of(device.kind)), from(device.api), from(device.driver))
            .arg(device.limits.subgroup_size)
            .arg(size_text(device.limits.max_buffer_bytes));
    // A device that could run them is no backend before contracts run on it.
    if (device.usable()) backend.why = Runs::tr("this version executes contracts on the CPU only");
    return backend;
}

} // namespace

std::vector<Backend> list_backends() {
    std::vector<Backend> backends{{QStringLiteral("auto"),
                                   Runs::tr("Auto · takes the CPU"),
                                   Runs::tr("Takes the backend that pays; here that is the CPU"),
                                   {}}};
    const auto settings = compute::read_settings();
    for (const compute::Description& device :
         compute::list_devices(settings ? *settings : compute::Settings()))
        backends.push_back(device.backend == "cpu" ? processor(device) : accelerator(device));
    return backends;
}

} // namespace blockloom::ui
