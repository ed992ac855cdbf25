// Inspector: one task, what it touches, whom it waits for and why.
#pragma once

#include "docks/dock.h"
#include "range/task_details.h"

class QTextBrowser;
class QToolButton;

namespace blockloom::ui {

class Session;

class InspectorDock : public Dock {
    Q_OBJECT

public:
    explicit InspectorDock(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QTextBrowser* page() const { return page_; }
    void copy() const;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void draw();

    Session* session_;
    QTextBrowser* page_;
    QToolButton *back_, *forward_, *copy_;
    range::TaskDetails details_;
    bool stale_ = true; ///< hidden while something changed
};

} // namespace blockloom::ui
