// The foot of the start page: the backends of this machine, and why some cannot be used.
#pragma once

#include <QList>
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace blockloom::ui {

struct Backend;

/// One entry per backend: an icon and a text, never an icon alone.
class MachineLine : public QWidget {
    Q_OBJECT

public:
    explicit MachineLine(QWidget* parent = nullptr);
    void setBackends(const std::vector<Backend>& backends);
    [[nodiscard]] QString text() const; ///< all entries, for a screen reader

protected:
    void changeEvent(QEvent* event) override;

private:
    void add(const Backend& backend);
    void showSigns();

    QHBoxLayout* row_;
    QWidget* entries_ = nullptr;
    QHBoxLayout* line_ = nullptr; ///< holds the entries
    QLabel* asking_;
    QList<QLabel*> signs_; ///< each with "usable"
    QStringList words_;
};

} // namespace blockloom::ui
