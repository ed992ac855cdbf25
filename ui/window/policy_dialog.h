// The key policy as a form: which accesses are excluded or relaxed before conflicts are counted.
#pragma once

#include "trace/key_policy.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace blockloom::ui {

class PolicyDialog : public QDialog {
    Q_OBJECT

public:
    explicit PolicyDialog(const trace::KeyPolicy& policy, QWidget* parent = nullptr);
    [[nodiscard]] trace::KeyPolicy policy() const;

private:
    QPlainTextEdit *ignore_, *commutative_;
    QCheckBox *coarsen_, *touches_, *votes_;
};

} // namespace blockloom::ui
