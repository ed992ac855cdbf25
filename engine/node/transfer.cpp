#include "node/transfer.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace blockloom::node {
namespace {

constexpr std::size_t most_header_bytes = std::size_t{64} << 10;
constexpr long longest_asked_pause = 300; // seconds

bool is_header(std::string_view line, std::string_view name) noexcept {
    if (line.size() < name.size()) return false;
    return std::equal(name.begin(), name.end(), line.begin(),
                      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

} // namespace

Transfer::Transfer(std::string ca_file, WaitClock& clock)
    : ca_file_(std::move(ca_file)), clock_(clock), handle_(curl_easy_init()) {}

Status Transfer::begin(const std::string& url, const HttpRequest& request,
                       const Credentials* credentials, bool without_proxy) {
    if (!handle_) return Error{ErrorCode::system, "a request: out of memory"};
    url_ = url;
    request_ = &request;
    body_.clear();
    words_.fill('\0');
    header_bytes_ = 0;
    asked_pause_.reset();
    ended_ = Ended::not_yet;
    started_ = last_byte_ = clock_.now();
    CURL* const curl = handle_.get();
    curl_easy_reset(curl); // connections and sessions stay
    const auto set = [curl](CURLoption option, auto value) {
        return curl_easy_setopt(curl, option, value) == CURLE_OK;
    };
    bool all = set(CURLOPT_URL, url_.c_str()) && set(CURLOPT_PROTOCOLS_STR, "http,https") &&
               set(CURLOPT_NOSIGNAL, 1L) && set(CURLOPT_FOLLOWLOCATION, 0L) &&
               set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED)) &&
               set(CURLOPT_SSL_VERIFYPEER, 1L) && set(CURLOPT_SSL_VERIFYHOST, 2L) &&
               set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2)) &&
               set(CURLOPT_ERRORBUFFER, words_.data()) && set(CURLOPT_PRIVATE, this) &&
               set(CURLOPT_WRITEFUNCTION, &on_body) && set(CURLOPT_WRITEDATA, this) &&
               set(CURLOPT_HEADERFUNCTION, &on_header) && set(CURLOPT_HEADERDATA, this) &&
               set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(request.most_bytes)) &&
               // Time-outs are those of the client's clock.
               set(CURLOPT_CONNECTTIMEOUT_MS, 3'600'000L) && set(CURLOPT_TIMEOUT_MS, 0L) &&
               set(CURLOPT_USERAGENT, "blockloom");
    if (!ca_file_.empty())
        all = all && set(CURLOPT_CAINFO, ca_file_.c_str()) && set(CURLOPT_CAPATH, nullptr);
    // A proxy of the environment would see what is meant for this machine.
    if (without_proxy) all = all && set(CURLOPT_NOPROXY, "*");
    headers_.reset();
    const auto add_header = [&](const std::string& line) {
        curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
        if (longer == nullptr) {
            all = false;
            return;
        }
        (void)headers_.release(); // the list keeps its beginning
        headers_.reset(longer);
    };
    if (!request.body.empty()) {
        add_header("Content-Type: application/json");
        add_header("Expect:"); // no round trip to ask whether the body may be sent
        all = all &&
              set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size())) &&
              set(CURLOPT_POSTFIELDS, request.body.data());
    }
    // A header of our own: libcurl puts a user name that it knows into URLs of redirects.
    if (credentials != nullptr && credentials->kind() != Credentials::Kind::none)
        add_header("Authorization: " + credentials->header());
    all = all && set(CURLOPT_HTTPHEADER, headers_.get());
    if (!all) return Error{ErrorCode::system, "a request: libcurl refused an option"};
    return {};
}

std::size_t Transfer::on_body(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.last_byte_ = transfer.clock_.now();
    if (size > transfer.request_->most_bytes - transfer.body_.size()) {
        transfer.ended_ = Ended::too_large;
        return 0;
    }
    try {
        transfer.body_.append(data, size);
    } catch (const std::exception&) { // libcurl is C: nothing may pass through it
        return 0;
    }
    return size;
}

std::size_t Transfer::on_header(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.last_byte_ = transfer.clock_.now();
    transfer.header_bytes_ += size;
    if (transfer.header_bytes_ > most_header_bytes) {
        transfer.ended_ = Ended::too_many_headers;
        return 0;
    }
    const std::string_view line(data, size);
    constexpr std::string_view retry_after = "retry-after:";
    if (is_header(line, retry_after)) {
        std::string_view value = line.substr(retry_after.size());
        while (value.starts_with(' ')) value.remove_prefix(1);
        long seconds = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (read.ec == std::errc() && seconds >= 0)
            transfer.asked_pause_ =
                Nanoseconds{std::min(seconds, longest_asked_pause)} * 1'000'000'000;
    }
    return size;
}

long Transfer::status() const noexcept {
    long status = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
}

std::string Transfer::redirect() const {
    char* url = nullptr;
    curl_easy_getinfo(handle_.get(), CURLINFO_REDIRECT_URL, &url);
    return url == nullptr ? std::string() : std::string(url);
}

} // namespace blockloom::node
