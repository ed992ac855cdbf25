// Exports what a panel shows: a menu of file types, then a file dialog.
#pragma once

#include "base/result.h"

#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace blockloom::ui {

/// A file type: its extension ("png") and its name in the menu.
struct ExportKind {
    const char* ending;
    QString text;
};

/// What is exported and how.
struct Export {
    QString title; ///< title of the file dialog
    QString name;  ///< suggested file name, without extension
    std::vector<ExportKind> kinds;
    std::function<Status(const QString& path)> write;
    std::function<void(const QString& message)> failed;
};

/// Opens the menu at the pointer and returns; `parent` must live at least as long as what the
/// functions refer to. `object`: the menu's object name; null: none.
void show_export_menu(QWidget* parent, Export what, const char* object = nullptr);

} // namespace blockloom::ui
