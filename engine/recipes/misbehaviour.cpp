#include "recipes/misbehaviour.h"

#include "alkanes/runestone.h"
#include "recipes/token_numbers.h"

#include <iterator>

namespace blockloom::recipes {

namespace {

using alkanes::AlkaneId;
using alkanes::Protostone;

/// Opcodes of resources/contracts/misbehaving.c, with what they want.
std::vector<u128> contract_call(Random& random) {
    const u128 counter = random.below(8);
    switch (random.below(24)) {
    case 0:
        return {1}; // loops until the fuel is out
    case 1:
        return {2}; // grows until the host says no
    case 2:
        return {3}; // recurses
    case 3:
        return {4}; // calls itself
    case 4:
    case 5:
    case 6:
        return {5, counter}; // follows a pointer in the state
    case 7:
        return {6}; // garbage
    case 8:
        return {7}; // reverts
    case 9:
        return {8}; // traps
    case 10:
        return {9}; // reads outside its memory
    case 11:
        return {15, random.between(1, 64), random.between(0, 300)}; // writes much
    case 12:
        return {16, 2, 0}; // pays what it does not have
    case 13:
        return {17}; // a nested call fails
    case 14:
        return {18, counter}; // a static call writes
    case 15:
        return {19, counter}; // a delegate call writes
    case 16:
        return {20}; // stores the fuel it has left
    case 17:
        return {21, 0, 5}; // divides by 0
    case 18:
        return {22, counter}; // calls a function that does not exist
    case 19:
        return {23}; // aborts and continues
    case 20:
        return {25}; // an answer outside the memory
    case 21:
        return {26}; // an answer cut off
    default:
        return {14, counter}; // counts
    }
}

/// Targets without code.
AlkaneId wrong_target(Random& random) {
    constexpr AlkaneId targets[]{{2, 9'999'999}, {7, 1},      {0, 0},      {1, 0},
                                 {1, 5},         {3, 797},    {3, 12'345}, {5, 9'999'999},
                                 {6, 4},         {8, 57'005}, {4, 5}};
    return targets[random.below(std::size(targets))];
}

Protostone wrong_pointer(Protostone stone, Random& random, const Outputs& outputs) {
    switch (random.below(3)) {
    case 0:
        stone.pointer = outputs.count + 50;
        break;
    case 1:
        stone.refund.reset();
        break;
    default:
        stone.pointer = outputs.count; // the spread: as a pointer it leads nowhere
        break;
    }
    return stone;
}

Protostone no_cellpack(Protostone stone, Random& random) {
    stone.message = Bytes(15, random.chance(0.5) ? Byte{0xff} : Byte{0});
    if (stone.message[0] == 0) stone.message[14] = 0x80; // fourteen zeros and half an integer
    return stone;
}

} // namespace

Stones misbehaviour(const MakeCall& call, Random& random, const AlkaneId& contract,
                    const AlkaneId& trap, std::uint32_t& fork, const Outputs& outputs) {
    Stones stones;
    const auto add = [&](Protostone stone) { stones.protostones.push_back(std::move(stone)); };
    const auto ordinary = [&] { return call(contract, {14, random.below(8)}, outputs); };
    if (fork != 0 || random.chance(0.1)) {
        constexpr std::uint32_t parts = 4; // first, second, third, reset
        add(call(trap, {10 + fork}, outputs));
        fork = (fork + 1) % parts;
        return stones;
    }
    switch (random.below(12)) {
    case 0:
        add(call(wrong_target(random), {0, 1, 2}, outputs));
        break;
    case 1:
        add(wrong_pointer(ordinary(), random, outputs));
        break;
    case 2:
        add(no_cellpack(ordinary(), random));
        break;
    case 3: { // tag 2: takes a shadow vout and does nothing
        Protostone other = ordinary();
        other.protocol = 2;
        add(std::move(other));
        add(ordinary());
        break;
    }
    case 4: // the second mint of a transaction reverts, and so takes nothing
        add(call(reward_contract, {77}, outputs));
        if (outputs.most_stones >= 2) add(call(reward_contract, {77}, outputs));
        break;
    case 5: { // edicts of tokens that do not exist, to outputs that do not exist
        Protostone stone = ordinary();
        stone.message.clear();
        stone.edicts = {
            {reward_contract, 5, 0}, {reward_contract, 0, 1'000}, {contract, 1, outputs.count}};
        add(std::move(stone));
        break;
    }
    default:
        add(call(contract, contract_call(random), outputs));
        break;
    }
    return stones;
}

Bytes broken_runestone(Random& random) {
    Bytes script{0x6a, 0x5d};
    const auto push = [&](std::initializer_list<Byte> bytes) {
        script.push_back(static_cast<Byte>(bytes.size()));
        script.insert(script.end(), bytes);
    };
    switch (random.below(5)) {
    case 0: // an opcode that pushes nothing
        push({0x16, 0x00});
        script.push_back(0x51);
        break;
    case 1: // a push over the end
        script.insert(script.end(), {0x20, 0x01, 0x02});
        break;
    case 2: // an integer without an end
        push({0xff, 0xff, 0xff});
        break;
    case 3: // an unknown even tag
        push({0x18, 0x01});
        break;
    default: { // a protocol field whose integers break off: the transaction is void
        alkanes::Runestone stone;
        stone.protocol = {u128{0xff}, u128{0xffffff} << 96U};
        return alkanes::encode_runestone(stone);
    }
    }
    return script;
}

} // namespace blockloom::recipes
