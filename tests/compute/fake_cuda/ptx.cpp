#include "compute/fake_cuda/ptx.h"

#include <sstream>

namespace blockloom::fake_cuda {
namespace {

constexpr std::string_view magic = "fake-cubin";

/// Bytes of the parameter that a line declares: ".param .u64 .ptr .global .align 8 p0".
std::size_t parameter_bytes(std::string_view line) {
    return line.find("64 ") != std::string_view::npos ? 8 : 4;
}

} // namespace

Ptx read_ptx(std::string_view text) {
    constexpr std::string_view word = ".entry ", parameter = ".param ";
    Ptx ptx;
    if (text.find(".version ") == std::string_view::npos) {
        ptx.error = "ptxas fatal : Missing .version directive at start of file";
        return ptx;
    }
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos;) {
        at += word.size();
        const std::size_t open = text.find('(', at), close = text.find(')', at);
        if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
            ptx.error = "ptxas fatal : Parsing error near '.entry'";
            return ptx;
        }
        Entry& entry = ptx.entries.emplace_back();
        entry.name = text.substr(at, text.find_first_of(" \t\n(", at) - at);
        std::string_view list = text.substr(open, close - open);
        for (std::size_t p = 0; (p = list.find(parameter)) != std::string_view::npos;) {
            list.remove_prefix(p + parameter.size());
            entry.parameters.push_back(parameter_bytes(list.substr(0, list.find(','))));
        }
        at = close;
    }
    return ptx;
}

std::string image_of(const std::vector<Entry>& entries, int major) {
    std::ostringstream image;
    image << magic << ' ' << major << ' ' << entries.size();
    for (const Entry& entry : entries) {
        image << ' ' << entry.name << ' ' << entry.parameters.size();
        for (const std::size_t bytes : entry.parameters) image << ' ' << bytes;
    }
    return image.str() + '\0';
}

std::optional<Image> read_image(const char* image) {
    if (std::string_view(image, magic.size()) != magic) return std::nullopt;
    std::istringstream text(image + magic.size());
    Image read;
    std::size_t count = 0;
    text >> read.major >> count;
    for (std::size_t i = 0; i < count && text; ++i) {
        Entry& entry = read.entries.emplace_back();
        std::size_t parameters = 0;
        text >> entry.name >> parameters;
        for (std::size_t k = 0; k < parameters && text; ++k) {
            entry.parameters.emplace_back();
            text >> entry.parameters.back();
        }
    }
    if (!text) return std::nullopt;
    return read;
}

} // namespace blockloom::fake_cuda
