#include "session/state_choice.h"

namespace blockloom::ui {

QStringList state_accesses() {
    return {QStringLiteral("auto"), QStringLiteral("stopped"), QStringLiteral("running")};
}

range::StateSource source_of(const StateChoice& choice) {
    using Access = store::NodeOptions::Access;
    range::StateSource source;
    if (!choice.bundle.isEmpty()) {
        source.place = choice.bundle.toStdString();
        return source;
    }
    source.height = choice.height;
    if (!choice.url.isEmpty()) {
        source.place = "metashrew:" + choice.url.toStdString();
        source.access_of_node.credentials_file = choice.credentials.toStdString();
        source.access_of_node.ca_file = choice.certificates.toStdString();
        return source;
    }
    if (choice.folder.isEmpty()) return {};
    source.place = "metashrew:" + choice.folder.toStdString();
    source.fork = choice.fork.toStdString();
    source.label = choice.label.toStdString();
    source.access = choice.access == QLatin1String("running")   ? Access::running
                    : choice.access == QLatin1String("stopped") ? Access::stopped
                                                                : Access::automatic;
    return source;
}

} // namespace blockloom::ui
