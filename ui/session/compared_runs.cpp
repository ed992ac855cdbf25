#include "session/compared_runs.h"

#include "session/kept_run_list.h"
#include "session/session.h"
#include "text/to_qt.h"

#include <algorithm>
#include <string>
#include <utility>

namespace blockloom::ui {

ComparedRuns::ComparedRuns(const Session* session, const KeptRunList* list, QObject* parent)
    : QObject(parent), session_(session), list_(list) {}

const runs::KeptRun* ComparedRuns::chosen(Side side) const {
    return list_->find(ids_[static_cast<std::size_t>(side)]);
}

void ComparedRuns::choose(Side side, const QString& id) {
    QString& at = ids_[static_cast<std::size_t>(side)];
    if (at == id) return;
    at = id;
    update();
}

void ComparedRuns::swap() {
    std::swap(ids_[0], ids_[1]);
    update();
}

void ComparedRuns::clear() {
    ids_ = {};
}

/// The run replayed blocks of the open range; any run, where none of its blocks can be replayed.
bool ComparedRuns::belongs(const runs::KeptRun& run) const {
    const auto range = session_->range();
    if (!range || range->totals.executed == 0) return true;
    return std::any_of(range->blocks.begin(), range->blocks.end(), [&run](const auto& record) {
        if (!record->replayed) return false;
        const std::string hash = to_reversed_hex(record->replayed->execution->hash);
        return std::any_of(run.blocks.begin(), run.blocks.end(),
                           [&hash](const auto& block) { return block.hash == hash; });
    });
}

void ComparedRuns::chooseFromList(const QString& just_made) {
    if (list_->find(just_made) != nullptr) {
        ids_[list_->find(ids_[0]) == nullptr ? 0 : 1] = just_made;
        return;
    }
    if (list_->find(ids_[0]) != nullptr || list_->find(ids_[1]) != nullptr) return;
    const std::vector<runs::KeptRun>& kept = list_->kept();
    const auto newest_here =
        std::find_if(kept.begin(), kept.end(), [this](const auto& run) { return belongs(run); });
    if (newest_here == kept.end()) return;
    const runs::KeptRun& last = *newest_here;
    const runs::KeptRun* other = runs::baseline_of(last, kept);
    for (auto at = newest_here + 1; at != kept.end() && (other == nullptr || other == &last); ++at)
        if (runs::same_inputs(*at, last)) other = &*at;
    if (other == &last) other = nullptr;
    ids_ = {to_qt(other == nullptr ? last.id : other->id),
            other == nullptr ? QString() : to_qt(last.id)};
}

void ComparedRuns::update() {
    compare(); // before any panel hears of it
    Q_EMIT changed();
}

/// Intervals are resampled: for many blocks that takes a moment.
void ComparedRuns::compare() {
    comparison_.reset();
    const runs::KeptRun *a = chosen(Side::a), *b = chosen(Side::b);
    if (a == nullptr || b == nullptr) return work_.cancel();
    work_.start([this, a = *a, b = *b](const BackgroundWork::Delivery& deliver, ProgressSink&,
                                       const std::stop_token&) {
        auto made = std::make_shared<const runs::RunComparison>(runs::compare_runs(a, b));
        deliver([this, made = std::move(made)] {
            comparison_ = made;
            Q_EMIT compared();
        });
    });
}

} // namespace blockloom::ui
