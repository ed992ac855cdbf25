// The rules and the code with which blocks were executed, as recorded in a run's settings.
#pragma once

#include <map>
#include <string>

namespace blockloom::execute {

struct RunRules {
    std::string line;    ///< "released", "develop", "own"
    std::string follows; ///< the indexer's tag or commit; empty: the network has its own rules
    std::string code;    ///< source of the built-in contracts' code: by "height", or in the "state"
    std::map<std::string, std::string> built_ins; ///< SHA-256 of their modules by slot

    std::string fuel; ///< "exact"; otherwise instructions are counted

    friend bool operator==(const RunRules&, const RunRules&) = default;

    /// "released rules (v2.2.1-rc.4), exact fuel"; counted fuel is not mentioned: "own rules".
    [[nodiscard]] std::string text() const {
        if (line.empty()) return "rules that were not recorded";
        return line + " rules" + (follows.empty() ? "" : " (" + follows + ")") +
               (fuel.empty() ? "" : ", " + fuel + " fuel");
    }
};

} // namespace blockloom::execute
