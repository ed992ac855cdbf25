// Holds the body of a panel: as large as the panel, with scroll bars if the body needs more.
#pragma once

#include <QScrollArea>

namespace blockloom::ui {

class BodyArea : public QScrollArea {
    Q_OBJECT

public:
    explicit BodyArea(QWidget* body, QWidget* parent = nullptr); ///< takes ownership of the body
};

} // namespace blockloom::ui
