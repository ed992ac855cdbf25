// What the machine did not give the window: memory or a thread. Neither ends the program; what
// needed it is not done, and both the terminal and the window say so.
#pragma once

#include <QObject>

#include <new>
#include <system_error>

namespace blockloom::ui {

/// Lives on the GUI thread; made there before any work begins.
class Shortage : public QObject {
    Q_OBJECT

public:
    static Shortage& instance();

Q_SIGNALS:
    void noticed(const QString& message); ///< on the GUI thread, whichever thread met it

private:
    Shortage() = default;
};

/// Writes `what` was refused to standard error, without memory of its own, and lets the window say
/// it as soon as it can. Thread-safe.
void note_shortage(const char* what) noexcept;

/// Whether note_shortage() was called since the process began. Safe in a signal's handler.
[[nodiscard]] bool shortage_noted() noexcept;

/// Runs `work`, whose failures by exception can only be those of the machine. False: one happened.
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
