// The backends of this machine, as lists of the window show them.
#pragma once

#include <QString>

#include <vector>

namespace blockloom::ui {

/// One entry of the list of backends. What cannot be used stays in the list, with the reason.
struct Backend {
    QString key;      ///< "auto", "cpu", "vulkan:0"
    QString name;     ///< "Vulkan · NVIDIA H200"
    QString details;  ///< memory, driver, limits: for the tooltip
    QString why;      ///< why it cannot be used; empty: it can
    QString device{}; ///< its own name, as runs and tunings are kept by
    [[nodiscard]] bool usable() const { return why.isEmpty(); }
};

/// The backends of this machine: Auto, the processor, and what Vulkan lists. Asks drivers: slow.
[[nodiscard]] std::vector<Backend> list_backends();

} // namespace blockloom::ui
