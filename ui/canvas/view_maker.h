// Makes display lists on its own thread: the newest request wins, older ones are cancelled.
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
    /// A run's measurements of the block: View::schedule shows them below the prediction, on one
    /// axis; `schedule` is then recomputed from the measured costs. Null: none.
    std::shared_ptr<const MeasuredView> measured{};
};

using MadeList = std::shared_ptr<const scene::DisplayList>;

/// Lives on the GUI thread. `made` is emitted once for the newest job, never for one that was
/// replaced by a newer job or clear(). The destructor stops the work and waits for it.
class ViewMaker : public QObject {
    Q_OBJECT

public:
    explicit ViewMaker(QObject* parent = nullptr);
    ~ViewMaker() override;

    void make(ViewJob job);
    void clear(); ///< drops the job in progress
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
