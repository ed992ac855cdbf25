#include "alkanes/script.h"

#include <algorithm>

namespace blockloom::alkanes {

bool ScriptWalker::next(Instruction& instruction) noexcept {
    if (script_.empty()) return false;
    const Byte code = script_.front();
    instruction = {code <= opcode::push_data_4, code, {}};
    std::size_t head = 1, size = 0;
    if (code < opcode::push_data_1) {
        size = code;
    } else if (code <= opcode::push_data_4) {
        const std::size_t width = std::size_t{1} << (code - opcode::push_data_1);
        head += width;
        if (script_.size() < head) {
            script_ = {};
            broken_ = true;
            return false;
        }
        for (std::size_t i = 0; i < width; ++i) size |= std::size_t{script_[1 + i]} << (8 * i);
    }
    if (size > script_.size() - head) {
        script_ = {};
        broken_ = true;
        return false;
    }
    instruction.data = script_.subspan(head, size);
    script_ = script_.subspan(head + size);
    return true;
}

void append_push(Bytes& to, ByteView data) {
    const std::size_t size = data.size();
    if (size < opcode::push_data_1) {
        to.push_back(static_cast<Byte>(size));
    } else if (size <= 0xff) {
        to.push_back(opcode::push_data_1);
        to.push_back(static_cast<Byte>(size));
    } else if (size <= 0xffff) {
        to.push_back(opcode::push_data_2);
        append_le(to, static_cast<std::uint16_t>(size));
    } else {
        to.push_back(opcode::push_data_4);
        append_le(to, static_cast<std::uint32_t>(size));
    }
    to.insert(to.end(), data.begin(), data.end());
}

void append_pushes(Bytes& to, ByteView data) {
    while (!data.empty()) {
        const std::size_t size = std::min(data.size(), most_push);
        append_push(to, data.first(size));
        data = data.subspan(size);
    }
}

} // namespace blockloom::alkanes
