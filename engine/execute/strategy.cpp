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
    }
    return "?";
}

} // namespace blockloom::execute
