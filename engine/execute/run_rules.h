// By whose rules and with whose code blocks were executed, as a run's settings say it.
#pragma once

#include <map>
#include <string>

namespace blockloom::execute {

struct RunRules {
    std::string line;    ///< "released", "develop", "own"
    std::string follows; ///< the indexer's tag or commit; empty: the network has rules of its own
    std::string code;    ///< of the indexer's built-in contracts: by "height", or in the "state"
    std::map<std::string, std::string> built_ins; ///< SHA-256 of their modules by slot

    std::string fuel; ///< "exact"; else instructions are counted

    friend bool operator==(const RunRules&, const RunRules&) = default;

    /// "released rules (v2.2.1-rc.4), exact fuel"; counted fuel is not named: "own rules".
    [[nodiscard]] std::string text() const {
        if (line.empty()) return "rules without a line";
        return line + " rules" + (follows.empty() ? "" : " (" + follows + ")") +
               (fuel.empty() ? "" : ", " + fuel + " fuel");
    }
};

} // namespace blockloom::execute
