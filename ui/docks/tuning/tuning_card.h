// One point of a sweep in figures, what can be done with it, and the batch slider: predicted at
// once, measured after a short replay.
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
    /// The setting that is looked at; none: nothing was measured and nothing is set.
    void setSetting(std::optional<runs::TuningSetting> setting);
    [[nodiscard]] const std::optional<runs::TuningSetting>& setting() const { return setting_; }
    void showSeen(); ///< after Tunings::changed, keptChanged

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
    [[nodiscard]] const profile::TunedPoint* measured() const; ///< null: it was not
    [[nodiscard]] bool isBest() const;

    Tunings* tunings_;
    std::optional<runs::TuningSetting> setting_;
    QWidget* head_ = nullptr; ///< put away while there is nothing: what is set up takes its place
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
