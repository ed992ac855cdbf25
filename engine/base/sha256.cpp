#include "base/sha256.h"

#include <openssl/evp.h>

#include <cstdlib>

namespace blockloom {

struct Sha256::Context {
    EVP_MD* algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    EVP_MD_CTX* state = EVP_MD_CTX_new();

    Context() {
        // Without SHA-256 nothing in this program means anything: the only sane answer is to stop.
        if (algorithm == nullptr || state == nullptr) std::abort();
        EVP_DigestInit_ex2(state, algorithm, nullptr);
    }
    ~Context() {
        EVP_MD_CTX_free(state);
        EVP_MD_free(algorithm);
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Hash256 Sha256::once(std::initializer_list<ByteView> parts) {
    EVP_MD_CTX* state = context_->state;
    EVP_DigestInit_ex2(state, nullptr, nullptr);
    for (const ByteView part : parts) EVP_DigestUpdate(state, part.data(), part.size());
    Hash256 hash{};
    EVP_DigestFinal_ex(state, hash.data(), nullptr);
    return hash;
}

Hash256 Sha256::twice(std::initializer_list<ByteView> parts) {
    const Hash256 inner = once(parts);
    return once({inner});
}

} // namespace blockloom
