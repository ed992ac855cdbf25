// Recently opened ranges, kept in the settings.
#pragma once

#include "look/roles.h"

#include <QAbstractListModel>
#include <QDateTime>

class QSettings;

namespace blockloom::ui {

struct RecentEntry {
    QStringList sources;
    QString title;   ///< "bitcoin"
    QString figures; ///< "9 blocks · 9,115 tasks"
    QDateTime when;
};

/// Newest first. Entries whose files are missing are kept and flagged: a disk may be mounted again.
class RecentModel : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr int most = 8;

    using QAbstractListModel::QAbstractListModel;

    void add(const RecentEntry& entry); ///< moves an entry of the same sources to the top
    void forget(int row);
    [[nodiscard]] const RecentEntry& at(int row) const { return entries_.at(row); }
    [[nodiscard]] bool isMissing(int row) const;
    [[nodiscard]] QString place(int row) const; ///< the location, in words
    /// `title` of these sources, followed by the folder if another entry has the same title.
    [[nodiscard]] QString distinct(const QString& title, const QStringList& sources) const;
    [[nodiscard]] QString age(int row) const; ///< "today, 14:02", "yesterday", "18 Nov 2026"

    void load(QSettings& settings);
    void save(QSettings& settings) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    QList<RecentEntry> entries_;
};

} // namespace blockloom::ui
