// The form of a dialog that asks for a place: files and folders with a button to choose them,
// heights of blocks, and one line that says what is wrong.
#pragma once

#include <QFormLayout>

#include <optional>

class QDialog;
class QLabel;
class QLineEdit;

namespace blockloom::ui {

/// A number in a field of a height; `wrong`: there is text, but none of a height.
struct HeightText {
    std::optional<quint64> height;
    bool wrong = false;
};
[[nodiscard]] HeightText read_height(const QLineEdit& field);

/// Looks at no file.
class PlaceForm : public QFormLayout {
    Q_OBJECT

public:
    explicit PlaceForm(QDialog* dialog);

    /// `what`: what belongs there, as tool tip and accessible description.
    void addField(const QString& label, QWidget* field, const QString& what);
    /// `name`: of the line's object; `hint`: what an empty one means.
    QLineEdit* addLine(const QString& label, const char* name, const QString& text,
                       const QString& hint, const QString& what);
    QLineEdit* addPath(const QString& label, const char* name, const QString& text, bool folder,
                       const QString& what, const QString& hint = {});
    QLineEdit* addHeight(const QString& label, const char* name, std::optional<quint64> height,
                         const QString& hint, const QString& what);
    /// Whether a field and its label are shown.
    void setShown(QWidget* field, bool shown);

    /// Empty: nothing is wrong.
    void setProblem(const QString& problem);
    /// To be placed below the form.
    [[nodiscard]] QLabel* problem() const { return problem_; }

Q_SIGNALS:
    void edited();

private:
    QDialog* dialog_;
    QLabel* problem_;
};

/// "First block: expected a height, found "x""; empty: all are heights, or empty.
[[nodiscard]] QString height_problem(std::initializer_list<const QLineEdit*> fields);

} // namespace blockloom::ui
