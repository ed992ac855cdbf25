// Credentials, such as a cookie file of Bitcoin Core, and URLs: any bytes are read or refused, and
// no message repeats a secret.
#include "node/credentials.h"
#include "node/address.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = node::Credentials::parse(text, "fuzz");
    if (!read) {
        // Nothing of the text is in a message: there are only these.
        constexpr std::string_view found[] = {"more than 4096 bytes",
                                              "nothing",
                                              "several lines",
                                              "a control character",
                                              "another form of a token",
                                              "no colon",
                                              "no user before the colon",
                                              "no password after the colon"};
        const auto is_message = [&](std::string_view what) {
            return read.error().message ==
                   "fuzz: expected user:password or bearer TOKEN on one line, found " +
                       std::string(what);
        };
        if (std::none_of(std::begin(found), std::end(found), is_message)) std::abort();
    } else if (read->kind() != node::Credentials::Kind::none) {
        const std::string header = read->header();
        const std::string coded = header.substr(header.find(' ') + 1);
        if (coded.size() >= 8 &&
            read->without_secret("x" + header + "x").find(coded) != std::string::npos)
            std::abort();
        if (header.find_first_of("\r\n") != std::string::npos) std::abort();
    }
    for (const char* scheme : {"", "http://", "https://"}) {
        const auto address = node::node_address(std::string(scheme) + std::string(text));
        if (address && address->url.find_first_of("@?#") != std::string::npos) {
            const std::size_t path = address->url.find('/', 8);
            if (address->url.substr(0, path).find('@') != std::string::npos) std::abort();
            if (address->url.find_first_of("?#") != std::string::npos) std::abort();
        }
        (void)node::redirect_address(std::string(scheme) + std::string(text));
    }
    return 0;
}
