#include "schedule/schedules.h"

namespace blockloom::schedule {

Schedule make_schedule(const ConflictIndex& index, Strategy strategy, std::uint32_t workers) {
    switch (strategy) {
    case Strategy::levels:
        return schedule_levels(index, workers);
    case Strategy::list:
        return schedule_list(index, workers);
    case Strategy::optimistic:
        break;
    }
    return schedule_optimistic(index, workers);
}

} // namespace blockloom::schedule
