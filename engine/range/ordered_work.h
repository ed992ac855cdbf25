// Work on 0 … count − 1 by several threads, lowest index first, so that results can be kept in
// order.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace blockloom::range {

/// Calls `work(i)` once for each index, in ascending order of start, on `threads` threads (0: as
/// many as cores; never more than `count`). Once a call returns false or `stop` is requested, no
/// further index is started; those already started finish. So every index below the lowest that
/// failed has been processed, whatever the timing. Returns when all calls have finished; an
/// exception from a call is rethrown here.
void work_in_order(std::size_t count, unsigned threads, const std::stop_token& stop,
                   const std::function<bool(std::size_t)>& work);

} // namespace blockloom::range
