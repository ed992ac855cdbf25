#include "node/credentials.h"

#include "base/contain.h"
#include "base/file.h"

#include <fmt/format.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstdlib>
#include <utility>

namespace blockloom::node {
namespace {

constexpr std::size_t longest_credentials = 4096;
constexpr std::string_view bearer = "bearer ";

bool begins_with_bearer(std::string_view text) noexcept {
    if (text.size() <= bearer.size()) return false;
    for (std::size_t i = 0; i < bearer.size(); ++i)
        if ((text[i] | 0x20) != (bearer[i] | 0x20)) return false;
    return true;
}

std::string base64(const std::string& text) {
    std::string coded(4 * ((text.size() + 2) / 3) + 1, '\0');
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(coded.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
    coded.resize(static_cast<std::size_t>(size));
    return coded;
}

void replace_all(std::string& text, const std::string& what) {
    if (what.empty()) return;
    constexpr std::string_view hidden = "[hidden]";
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += hidden.size())
        text.replace(at, what.size(), hidden);
}

} // namespace

Credentials::~Credentials() {
    wipe();
}

Credentials::Credentials(Credentials&& other) noexcept {
    *this = std::move(other);
}

Credentials& Credentials::operator=(Credentials&& other) noexcept {
    if (this == &other) return *this;
    kind_ = std::exchange(other.kind_, Kind::none);
    user_.swap(other.user_);
    secret_.swap(other.secret_);
    other.wipe();
    return *this;
}

void Credentials::wipe() noexcept {
    for (std::string* text : {&user_, &secret_}) {
        OPENSSL_cleanse(text->data(), text->size());
        text->clear();
    }
}

Result<Credentials> Credentials::parse(std::string_view text, const std::string& place) {
    const auto refuse = [&](const std::string& found) {
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected user:password or bearer TOKEN on one line, found {}",
                                 place, found)};
    };
    if (text.size() > longest_credentials)
        return refuse(fmt::format("more than {} bytes", longest_credentials));
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) return refuse("nothing");
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            return refuse(c == '\n' ? "several lines" : "a control character");
    Credentials read;
    if (begins_with_bearer(text)) {
        text.remove_prefix(bearer.size());
        while (text.starts_with(' ')) text.remove_prefix(1);
        if (text.empty() || text.find(' ') != std::string_view::npos)
            return refuse("another form of a token");
        read.kind_ = Kind::bearer;
        read.secret_ = text;
        return read;
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return refuse("no colon");
    if (colon == 0) return refuse("no user before the colon");
    if (colon + 1 == text.size()) return refuse("no password after the colon");
    read.kind_ = Kind::basic;
    read.user_ = text.substr(0, colon);
    read.secret_ = text.substr(colon + 1);
    return read;
}

Result<Credentials> Credentials::read(const NodeAccess& access) {
    return contain("reading credentials", [&]() -> Result<Credentials> {
        if (!access.credentials_file.empty()) {
            const auto file = FileContent::read(access.credentials_file, longest_credentials);
            if (!file) return file.error();
            const ByteView bytes = file->bytes();
            return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                         access.credentials_file);
        }
        if (access.variable.empty()) return Credentials();
        const char* const text = std::getenv(access.variable.c_str());
        if (text == nullptr || *text == '\0') return Credentials();
        return parse(text, access.variable);
    });
}

std::string Credentials::header() const {
    if (kind_ == Kind::none) return {};
    return kind_ == Kind::basic ? "Basic " + base64(user_ + ":" + secret_) : "Bearer " + secret_;
}

std::string Credentials::without_secret(std::string text) const {
    if (kind_ == Kind::none) return text;
    if (kind_ == Kind::basic) replace_all(text, base64(user_ + ":" + secret_));
    replace_all(text, secret_);
    return text;
}

} // namespace blockloom::node
