#include "compute/cuda/submission.h"

#include "base/contain.h"

#include <chrono>

namespace blockloom::compute::cuda {

Status Submission::start() {
    const Core::Current current(*core);
    const Stream stream = core->lane(list->lane()).stream;
    Code code = success;
    for (const Event event : awaited)
        if (code == success) code = core->driver->stream_wait(stream, event, 0);
    Status put = contain("a submission", [&] {
        return code == success ? list->play(stream, core->origin())
                               : Status(core->failed(code, "an event"));
    });
    code = core->driver->event_record(ended, stream);
    {
        const std::lock_guard lock(core->mutex);
        for (Core::Pending& pending : core->lane(list->lane()).pending)
            if (pending.value == value) pending.is_on_stream = true;
    }
    if (put && code != success) put = core->failed(code, "a submission");
    return put;
}

Status start_in_time(Submission submission, Turn turn) {
    struct Work {
        Submission submission;
        Turn turn;
        std::mutex mutex; ///< guards the answer
        std::condition_variable answered;
        std::optional<Status> answer;
    };
    const std::shared_ptr<Core> core = submission.core;
    const Ticket ticket{submission.list->lane(), submission.value};
    const std::shared_ptr<Work> work(new Work{std::move(submission), std::move(turn), {}, {}, {}});
    Patience patience(*core);
    try {
        start_thread([work] {
            Status status = work->submission.start();
            work->turn.end();
            work->submission = {}; // whoever has the answer may expect to be its last user
            const std::lock_guard lock(work->mutex);
            work->answer = std::move(status);
            work->answered.notify_one();
        }).detach();
    } catch (const std::system_error&) {
        return work->submission.start(); // no thread: rather late than never
    }
    constexpr std::chrono::milliseconds pause{1};
    std::unique_lock lock(work->mutex);
    while (!work->answered.wait_for(lock, pause, [&] { return work->answer.has_value(); }))
        if (!patience.left()) {
            core->give_up(ticket);
            return core->overdue();
        }
    return *std::move(work->answer);
}

} // namespace blockloom::compute::cuda
