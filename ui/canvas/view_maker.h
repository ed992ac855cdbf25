// Display lists made in a thread of their own: the newest wish wins, older ones stop.
#pragma once

#include "range/range.h"
#include "scene/views.h"

#include <QObject>

#include <memory>

namespace blockloom::ui {

struct MeasuredView;

/// What to lay out. `schedule` is read for View::schedule only.
struct ViewJob {
    std::shared_ptr<const range::BlockRecord> block;
    std::shared_ptr<const schedule::Schedule> schedule;
    scene::ViewOptions options;
    /// What a run measured of the block: View::schedule shows it below what is predicted, on one
    /// axis; `schedule` is then made anew, by the measured costs. Null: nothing is measured.
    std::shared_ptr<const MeasuredView> measured{};
};

using MadeList = std::shared_ptr<const scene::DisplayList>;

/// Lives on the GUI thread. `made` comes once for the newest job, never for one that a newer job or
/// clear() replaced. Destruction stops the work and waits for it.
class ViewMaker : public QObject {
    Q_OBJECT

public:
    explicit ViewMaker(QObject* parent = nullptr);
    ~ViewMaker() override;

    void make(ViewJob job);
    void clear(); ///< forget what is in the making
    [[nodiscard]] bool busy() const;

Q_SIGNALS:
    void made(const blockloom::ui::ViewJob& job, const blockloom::ui::MadeList& list);

private:
    struct State;
    void work(const std::stop_token& stop);
    void make_list(ViewJob job, quint64 number, const std::stop_token& newer);

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
