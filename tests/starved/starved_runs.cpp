#include "starved/starved_runs.h"

#include "base/contain.h"
#include "execute/strategy.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "store/workspace.h"

#include <array>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

namespace blockloom::test {
namespace {

/// Of processor time, beyond which a run turns in a circle: the runs here take less than a second.
constexpr rlim_t most_seconds = 300;
constexpr int gave_up_status = 3;

/// As the command line has it: where no error can be returned, status 3.
[[noreturn]] void give_up() noexcept {
    if (const std::exception_ptr thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::exception&) {
            std::_Exit(gave_up_status);
        } catch (...) {
        }
    }
    // A library gave up while an exception passed through it.
    if (std::uncaught_exceptions() > 0) std::_Exit(gave_up_status);
    std::abort();
}

bool is_in(const void* code, const char* library) noexcept {
    Dl_info at{};
    return ::dladdr(code, &at) != 0 && std::strstr(at.dli_fname, library) != nullptr;
}

/// An assertion of RocksDB has failed: memory ran out in the middle of a change, and it closes.
/// Whatever else aborts, as the C++ library on a damaged heap, is a defect.
void aborted(int number) noexcept {
    std::array<void*, 64> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 1; i < count; ++i) {
        const void* const frame = frames[static_cast<std::size_t>(i)];
        if (is_in(frame, "/libc.so")) continue;
        if (is_in(frame, "/librocksdb.so")) ::_exit(gave_up_status);
        break;
    }
    (void)std::signal(number, SIG_DFL);
    (void)std::raise(number);
}

/// RocksDB uses what posix_memalign did not give it, as it makes a cache (`LRUCache`): its own code
/// reads or writes the first page. Any other invalid access is a defect.
void accessed(int number, siginfo_t* what, void* context) noexcept {
    constexpr std::uintptr_t first_page = 4096;
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
    if (reinterpret_cast<std::uintptr_t>(what->si_addr) < first_page &&
        is_in(reinterpret_cast<const void*>(registers[REG_RIP]), "/librocksdb.so"))
        ::_exit(gave_up_status);
    (void)std::signal(number, SIG_DFL); // the instruction runs again, and ends the process
}

void limit_address_space(std::uint64_t bytes) noexcept {
    if (bytes == 0) return;
    const rlimit limit{bytes, bytes};
    (void)::setrlimit(RLIMIT_AS, &limit);
}

void send(int to, char how, const std::string& text) noexcept {
    (void)!::write(to, &how, 1);
    for (const CallKind kind : call_kinds) {
        const std::uint64_t calls = calls_made(kind);
        (void)!::write(to, &calls, sizeof calls);
    }
    (void)!::write(to, text.data(), text.size());
}

std::string all_of(int from) {
    std::string text;
    char part[4096];
    for (ssize_t size = 0; (size = ::read(from, part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(size));
    return text;
}

[[noreturn]] void work_alone(int to, const Lack& lack,
                             const std::function<Result<std::string>()>& work) {
    std::set_terminate(give_up);
    std::array<void*, 4> loaded{}; // backtrace's library, while there is memory
    (void)::backtrace(loaded.data(), static_cast<int>(loaded.size()));
    (void)std::signal(SIGABRT, aborted);
    struct sigaction access = {};
    access.sa_sigaction = accessed;
    access.sa_flags = SA_SIGINFO;
    (void)::sigaction(SIGSEGV, &access, nullptr);
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL); // a run that hangs ends with who waits for it
    const rlimit limit{most_seconds, most_seconds + 1}; // SIGXCPU, then SIGKILL
    (void)::setrlimit(RLIMIT_CPU, &limit);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)::dup2(nowhere, STDERR_FILENO);
    limit_address_space(lack.address_space);
    fail_call(lack.kind, lack.number, lack.lasting);
    const auto answer = contain("run", work);
    fail_no_more();
    if (answer)
        send(to, 'a', *answer);
    else
        send(to, 'f',
             fmt::format("{} {}", static_cast<int>(answer.error().code), answer.error().message));
    ::_exit(0);
}

} // namespace

std::string StarvedCase::text() const {
    return fmt::format("{} {} {}, {} workers, window {}, {}{}{}", recipe, name_of(strategy),
                       name_of(engine), workers, window, workspace ? "workspace" : "memory",
                       verify ? ", verify" : "",
                       access == execute::Access::declared ? ", declared" : "");
}

std::string Lack::text() const {
    if (address_space != 0) return fmt::format("{} bytes of addresses", address_space);
    return fmt::format("{} {}{}", name_of(kind), number, lasting ? " and all after it" : "");
}

std::vector<StarvedCase> starved_cases() {
    using execute::Strategy;
    std::vector<StarvedCase> cases;
    bool workspace = false;
    for (const recipes::Recipe& recipe : recipes::named_recipes()) {
        if (!recipe.has_messages()) continue;
        for (const Strategy strategy :
             {Strategy::serial, Strategy::levels, Strategy::speculative}) {
            StarvedCase each;
            each.recipe = recipe.name;
            each.strategy = strategy;
            each.workers = strategy == Strategy::serial ? 1 : 3;
            each.workspace = workspace = !workspace;
            cases.push_back(each);
            each.workspace = !workspace;
            each.engine = alkanes::Engine::native;
            each.window = strategy == Strategy::speculative ? 2 : 1;
            each.sets = execute::SetsFrom::estimate;
            each.verify = strategy == Strategy::levels;
            cases.push_back(each);
        }
    }
    return cases;
}

Ended in_process(const Lack& lack, const std::function<Result<std::string>()>& work) {
    Ended ended;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        ended.text = std::strerror(errno);
        return ended;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        work_alone(ends[1], lack, work);
    }
    ::close(ends[1]);
    std::string text = all_of(ends[0]);
    ::close(ends[0]);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) {
        ended.text = "no process";
        return ended;
    }
    constexpr std::size_t head = 1 + sizeof ended.calls;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && text.size() >= head) {
        ended.how = text.front() == 'a' ? Ended::How::answered : Ended::How::failed;
        std::memcpy(ended.calls.data(), text.data() + 1, sizeof ended.calls);
        ended.text = text.substr(head);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == gave_up_status) {
        ended.how = Ended::How::gave_up;
    } else {
        ended.text = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                         : fmt::format("status {}", WEXITSTATUS(status));
    }
    return ended;
}

StarvedBlocks::StarvedBlocks(const StarvedCase& of) : case_(of) {
    recipes::RecipeChanges changes;
    changes.blocks = of.blocks;
    changes.tasks = of.tasks;
    changes.contracts = 2;
    changes.seed = 9;
    auto made =
        recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(of.recipe), changes));
    for (Bytes& bytes : *made) {
        const auto listing = chain::list_block_bytes(std::move(bytes), "generated");
        for (const chain::BlockRef& ref : listing.blocks) sources_.push_back({ref, ref.height, {}});
    }
}

Result<Hash256> StarvedBlocks::digest(const std::filesystem::path& folder) const {
    execute::ReplayOptions options;
    options.engine = case_.engine;
    options.verify = case_.verify;
    options.strategy.strategy = case_.strategy;
    options.strategy.sets = case_.sets;
    options.strategy.access = case_.access;
    options.strategy.workers = case_.workers;
    options.strategy.window = case_.window;
    options.strategy.batch_min = 1;
    SilentProgress silent;
    const execute::BlockDone done = [](const auto&) { return Status(); };
    if (!case_.workspace) {
        const auto summary =
            execute::replay_on(nullptr, sources_, options, false, done, silent, {});
        if (!summary) return summary.error();
        return *summary->state_digest;
    }
    execute::JoinOptions first;
    first.beginning.of_chain = true;
    const auto workspace = store::Workspace::open(folder.string());
    if (!workspace) return workspace.error();
    const auto summary =
        execute::replay_into(**workspace, sources_, options, false, done, silent, {}, first);
    if (!summary) return summary.error();
    return *summary->state_digest;
}

Ended StarvedBlocks::run(const Lack& lack, const std::filesystem::path& folder) const {
    return in_process(lack, [&]() -> Result<std::string> {
        const auto found = digest(folder);
        if (!found) return found.error();
        return to_hex(*found);
    });
}

Ended StarvedBlocks::go_on(const std::filesystem::path& folder) const {
    return run({}, folder);
}

void StarvedCounts::add(const StarvedCounts& other) {
    runs += other.runs;
    answered += other.answered;
    failed += other.failed;
    gave_up += other.gave_up;
    wrong.insert(wrong.end(), other.wrong.begin(), other.wrong.end());
}

void check_starved(const StarvedBlocks& blocks, const StarvedCase& of, const Lack& lack,
                   const std::string& right, StarvedCounts& counts) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("blockloom-starved-{}", ::getpid());
    std::filesystem::remove_all(folder);
    const auto note = [&](const std::string& what) {
        counts.wrong.push_back(fmt::format("{}; {}: {}", of.text(), lack.text(), what));
    };
    const Ended ended = blocks.run(lack, folder);
    ++counts.runs;
    switch (ended.how) {
    case Ended::How::answered:
        ++counts.answered;
        if (ended.text != right) note("digest " + ended.text + ", expected " + right);
        break;
    case Ended::How::failed:
        ++counts.failed;
        if (!ended.text.starts_with(std::to_string(static_cast<int>(ErrorCode::system))))
            note("an error of another kind: " + ended.text);
        break;
    case Ended::How::gave_up:
        ++counts.gave_up;
        break;
    case Ended::How::broke:
        note(ended.text);
        break;
    }
    if (of.workspace && ended.how != Ended::How::answered) {
        const Ended rest = blocks.go_on(folder);
        if (rest.how != Ended::How::answered || rest.text != right)
            note("the run after it: " + rest.text + ", expected " + right);
    }
    std::filesystem::remove_all(folder);
}

} // namespace blockloom::test
