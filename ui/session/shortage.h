// Shortages of memory or threads. Neither ends the program; the operation that needed it fails, and
// both the terminal and the window report it.
#pragma once

#include <QObject>

#include <new>
#include <system_error>

namespace blockloom::ui {

/// Lives on the GUI thread; created there before any work begins.
class Shortage : public QObject {
    Q_OBJECT

public:
    static Shortage& instance();

Q_SIGNALS:
    /// Emitted on the GUI thread, whichever thread had the shortage.
    void noticed(const QString& message);

private:
    Shortage() = default;
};

/// Writes `what` was refused to standard error without allocating, and lets the window report it as
/// soon as it can. Thread-safe.
void note_shortage(const char* what) noexcept;

/// Whether note_shortage() was called in this process. Safe in a signal handler.
[[nodiscard]] bool shortage_noted() noexcept;

/// Runs `work`, which can throw only for a shortage of the machine. False: it did.
template <typename Work> bool without_shortage(Work&& work) {
    try {
        work();
        return true;
    } catch (const std::bad_alloc& refused) {
        note_shortage(refused.what());
    } catch (const std::system_error& refused) {
        note_shortage(refused.what());
    }
    return false;
}

} // namespace blockloom::ui
