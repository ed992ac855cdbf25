// Workspaces of several kinds, one fault in one of their files, and what comes of it: an error or
// the right answer. Each trial runs in a process of its own, so that a crash or an endless open is
// an outcome, too.
#pragma once

#include "blocks.h"
#include "store/check.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace blockloom::test {

namespace fs = std::filesystem;

enum class Fault { flip, cut, removed, doubled, older };
inline constexpr std::array fault_names{"flipped bit", "cut", "removed", "doubled", "older"};

enum class Outcome { right, refused, wrong, crashed, endless };
inline constexpr std::array outcome_names{"right answer", "error", "WRONG", "CRASHED", "ENDLESS"};

struct Sample {
    const char* name;
    std::uint64_t height = 0; ///< of the last block
    bool killed = false;      ///< not closed
};
inline constexpr std::array<Sample, 4> samples{
    {{"log", 2, false}, {"tables", 34, false}, {"mixed", 30, false}, {"killed", 26, true}}};

inline Bytes file_content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), {});
}

inline void write_content(const fs::path& path, const Bytes& bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

/// Runs `work` in a process of its own, for so many seconds of processor time; its return value, or
/// 128 and the signal that ended it.
template <typename Work> int apart(unsigned seconds, const Work& work) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        (void)::prctl(PR_SET_PDEATHSIG, SIGKILL); // if it hangs, it ends with who waits for it
        const rlimit limit{seconds, seconds + 1}; // SIGXCPU, then SIGKILL
        (void)::setrlimit(RLIMIT_CPU, &limit);
        int status = 99;
        try {
            status = work();
        } catch (...) {
            std::abort();
        }
        std::_Exit(status);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Blocks up to a height; false where one fails.
inline bool commit_up_to(store::Workspace& workspace, std::uint64_t height) {
    while ((workspace.tip() ? workspace.tip()->height : 0) < height)
        if (!commit_block(workspace, workspace.tip() ? workspace.tip()->height + 1 : 1))
            return false;
    return true;
}

/// Makes the sample in `folder` and, in `folder.older`, its files of an earlier moment of the last
/// session. In a process of its own: the library's threads do not survive a fork.
inline bool make_sample(const Sample& sample, const fs::path& folder) {
    const fs::path older = folder.string() + ".older";
    // The library's threads remove and rename files meanwhile: a copy that met that starts again.
    const auto remember = [&] {
        for (int attempt = 0; attempt < 1000; ++attempt) {
            std::error_code error;
            fs::remove_all(older, error);
            fs::copy(folder, older, fs::copy_options::recursive, error);
            if (!error) return true;
        }
        return false;
    };
    return apart(300, [&] {
               const std::string name = sample.name;
               const auto session = [&](store::OpenOptions how, const auto& work) {
                   auto workspace = store::Workspace::open(folder, how);
                   return workspace && work(**workspace);
               };
               bool made = true;
               if (name == "tables" || name == "mixed")
                   made = session({.bulk = true, .checkpoint_every = 5, .bulk_bytes = 4000},
                                  [&](store::Workspace& w) { return commit_up_to(w, 20); });
               if (name == "mixed")
                   made = made && session({}, [&](store::Workspace& w) {
                              return commit_up_to(w, 24) && w.undo(22).ok() &&
                                     w.keep_trace({}, "settings", std::string(3000, 'r')).ok();
                          });
               const store::OpenOptions last{
                   .bulk = name == "tables", .checkpoint_every = 4, .bulk_bytes = 3000};
               made = made && session(last, [&](store::Workspace& w) {
                          if (!commit_up_to(w, sample.height == 2 ? 1 : sample.height - 7))
                              return false;
                          if (!remember()) return false;
                          if (!w.set_label("network", "regtest")) return false;
                          if (!commit_up_to(w, sample.height)) return false;
                          if (sample.killed) std::_Exit(0);
                          return true;
                      });
               return made ? 0 : 1;
           }) == 0;
}

struct Trial {
    fs::path file; ///< below the workspace
    Fault fault = Fault::flip;
    std::uint64_t place = 0; ///< bit, or length that is left
};

inline std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), folder));
    std::sort(files.begin(), files.end());
    return files;
}

/// Any file, any fault, any place; each file as often as any other, however small.
inline Trial draw_trial(const fs::path& sample, std::mt19937_64& random) {
    const auto files = files_below(sample);
    Trial trial;
    trial.file = files[random() % files.size()];
    const std::uint64_t size = fs::file_size(sample / trial.file), kind = random() % 20;
    trial.fault = kind < 14   ? Fault::flip
                  : kind < 16 ? Fault::cut
                  : kind < 17 ? Fault::removed
                  : kind < 18 ? Fault::doubled
                              : Fault::older;
    trial.place = size == 0 ? 0 : random() % (trial.fault == Fault::flip ? size * 8 : size);
    return trial;
}

/// Whether the fault changed anything.
inline bool inflict(const Trial& trial, const fs::path& folder, const fs::path& older) {
    const fs::path file = folder / trial.file;
    Bytes bytes = file_content(file);
    const Bytes before = bytes;
    switch (trial.fault) {
    case Fault::flip:
        if (bytes.empty()) return false;
        bytes[trial.place / 8] ^= static_cast<Byte>(1U << (trial.place % 8));
        break;
    case Fault::cut:
        bytes.resize(trial.place);
        break;
    case Fault::removed:
        return fs::remove(file);
    case Fault::doubled:
        bytes.insert(bytes.end(), before.begin(), before.end());
        break;
    case Fault::older:
        if (!fs::exists(older / trial.file)) return false;
        bytes = file_content(older / trial.file);
        break;
    }
    if (bytes == before) return false;
    write_content(file, bytes);
    return true;
}

/// The chain's digests, computed once before any fork.
class Digests {
public:
    Digests() {
        ReferenceChain reference;
        for (std::uint64_t height = 0; height < 50; ++height)
            digests_.push_back(reference.digest(height));
    }
    [[nodiscard]] bool is_right(const store::Workspace& workspace) const {
        const auto found = workspace.state_digest();
        return found && *found == digests_[workspace.tip() ? workspace.tip()->height : 0];
    }

private:
    std::vector<Hash256> digests_;
};

/// Copies the sample, inflicts the fault and uses the workspace: reads, writes, opens again; what
/// is refused is checked and repaired.
inline Outcome perform(const Trial& trial, const Sample& sample, const fs::path& made,
                       const fs::path& scratch, const Digests& digests, bool read_only) {
    fs::remove_all(scratch);
    fs::copy(made, scratch, fs::copy_options::recursive);
    if (!inflict(trial, scratch, made.string() + ".older")) return Outcome::right;
    enum { right, refused, wrong };
    const int status = apart(60, [&] {
        SilentProgress silent;
        std::uint64_t most = sample.height; // and one more once it is committed
        const auto repaired = [&](int otherwise) -> int {
            const auto report = store::repair_workspace(scratch, silent, {});
            if (!report) return refused;
            // Whatever block it went back to, it is that block's state, and it says so.
            auto workspace = store::Workspace::open(scratch);
            if (!workspace || !digests.is_right(**workspace)) return wrong;
            const std::uint64_t height = (*workspace)->tip() ? (*workspace)->tip()->height : 0;
            if (height > most || (height < most && report->lost_writes == 0)) return wrong;
            return otherwise;
        };
        {
            auto workspace = store::Workspace::open(scratch, {.read_only = read_only});
            if (!workspace) return repaired(refused);
            const auto digest = (*workspace)->state_digest();
            if (!digest) {
                workspace->reset();
                return repaired(refused);
            }
            if (!(*workspace)->tip() || (*workspace)->tip()->height != sample.height ||
                !digests.is_right(**workspace))
                return int{wrong};
            if (!read_only && !commit_block(**workspace, ++most)) return int{refused};
        }
        const auto report = store::check_workspace(scratch, silent, {});
        if (!report || !report->problems.empty()) return repaired(refused);
        auto again = store::Workspace::open(scratch);
        if (!again) return int{refused};
        const std::uint64_t expected = sample.height + (read_only ? 0 : 1);
        const bool whole =
            (*again)->tip() && (*again)->tip()->height == expected && digests.is_right(**again);
        return int{whole ? right : wrong};
    });
    if (status == 128 + SIGXCPU) return Outcome::endless;
    return status == right     ? Outcome::right
           : status == refused ? Outcome::refused
           : status == wrong   ? Outcome::wrong
                               : Outcome::crashed;
}

/// Outcomes by fault.
struct Counts {
    std::array<std::array<std::uint64_t, outcome_names.size()>, fault_names.size()> of{};
    std::uint64_t bad = 0;

    void add(Fault fault, Outcome outcome) {
        ++of[static_cast<std::size_t>(fault)][static_cast<std::size_t>(outcome)];
        bad += outcome != Outcome::right && outcome != Outcome::refused;
    }
};

inline std::string trial_text(const Sample& sample, const Trial& trial, Outcome outcome) {
    return std::string(sample.name) + "/" + trial.file.string() + ": " +
           fault_names[static_cast<std::size_t>(trial.fault)] + " at " +
           std::to_string(trial.place) + ": " + outcome_names[static_cast<std::size_t>(outcome)];
}

/// Makes the samples below `folder` and performs trials on them in turn; `reported` gets a line for
/// each bad outcome.
template <typename Told>
Counts perform_trials(const fs::path& folder, std::uint64_t trials, std::uint64_t seed,
                      const Told& reported) {
    Counts counts;
    const Digests digests;
    std::mt19937_64 random(seed);
    for (const Sample& sample : samples)
        if (!make_sample(sample, folder / sample.name)) {
            reported(std::string(sample.name) + ": the sample cannot be made");
            ++counts.bad;
            return counts;
        }
    for (std::uint64_t i = 0; i < trials; ++i) {
        const Sample& sample = samples[i % samples.size()];
        const Trial trial = draw_trial(folder / sample.name, random);
        const Outcome outcome = perform(trial, sample, folder / sample.name, folder / "scratch",
                                        digests, random() % 2 == 0);
        counts.add(trial.fault, outcome);
        if (outcome != Outcome::right && outcome != Outcome::refused)
            reported(trial_text(sample, trial, outcome));
    }
    return counts;
}

} // namespace blockloom::test
