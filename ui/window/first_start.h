// The start page: the demo, open, recent ranges, and this machine's backends.
#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QListView;
class QPushButton;
class QSpacerItem;

namespace blockloom::ui {

class CardButton;
class MachineLine;
class RecentModel;

class FirstStart : public QWidget {
    Q_OBJECT

public:
    explicit FirstStart(RecentModel* recent, QWidget* parent = nullptr);
    ~FirstStart() override;

    [[nodiscard]] CardButton* demoButton() const { return demo_; }
    [[nodiscard]] QListView* recentList() const { return list_; }
    [[nodiscard]] MachineLine* machine() const { return machine_; }
    void showError(const QString& message); ///< empty: none
    /// While something is being opened, the demo cannot be opened once more.
    void setOpening(bool opening);
    /// Shows a button below the error that does something about it; removed by the next
    /// showError().
    void offer(const QString& words, std::function<void()> act);

Q_SIGNALS:
    void demoRequested();
    void openRequested();
    void recentRequested(int row);
    void guideRequested();
    void shortcutsRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Pitch {
        const char* icon;
        QString title, line;
    };
    QWidget* makePitches();
    QWidget* makeDropArea();
    QWidget* makeMachineLine();
    void showSigns();

    RecentModel* recent_;
    CardButton *demo_, *open_;
    QListView* list_;
    QLabel *logo_, *recent_head_, *error_;
    QPushButton* offer_;
    QLabel* drop_icon_;
    QList<QLabel*> pitch_icons_;
    QSpacerItem* rest_; ///< takes the space of the list while that is empty
    MachineLine* machine_;
};

} // namespace blockloom::ui
