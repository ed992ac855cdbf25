#include "window/node_fields.h"

#include "range/node_blocks.h"
#include "text/words.h"

#include <QComboBox>

namespace blockloom::ui {

bool is_whole_url(const QString& url) {
    return range::check_node_source("core:" + url.toStdString()).ok();
}

QString url_problem(const QString& url) {
    for (const QLatin1StringView scheme :
         {QLatin1StringView("http://"), QLatin1StringView("https://")})
        if (QString(scheme).startsWith(url)) return {}; // still being typed
    if (is_whole_url(url)) return {};
    if (url.contains(QLatin1Char('@')) || url.contains(QLatin1Char('?')) ||
        url.contains(QLatin1Char('#')))
        return words(
            "URL: expected no user name, password, ? or #, found one. Put credentials into "
            "a file and choose it as Credentials");
    return words("URL: expected http:// or https:// and the name of a machine");
}

QComboBox* make_access_box(const QString& chosen, QWidget* parent) {
    auto* box = new QComboBox(parent);
    for (const auto& [name, text] :
         {std::pair{"auto", words("Auto: running if a local process writes to it")},
          {"stopped", words("Stopped, or a copy: nothing writes to it")},
          {"running", words("Running, here or on another machine")}})
        box->addItem(text, QLatin1StringView(name));
    box->setCurrentIndex(std::max(0, box->findData(chosen)));
    return box;
}

} // namespace blockloom::ui
