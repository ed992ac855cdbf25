// What a node wants to know before it answers: a name and a password, the cookie of Bitcoin Core,
// or a token. It comes from a file or the environment only, and is sent nowhere but to that node.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace blockloom::node {

/// Where the user keeps credentials and the certificates to trust; nothing secret in itself.
struct NodeAccess {
    std::string credentials_file; ///< empty: the variable
    std::string variable;         ///< name of an environment variable; empty or not set: none
    std::string
        ca_file; ///< certificates in PEM; empty: $SSL_CERT_FILE, else those that the system trusts
};

/// Wiped from memory when it goes away. There is no way to print it.
class Credentials {
public:
    enum class Kind { none, basic, bearer };

    Credentials() = default;
    ~Credentials();
    Credentials(Credentials&& other) noexcept;
    Credentials& operator=(Credentials&& other) noexcept;

    /// "user:password" (a cookie file of Bitcoin Core has that form) or "bearer TOKEN", on one
    /// line. `place` names it in errors, which repeat nothing of the text.
    [[nodiscard]] static Result<Credentials> parse(std::string_view text, const std::string& place);
    /// From the file, else from the variable, else none.
    [[nodiscard]] static Result<Credentials> read(const NodeAccess& access);

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    /// The value of the header Authorization. Secret.
    [[nodiscard]] std::string header() const;

    /// `text` with every occurrence of the secret, in any form in which it is sent, replaced: for
    /// what a node says.
    [[nodiscard]] std::string without_secret(std::string text) const;

private:
    void wipe() noexcept;

    Kind kind_ = Kind::none;
    std::string user_, secret_;
};

} // namespace blockloom::node
