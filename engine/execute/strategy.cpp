#include "execute/strategy.h"

namespace blockloom::execute {

const char* name_of(Strategy strategy) noexcept {
    switch (strategy) {
    case Strategy::serial:
        return "serial";
    case Strategy::levels:
        return "levels";
    case Strategy::speculative:
        return "speculative";
    case Strategy::dag:
        return "dag";
    case Strategy::optimistic:
        return "optimistic";
    case Strategy::predict:
        return "predict";
    case Strategy::automatic:
        return "auto";
    }
    return "?";
}

const char* name_of(SetsFrom sets) noexcept {
    switch (sets) {
    case SetsFrom::truth:
        return "true";
    case SetsFrom::estimate:
        return "estimated";
    case SetsFrom::learned:
        return "learned";
    }
    return "?";
}

std::optional<Strategy> strategy_named(std::string_view name) noexcept {
    for (const Strategy strategy : all_strategies)
        if (name == name_of(strategy)) return strategy;
    return std::nullopt;
}

} // namespace blockloom::execute
