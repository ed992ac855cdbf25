// The backends of this machine, as shown in the window's lists.
#pragma once

#include <QString>

#include <vector>

namespace blockloom::ui {

/// One entry of the list of backends. Unusable ones stay in the list, with the reason.
struct Backend {
    QString key;      ///< "auto", "cpu", "vulkan:0"
    QString name;     ///< "Vulkan · NVIDIA H200"
    QString details;  ///< memory, driver, limits: for the tooltip
    QString why;      ///< why it cannot be used; empty: it can
    QString device{}; ///< the device's name, under which runs and tunings are kept
    [[nodiscard]] bool usable() const { return why.isEmpty(); }
};

/// The backends of this machine: Auto, the processor, and what Vulkan lists. Slow: queries the
/// drivers.
[[nodiscard]] std::vector<Backend> list_backends();

} // namespace blockloom::ui
