// Holds the body of a panel: as large as the panel, and scrolled where that is less than it needs.
#pragma once

#include <QScrollArea>

namespace blockloom::ui {

class BodyArea : public QScrollArea {
    Q_OBJECT

public:
    explicit BodyArea(QWidget* body, QWidget* parent = nullptr); ///< takes the body over
};

} // namespace blockloom::ui
