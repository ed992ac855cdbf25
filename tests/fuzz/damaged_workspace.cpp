// One fault in one file of a workspace, over thousands of places: fuzz_damaged_workspace TRIALS
// [SEED]. Prints what came of it; status 1 if an answer was wrong, or a trial crashed or never
// ended.
#include "store/damage_trials.h"

#include <QTemporaryDir>

using namespace blockloom::test;

int main(int argc, char** argv) {
    const std::uint64_t trials = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const QTemporaryDir folder;
    const Counts counts =
        perform_trials(folder.path().toStdString(), trials, seed, [](const std::string& line) {
            std::printf("%s\n", line.c_str());
            std::fflush(stdout);
        });
    for (std::size_t fault = 0; fault < fault_names.size(); ++fault) {
        std::printf("%-12s", fault_names[fault]);
        for (std::size_t outcome = 0; outcome < outcome_names.size(); ++outcome)
            std::printf("  %s %llu", outcome_names[outcome],
                        static_cast<unsigned long long>(counts.of[fault][outcome]));
        std::printf("\n");
    }
    std::printf("%llu trials, seed %llu, %llu bad\n", static_cast<unsigned long long>(trials),
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(counts.bad));
    return counts.bad == 0 ? 0 : 1;
}
