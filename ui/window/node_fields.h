// What the dialogs that ask for a node have in common: a URL, and whether a database is written to.
#pragma once

#include <QString>

class QComboBox;
class QWidget;

namespace blockloom::ui {

/// Why the text is no URL of a node, without repeating what may be secret; empty: it is one, or the
/// beginning of one.
[[nodiscard]] QString url_problem(const QString& url);
[[nodiscard]] bool is_whole_url(const QString& url);

/// The choices of StateChoice::access, as data, with `chosen` as the current one.
[[nodiscard]] QComboBox* make_access_box(const QString& chosen, QWidget* parent);

} // namespace blockloom::ui
