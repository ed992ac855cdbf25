// A task's details as rich text: pure, so that tests and copying can read it.
#pragma once

#include "range/task_details.h"
#include "scene/theme.h"

#include <QString>
#include <QUrl>

#include <optional>

namespace blockloom::ui {

/// HTML of the subset that QTextBrowser draws. Links: "task:ID" and "key:ID", ids of the analysis,
/// and "do:N" for the command of section N.
[[nodiscard]] QString inspector_html(const range::TaskDetails& details, const scene::Theme& theme);
/// The same as lines of text with unshortened values.
[[nodiscard]] QString inspector_text(const range::TaskDetails& details);

struct InspectorLink {
    std::optional<quint32> task, key;
    std::optional<quint32> section; ///< the section whose command was clicked
};
[[nodiscard]] InspectorLink parsed_link(const QUrl& url);

} // namespace blockloom::ui
