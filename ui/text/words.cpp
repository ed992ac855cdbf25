#include "text/words.h"

#include <QCoreApplication>

namespace blockloom::ui {

QString words(const char* text) {
    return QCoreApplication::translate("Blockloom", text);
}

} // namespace blockloom::ui
