// How a panel is asked to write what it shows: a menu of kinds of files, then where to.
#pragma once

#include "base/result.h"

#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace blockloom::ui {

/// A kind of file: its ending ("png") and what the menu calls it.
struct ExportKind {
    const char* ending;
    QString text;
};

/// What is exported and by whom.
struct Export {
    QString title; ///< of the dialog that asks where to
    QString name;  ///< of the file that is suggested, without its ending
    std::vector<ExportKind> kinds;
    std::function<Status(const QString& path)> write;
    std::function<void(const QString& message)> failed;
};

/// Opens the menu at the pointer and returns; `parent` outlives what the functions refer to.
/// `object` names the menu; null: nothing does.
void show_export_menu(QWidget* parent, Export what, const char* object = nullptr);

} // namespace blockloom::ui
