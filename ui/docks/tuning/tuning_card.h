// The figures of one point of a sweep, the actions on it, and the batch slider: predicted at once,
// measured by a short replay.
#pragma once

#include "models/tuning_words.h"

#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QSlider;

namespace blockloom::ui {

class Tunings;

class TuningCard : public QWidget {
    Q_OBJECT

public:
    explicit TuningCard(Tunings* tunings, QWidget* parent = nullptr);
    /// The setting to show; none: nothing was measured and nothing is set.
    void setSetting(std::optional<runs::TuningSetting> setting);
    [[nodiscard]] const std::optional<runs::TuningSetting>& setting() const { return setting_; }
    void showSeen(); ///< call after Tunings::changed and keptChanged

Q_SIGNALS:
    void settingChosen(const runs::TuningSetting& setting); ///< by the slider

private:
    struct Figure {
        QLabel *value, *note;
    };
    Figure addFigure(QGridLayout* grid, int row, int column, const QString& caption);
    void makeHead(QWidget* page);
    void makeSlider(QWidget* page);
    void showFigures();
    void showSlider();
    void showOffer();
    [[nodiscard]] std::vector<std::uint64_t> sizes() const;
    [[nodiscard]] const profile::TunedPoint* measured() const; ///< null: not measured
    [[nodiscard]] bool isBest() const;

    Tunings* tunings_;
    std::optional<runs::TuningSetting> setting_;
    QWidget* head_ = nullptr; ///< hidden while there is nothing to show: the set-up takes its place
    QLabel *heading_ = nullptr, *device_ = nullptr, *offer_ = nullptr;
    Figure batch_{}, workers_{}, time_{}, share_{};
    QPushButton *apply_ = nullptr, *use_ = nullptr, *measure_ = nullptr;
    QSlider* slider_ = nullptr;
    QLabel *at_ = nullptr, *replays_ = nullptr;
    QLabel* cells_[2][3] = {}; ///< replay, message: predicted, measured, off by
    std::vector<std::uint64_t> sizes_;
    bool following_ = false;
};

} // namespace blockloom::ui
