#include "session/shortage.h"

#include <atomic>
#include <cstring>
#include <unistd.h>

namespace blockloom::ui {
namespace {

std::atomic<bool> noted = false;

void write(const char* text) noexcept {
    (void)!::write(STDERR_FILENO, text, std::strlen(text));
}

} // namespace

Shortage& Shortage::instance() {
    static Shortage shortage;
    return shortage;
}

bool shortage_noted() noexcept {
    return noted.load();
}

void note_shortage(const char* what) noexcept {
    noted.store(true);
    write("blockloom: the system refused memory or a thread (");
    write(what);
    write("); the operation was not completed\n");
    try {
        Shortage& shortage = Shortage::instance();
        const QString message =
            Shortage::tr(
                "The system refused memory or a thread (%1), so the operation was not completed. "
                "Close other programs or the range, or raise the limit (ulimit -v, ulimit -u)")
                .arg(QString::fromLocal8Bit(what));
        QMetaObject::invokeMethod(
            &shortage, [&shortage, message] { Q_EMIT shortage.noticed(message); },
            Qt::QueuedConnection);
    } catch (const std::bad_alloc&) { // the terminal has it
    }
}

} // namespace blockloom::ui
