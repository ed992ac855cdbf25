// Holds the body of a panel: as large as the panel, with scroll bars if the body needs more.
#pragma once

#include <QScrollArea>

namespace blockloom::ui {

class BodyArea : public QScrollArea {
    Q_OBJECT

public:
    /// Takes ownership of the body.
    explicit BodyArea(QWidget* body, QWidget* parent = nullptr);
};

} // namespace blockloom::ui
