#include "execute/worker_pool.h"

#include "base/contain.h"
#include "execute/spin.h"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <mutex>
#include <string>

namespace blockloom::execute {
namespace {

std::size_t pieces_of(const WorkerPool::Stage& stage) noexcept {
    return (stage.count + stage.grain - 1) / stage.grain;
}

} // namespace

/// What workers share. Each counter has its own cache line.
struct WorkerPool::Board {
    struct alignas(64) Next {
        std::atomic<std::size_t> piece{0};
    };
    struct alignas(64) Done {
        std::atomic<std::uint32_t> pieces{0};
    };

    explicit Board(unsigned workers) : next(workers * most_stages) {}

    /// The number of jobs opened and closed. Odd: a job is open. A worker first registers as inside
    /// and then checks again.
    alignas(64) std::atomic<std::uint32_t> generation{0};
    /// Changes with each job, each task that is added, and the end of a task that is waited for:
    /// what idle workers and the waiting caller wait for.
    alignas(64) std::atomic<std::uint32_t> news{0};
    alignas(64) std::atomic<std::uint32_t> inside{0};
    std::array<Done, most_stages> done;
    std::vector<Next> next; ///< by stage and owner of a range of pieces
    std::atomic<bool> failed{false};
    std::mutex guard;
    std::exception_ptr thrown; ///< the first of this job

    /// Tasks that are ready and not begun, oldest first. A list of the tasks themselves: a task
    /// that becomes ready must never need memory.
    alignas(64) std::atomic<std::uint32_t> tasks_ready{0};
    std::mutex tasks_guard;
    std::shared_ptr<TaskState> first_task;
    TaskState* last_task = nullptr;

    // With the lock held.
    void add(std::shared_ptr<TaskState> task) noexcept;
    [[nodiscard]] std::shared_ptr<TaskState> take_first() noexcept;
    /// False: it is not there.
    [[nodiscard]] bool take_out(const TaskState& task) noexcept;
};

struct WorkerPool::TaskState {
    enum : std::uint32_t { waiting, running, done };
    std::atomic<std::uint32_t> state{waiting};
    std::function<void(unsigned)> work;
    // Guarded by Board::tasks_guard.
    std::shared_ptr<TaskState> next;                   ///< in the list of ready tasks
    std::size_t awaited = 0;                           ///< tasks before it that are not done
    bool waited_for = false;                           ///< by the caller
    std::vector<std::shared_ptr<TaskState>> followers; ///< that wait for this one
};

void WorkerPool::Board::add(std::shared_ptr<TaskState> task) noexcept {
    TaskState* const added = task.get();
    (last_task == nullptr ? first_task : last_task->next) = std::move(task);
    last_task = added;
    tasks_ready.fetch_add(1, std::memory_order_release);
}

std::shared_ptr<WorkerPool::TaskState> WorkerPool::Board::take_first() noexcept {
    std::shared_ptr<TaskState> task = std::move(first_task);
    if (task == nullptr) return task;
    first_task = std::move(task->next);
    if (first_task == nullptr) last_task = nullptr;
    tasks_ready.fetch_sub(1, std::memory_order_relaxed);
    return task;
}

bool WorkerPool::Board::take_out(const TaskState& task) noexcept {
    TaskState* before = nullptr;
    for (std::shared_ptr<TaskState>* at = &first_task; *at != nullptr; at = &before->next) {
        if (at->get() == &task) {
            const std::shared_ptr<TaskState> taken = std::move(*at);
            *at = std::move(taken->next);
            if (last_task == &task) last_task = before;
            tasks_ready.fetch_sub(1, std::memory_order_relaxed);
            return true;
        }
        before = at->get();
    }
    return false;
}

bool WorkerPool::Task::is_done() const noexcept {
    return state_->state.load(std::memory_order_acquire) == TaskState::done;
}

unsigned WorkerPool::count(unsigned wanted) noexcept {
    return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

WorkerPool::WorkerPool(unsigned workers)
    : workers_(count(workers)), spin_(workers_ <= std::thread::hardware_concurrency()),
      board_(std::make_unique<Board>(workers_)) {
    threads_.reserve(workers_ - 1);
    try {
        for (unsigned worker = 1; worker < workers_; ++worker)
            threads_.push_back(
                start_thread([this, worker](const std::stop_token& stop) { serve(worker, stop); }));
    } catch (const std::system_error& refused) {
        const std::size_t number = threads_.size() + 2; // the caller is the first
        dismiss();
        throw std::system_error(refused.code(), "worker " + std::to_string(number) + " of " +
                                                    std::to_string(workers_) +
                                                    ": cannot start another thread");
    } catch (...) {
        dismiss();
        throw;
    }
}

WorkerPool::~WorkerPool() {
    dismiss();
}

void WorkerPool::dismiss() noexcept {
    for (std::jthread& thread : threads_) thread.request_stop();
    board_->news.fetch_add(1);
    board_->news.notify_all();
    threads_.clear();
}

void WorkerPool::wait_for_news(std::uint32_t seen) const {
    const std::atomic<std::uint32_t>& news = board_->news;
    const auto changed = [&] { return news.load(std::memory_order_acquire) != seen; };
    if (!spin_ || !spin_until(changed)) news.wait(seen);
}

void WorkerPool::serve(unsigned worker, const std::stop_token& stop) {
    std::uint32_t last_job = 0; // in which it took part
    for (;;) {
        // Read first: what happens later changes it.
        const std::uint32_t news = board_->news.load();
        if (stop.stop_requested()) return;
        const std::uint32_t job = board_->generation.load();
        if (job % 2 != 0 && job != last_job) {
            // The caller closes the job and then waits until no worker is inside: a late worker
            // finds it closed, or is waited for.
            bool over = true;
            board_->inside.fetch_add(1);
            if (board_->generation.load() == job) {
                if (part_ == nullptr)
                    take_part(worker);
                else
                    over = run_part(worker);
            }
            board_->inside.fetch_sub(1);
            if (over)
                last_job = job;
            else
                (void)run_ready_task(worker);
        } else if (!run_ready_task(worker)) {
            wait_for_news(news);
        }
    }
}

void WorkerPool::finish(TaskState& task) {
    bool any_news = false;
    {
        const std::lock_guard lock(board_->tasks_guard);
        task.state.store(TaskState::done, std::memory_order_release);
        any_news = task.waited_for;
        for (std::shared_ptr<TaskState>& follower : task.followers) {
            if (--follower->awaited != 0) continue;
            board_->add(std::move(follower));
            any_news = true;
        }
        task.followers.clear();
    }
    task.state.notify_all();
    if (!any_news) return;
    board_->news.fetch_add(1);
    board_->news.notify_all();
}

void WorkerPool::run_task(TaskState& task, unsigned worker) {
    task.work(worker);
    task.work = nullptr;
    finish(task);
}

bool WorkerPool::has_ready_task() const noexcept {
    return board_->tasks_ready.load(std::memory_order_acquire) != 0;
}

/// The task that has been ready for longest; false: there is none.
bool WorkerPool::run_ready_task(unsigned worker) {
    if (!has_ready_task()) return false;
    std::shared_ptr<TaskState> task;
    {
        const std::lock_guard lock(board_->tasks_guard);
        task = board_->take_first();
        if (task == nullptr) return false;
        task->state.store(TaskState::running, std::memory_order_relaxed);
    }
    run_task(*task, worker);
    return true;
}

WorkerPool::Task WorkerPool::post(std::function<void(unsigned worker)> work,
                                  std::span<const Task> after) {
    Task task;
    task.state_ = std::make_shared<TaskState>();
    task.state_->work = std::move(work);
    {
        const std::lock_guard lock(board_->tasks_guard);
        // All memory first: a task is never half posted.
        for (const Task& each : after)
            if (each) each.state_->followers.reserve(each.state_->followers.size() + after.size());
        for (const Task& each : after) {
            if (!each || each.is_done()) continue;
            each.state_->followers.push_back(task.state_);
            ++task.state_->awaited;
        }
        if (task.state_->awaited != 0) return task;
        board_->add(task.state_);
    }
    board_->news.fetch_add(1);
    board_->news.notify_one();
    return task;
}

/// The task was ready and nobody had begun it: the caller now has it.
bool WorkerPool::take_back(const TaskState& task) {
    const std::lock_guard lock(board_->tasks_guard);
    return board_->take_out(task);
}

void WorkerPool::wait_for(const Task& task) {
    TaskState& state = *task.state_;
    if (!task.is_done() && take_back(state)) return run_task(state, 0);
    while (!task.is_done()) {
        // Read first: tasks that become ready later change it, and so does the end of this one once
        // it is known to be waited for.
        const std::uint32_t news = board_->news.load();
        if (run_ready_task(0)) continue;
        {
            const std::lock_guard lock(board_->tasks_guard);
            if (task.is_done()) return;
            state.waited_for = true;
        }
        wait_for_news(news);
    }
}

void WorkerPool::withdraw(const Task& task) {
    if (task.is_done()) return;
    TaskState& state = *task.state_;
    bool begun = true;
    {
        const std::lock_guard lock(board_->tasks_guard);
        if (state.awaited != 0) { // its predecessors will find it done
            state.awaited = std::numeric_limits<std::size_t>::max();
            begun = false;
        }
    }
    if (!begun || (!task.is_done() && take_back(state))) {
        state.work = nullptr;
        finish(state);
    }
    for (std::uint32_t now = state.state.load(); now != TaskState::done; now = state.state.load())
        state.state.wait(now);
}

void WorkerPool::take_part(unsigned worker) {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        take_pieces(worker, stage);
        // After the last stage only the caller waits, and sleeps if it takes long.
        if (worker != 0 && stage + 1 == stages_.size()) return;
        const auto all = static_cast<std::uint32_t>(pieces_of(stages_[stage]));
        std::atomic<std::uint32_t>& done = board_->done[stage].pieces;
        const auto over = [&] { return done.load(std::memory_order_acquire) == all; };
        if (spin_ && spin_until(over)) continue;
        for (std::uint32_t now = done.load(); now != all; now = done.load()) done.wait(now);
    }
}

void WorkerPool::take_pieces(unsigned worker, std::size_t number) {
    const Stage& stage = stages_[number];
    const std::size_t pieces = pieces_of(stage);
    std::uint32_t mine = 0;
    for (unsigned k = 0; k < workers_; ++k) {
        const std::size_t owner = (worker + k) % workers_;
        std::atomic<std::size_t>& next = board_->next[number * workers_ + owner].piece;
        const std::size_t end = pieces * (owner + 1) / workers_;
        while (next.load(std::memory_order_relaxed) < end) {
            const std::size_t piece = next.fetch_add(1, std::memory_order_relaxed);
            if (piece >= end) break;
            run_piece(stage, worker, piece * stage.grain);
            ++mine;
        }
    }
    if (mine == 0) return;
    std::atomic<std::uint32_t>& done = board_->done[number].pieces;
    if (done.fetch_add(mine) + mine == pieces) done.notify_all();
}

void WorkerPool::keep_thrown() noexcept {
    const std::lock_guard lock(board_->guard);
    if (!board_->thrown) board_->thrown = std::current_exception();
    board_->failed.store(true, std::memory_order_relaxed);
}

/// Counts as done either way, so that there is no wait for it.
void WorkerPool::run_piece(const Stage& stage, unsigned worker, std::size_t begin) noexcept {
    if (board_->failed.load(std::memory_order_relaxed)) return;
    try {
        stage.work(worker, begin, std::min(stage.count, begin + stage.grain));
    } catch (const std::exception&) {
        keep_thrown();
    }
}

void WorkerPool::each(std::size_t count, std::size_t grain, Work work) {
    const Stage stage{count, grain, work};
    stages({&stage, 1});
}

void WorkerPool::stages(std::span<const Stage> stages, const Work* beside) {
    const bool alone = threads_.empty() ||
                       std::all_of(stages.begin(), stages.end(),
                                   [](const Stage& stage) { return stage.count <= stage.grain; });
    if (alone) {
        if (beside != nullptr) (*beside)(0, 0, 1);
        for (const Stage& stage : stages)
            for (std::size_t begin = 0; begin < stage.count; begin += stage.grain)
                stage.work(0, begin, std::min(stage.count, begin + stage.grain));
        return;
    }
    stages_ = stages;
    for (std::size_t number = 0; number < stages.size(); ++number) {
        board_->done[number].pieces.store(0, std::memory_order_relaxed);
        const std::size_t pieces = pieces_of(stages[number]);
        for (std::size_t owner = 0; owner < workers_; ++owner)
            board_->next[number * workers_ + owner].piece.store(pieces * owner / workers_,
                                                                std::memory_order_relaxed);
    }
    board_->generation.fetch_add(1);
    board_->news.fetch_add(1);
    board_->news.notify_all();
    if (beside != nullptr) {
        try {
            (*beside)(0, 0, 1);
        } catch (const std::exception&) {
            keep_thrown();
        }
    }
    take_part(0);
    close();
}

bool WorkerPool::run_part(unsigned worker) noexcept {
    bool over = true;
    try {
        over = (*part_)(worker);
    } catch (const std::exception&) {
        keep_thrown();
    }
    return over;
}

void WorkerPool::open(const Part& part) {
    if (threads_.empty()) {
        while (!part(0)) {
        }
        return;
    }
    part_ = &part;
    board_->generation.fetch_add(1);
    board_->news.fetch_add(1);
    board_->news.notify_all();
    while (!run_part(0)) {
    }
    close();
}

/// Ends the job when no worker takes part in it any more.
void WorkerPool::close() {
    board_->generation.fetch_add(1);
    while (board_->inside.load() != 0)
        if (!spin_ || !spin_until([&] { return board_->inside.load() == 0; }))
            std::this_thread::yield();
    part_ = nullptr;
    if (!board_->failed.load()) return;
    board_->failed = false;
    std::rethrow_exception(std::exchange(board_->thrown, nullptr));
}

} // namespace blockloom::execute
