// One side of a comparison: its letter, which run it is, its time.
#pragma once

#include "runs/kept_run.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace blockloom::ui {

/// The box lists the kept runs; those that cannot be compared with the other side are greyed out,
/// with the reason.
class RunCard : public QWidget {
    Q_OBJECT

public:
    explicit RunCard(QChar letter, QWidget* parent = nullptr);
    void setRuns(const std::vector<runs::KeptRun>& runs, const runs::KeptRun* other);
    void setRun(const runs::KeptRun* run);
    /// Leaves out the interval of the time, which is the table's, too.
    void setNarrow(bool narrow);
    [[nodiscard]] QComboBox* box() const { return box_; }
    [[nodiscard]] QString time() const;

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintLetter();

    QChar letter_;
    QLabel *sign_, *about_, *time_, *interval_;
    QComboBox* box_;
    std::string backend_, engine_;
};

} // namespace blockloom::ui
