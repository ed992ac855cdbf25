#include "state/change_list.h"

namespace blockloom::state {

ChangePieces::ChangePieces(std::vector<std::size_t> borders)
    : borders_(std::move(borders)), filled_(borders_.size() - 1),
      content_(std::allocator<Change>().allocate(borders_.back())) {}

ChangePieces::~ChangePieces() {
    for (std::size_t piece = 0; piece < filled_.size(); ++piece)
        if (filled_[piece] != 0)
            std::destroy(content_ + borders_[piece], content_ + borders_[piece + 1]);
    std::allocator<Change>().deallocate(content_, borders_.back());
}

void ChangePieces::fill(std::size_t piece, std::span<Change* const> from) noexcept {
    Change* to = content_ + borders_[piece];
    for (Change* const change : from) std::construct_at(to++, std::move(*change));
    filled_[piece] = 1;
}

} // namespace blockloom::state
