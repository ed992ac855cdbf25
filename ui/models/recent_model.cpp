#include "models/recent_model.h"

#include "text/numbers.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace blockloom::ui {

void RecentModel::add(const RecentEntry& entry) {
    for (int row = 0; row < entries_.size(); ++row) {
        if (entries_.at(row).sources != entry.sources) continue;
        forget(row);
        break;
    }
    beginInsertRows({}, 0, 0);
    entries_.prepend(entry);
    endInsertRows();
    while (entries_.size() > most) forget(static_cast<int>(entries_.size()) - 1);
}

void RecentModel::forget(int row) {
    beginRemoveRows({}, row, row);
    entries_.removeAt(row);
    endRemoveRows();
}

bool RecentModel::isMissing(int row) const {
    for (const QString& source : at(row).sources)
        if (source != QLatin1StringView("demo") && !QFileInfo::exists(source)) return true;
    return false;
}

QString RecentModel::place(int row) const {
    const QStringList& sources = at(row).sources;
    if (sources.isEmpty()) return {};
    QString first = sources.front();
    if (first == QLatin1StringView("demo")) return tr("generated");
    const QString home = QDir::homePath();
    if (first.startsWith(home + QLatin1Char('/')))
        first.replace(0, home.size(), QStringLiteral("~"));
    return sources.size() == 1
               ? first
               : tr("%1 and %2 more")
                     .arg(first, count_text(static_cast<quint64>(sources.size() - 1)));
}

QString RecentModel::distinct(const QString& title, const QStringList& sources) const {
    const auto name = [](const QString& of) { return of.section(QStringLiteral(" · "), 0, 0); };
    const bool shared = std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
        return name(entry.title) == name(title) && entry.sources != sources;
    });
    if (!shared || sources.isEmpty()) return title;
    const QString home = QDir::homePath();
    QString folder = QFileInfo(sources.front()).absolutePath();
    if (folder == home || folder.startsWith(home + QLatin1Char('/')))
        folder.replace(0, home.size(), QStringLiteral("~"));
    return tr("%1 in %2").arg(title, folder);
}

QString RecentModel::age(int row) const {
    const QDateTime& when = at(row).when;
    const qint64 days = when.date().daysTo(QDate::currentDate());
    if (days == 0) return tr("today, %1").arg(when.toString(QStringLiteral("HH:mm")));
    if (days == 1) return tr("yesterday");
    return when.toString(QStringLiteral("d MMM yyyy"));
}

void RecentModel::load(QSettings& settings) {
    beginResetModel();
    entries_.clear();
    const int count = settings.beginReadArray(QStringLiteral("recent"));
    for (int i = 0; i < qMin(count, most); ++i) {
        settings.setArrayIndex(i);
        entries_.append({settings.value(QStringLiteral("sources")).toStringList(),
                         settings.value(QStringLiteral("title")).toString(),
                         settings.value(QStringLiteral("figures")).toString(),
                         settings.value(QStringLiteral("when")).toDateTime()});
        if (entries_.last().sources.isEmpty()) entries_.removeLast();
    }
    settings.endArray();
    endResetModel();
}

void RecentModel::save(QSettings& settings) const {
    settings.remove(QStringLiteral("recent"));
    settings.beginWriteArray(QStringLiteral("recent"), static_cast<int>(entries_.size()));
    for (int i = 0; i < entries_.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(QStringLiteral("sources"), entries_.at(i).sources);
        settings.setValue(QStringLiteral("title"), entries_.at(i).title);
        settings.setValue(QStringLiteral("figures"), entries_.at(i).figures);
        settings.setValue(QStringLiteral("when"), entries_.at(i).when);
    }
    settings.endArray();
}

int RecentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant RecentModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RecentEntry& entry = entries_.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return entry.title;
    case DetailRole:
        return place(index.row());
    case StatusRole:
        return QVariant::fromValue(isMissing(index.row()) ? Mark::warning : Mark::none);
    case SortRole:
        return entry.when;
    case Qt::ToolTipRole:
        return entry.sources.join(QLatin1Char('\n'));
    case Qt::AccessibleTextRole:
        return tr("%1, %2, %3")
            .arg(entry.title, isMissing(index.row()) ? tr("not found") : entry.figures,
                 age(index.row()));
    default:
        return {};
    }
}

} // namespace blockloom::ui
