// Tasks per level as bars on a log scale.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace blockloom::ui {

/// Painted, so its content is in the accessible description, too; the figures beside it and the
/// copied text serve as its table.
class BlocksLevelBars : public QWidget {
    Q_OBJECT

public:
    explicit BlocksLevelBars(QWidget* parent = nullptr);
    /// `marked`: the 1-based level of the selected task, outlined like the task everywhere else.
    void setSizes(const std::vector<std::uint32_t>& sizes, std::optional<quint32> marked);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Bars {
        int count = 0;
        double step = 1;
    };
    [[nodiscard]] Bars bars() const;

    std::vector<std::uint32_t> sizes_;
    std::optional<quint32> marked_;
};

} // namespace blockloom::ui
