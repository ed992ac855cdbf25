// Credentials, such as a cookie file of Bitcoin Core, and URLs: any bytes are read or refused, and no
// message repeats a secret.
#include "node/address.h"
#include "node/credentials.h"

#include <cstdlib>
#include <string>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = node::Credentials::parse(text, "fuzz");
    if (!read) {
        const std::string& message = read.error().message;
        if (!message.starts_with("fuzz: expected user:password")) std::abort();
        // Of long texts, so that they are not in the message by chance.
        if (size > 100 && message.find(text.substr(0, 20)) != std::string::npos) std::abort();
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
