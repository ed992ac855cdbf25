// One request while it is under way: a handle of libcurl, and what has arrived.
#pragma once

#include "node/credentials.h"
#include "node/curl_handles.h"
#include "node/http_request.h"
#include "node/wait_clock.h"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace blockloom::node {

/// Reusable: `begin` forgets what was there.
class Transfer {
public:
    /// Why a transfer was ended here rather than by the node.
    enum class Ended { not_yet, too_large, too_many_headers };

    Transfer(std::string ca_file, WaitClock& clock);

    /// Prepares the request to `url`. `credentials`: to send with it; null: none.
    Status begin(const std::string& url, const HttpRequest& request, const Credentials* credentials,
                 bool without_proxy);

    [[nodiscard]] CURL* handle() const noexcept { return handle_.get(); }
    [[nodiscard]] Ended ended() const noexcept { return ended_; }
    [[nodiscard]] long status() const noexcept;
    [[nodiscard]] std::string redirect() const;
    [[nodiscard]] std::string take_body() noexcept { return std::move(body_); }
    [[nodiscard]] std::size_t received() const noexcept { return body_.size(); }
    [[nodiscard]] std::optional<Nanoseconds> asked_pause() const noexcept { return asked_pause_; }
    /// libcurl's own words for an error; may be empty.
    [[nodiscard]] const char* words() const noexcept { return words_.data(); }
    [[nodiscard]] Nanoseconds started() const noexcept { return started_; }
    [[nodiscard]] Nanoseconds last_byte() const noexcept { return last_byte_; }

private:
    static std::size_t on_body(char* data, std::size_t, std::size_t size, void* self);
    static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self);

    std::string ca_file_;
    WaitClock& clock_;
    std::unique_ptr<CURL, EasyDeleter> handle_;
    std::unique_ptr<curl_slist, ListDeleter> headers_;
    std::array<char, CURL_ERROR_SIZE> words_{};
    std::string url_, body_;
    const HttpRequest* request_ = nullptr;
    std::size_t header_bytes_ = 0;
    std::optional<Nanoseconds> asked_pause_;
    Nanoseconds started_ = 0, last_byte_ = 0;
    Ended ended_ = Ended::not_yet;
};

} // namespace blockloom::node
