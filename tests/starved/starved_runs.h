// Replays of generated blocks in processes of their own, which lack something.
#pragma once

#include "execute/replay.h"
#include "starved/failing_calls.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace blockloom::test {

/// What is replayed, and how.
struct StarvedCase {
    std::string recipe;
    std::uint32_t blocks = 2, tasks = 10;
    execute::Strategy strategy = execute::Strategy::serial;
    std::optional<execute::SetsFrom> sets;
    execute::Access access = execute::Access::open;
    alkanes::Engine engine = alkanes::Engine::interpreter;
    unsigned workers = 1;
    std::uint32_t window = 1;
    bool workspace = false; ///< on disk, else in memory
    bool verify = false;

    [[nodiscard]] std::string text() const;
};

/// Every recipe with messages on every strategy, in memory and in a workspace, both engines.
[[nodiscard]] std::vector<StarvedCase> starved_cases();

/// What a process lacks.
struct Lack {
    CallKind kind = CallKind::memory;
    std::uint64_t number = 0; ///< of the call that fails; 0: none
    bool lasting = false;
    std::uint64_t address_space = 0; ///< bytes; 0: as much as there is
    [[nodiscard]] std::string text() const;
};

/// How a run ended.
struct Ended {
    enum class How : std::uint8_t {
        answered, ///< `text` is the digest of the state
        failed,   ///< with an error: `text`
        gave_up,  ///< exit status 3 from where no error can be returned: the compiler, a library's
                  ///< thread
        broke     ///< a signal, another status, or no end
    } how = How::broke;
    std::string text;
    std::array<std::uint64_t, std::size(call_kinds)>
        calls{}; ///< made; not where it gave up or broke
};

/// Blocks of one case, made once.
class StarvedBlocks {
public:
    explicit StarvedBlocks(const StarvedCase& of);

    /// In a process of its own, on an empty state; `folder` of the workspace, which must be absent.
    [[nodiscard]] Ended run(const Lack& lack, const std::filesystem::path& folder) const;
    /// The rest after a run that failed: a workspace stands at a committed block.
    [[nodiscard]] Ended go_on(const std::filesystem::path& folder) const;

private:
    [[nodiscard]] Result<Hash256> digest(const std::filesystem::path& folder) const;

    StarvedCase case_;
    std::vector<execute::ReplaySource> sources_;
};

/// What a set of runs came to.
struct StarvedCounts {
    std::uint64_t runs = 0, answered = 0, failed = 0, gave_up = 0;
    std::vector<std::string> wrong; ///< another digest, or no end that is one
    void add(const StarvedCounts& other);
};

/// One run that lacks `lack`, compared with `right`; where it failed in a workspace, the rest of it
/// too.
void check_starved(const StarvedBlocks& blocks, const StarvedCase& of, const Lack& lack,
                   const std::string& right, StarvedCounts& counts);

/// Runs `work` in a process of its own; what it returns is the answer.
[[nodiscard]] Ended in_process(const Lack& lack, const std::function<Result<std::string>()>& work);

} // namespace blockloom::test
