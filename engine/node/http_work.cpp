#include "node/http_work.h"

#include "base/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::node {
namespace {

constexpr unsigned most_redirects = 5;
/// How long a look for what has arrived lasts, at most: then the clock is asked, whose time need
/// not be the machine's.
constexpr int longest_look_ms = 50;

bool is_redirect(long status) noexcept {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool is_worth_repeating(long status) noexcept {
    return status == 408 || status == 425 || status == 429 || status == 502 || status == 503 ||
           status == 504;
}

bool is_unreachable(CURLcode code) noexcept {
    return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
           code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_SSL_CONNECT_ERROR;
}

bool is_temporary(CURLcode code) noexcept {
    return is_unreachable(code) || code == CURLE_PARTIAL_FILE || code == CURLE_GOT_NOTHING ||
           code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR ||
           code == CURLE_WEIRD_SERVER_REPLY || code == CURLE_OPERATION_TIMEDOUT ||
           code == CURLE_BAD_CONTENT_ENCODING || code == CURLE_UNSUPPORTED_PROTOCOL;
}

} // namespace

HttpWork::HttpWork(HttpConnections& inside, std::span<const HttpRequest> requests,
                   const TakeAnswer& take, const std::stop_token& stop)
    : inside_(inside), requests_(requests), take_(take), stop_(stop) {
    queue_.reserve(requests.size());
    for (std::size_t i = requests.size(); i-- > 0;) {
        queue_.emplace_back();
        queue_.back().request = i;
    }
}

HttpWork::~HttpWork() {
    const bool whole = flights_.empty();
    while (!flights_.empty()) (void)land(flights_.size() - 1);
    rested_.clear();
    const std::lock_guard lock(inside_.guard);
    // Connections of requests that were ended early are of no use.
    if (multi_ && whole) inside_.idle.push_back(std::move(multi_));
    inside_.free_places += places_;
    inside_.changed.notify_all();
}

Status HttpWork::take_places() {
    std::unique_lock lock(inside_.guard);
    if (!inside_.changed.wait(lock, stop_, [this] { return inside_.free_places > 0; }))
        return cancelled_error();
    places_ = static_cast<unsigned>(std::min<std::size_t>(inside_.free_places, requests_.size()));
    inside_.free_places -= places_;
    if (!inside_.idle.empty()) {
        multi_ = std::move(inside_.idle.back());
        inside_.idle.pop_back();
    } else {
        multi_.reset(curl_multi_init());
    }
    if (!multi_) return Error{ErrorCode::system, "a request: out of memory"};
    return {};
}

Status HttpWork::run() {
    if (const Status taken = take_places(); !taken) return taken;
    const std::stop_callback wake(stop_, [this] { curl_multi_wakeup(multi_.get()); });
    while (!queue_.empty() || !flights_.empty()) {
        if (stop_.stop_requested()) return cancelled_error();
        if (const Status started = start_due(); !started) return started;
        if (flights_.empty()) {
            Nanoseconds due = queue_.back().due;
            for (const Item& item : queue_) due = std::min(due, item.due);
            {
                const std::lock_guard lock(inside_.guard);
                due = std::max(due, inside_.not_before);
            }
            inside_.clock.rest_until(due, stop_);
            continue;
        }
        int running = 0;
        if (const CURLMcode code = curl_multi_perform(multi_.get(), &running); code != CURLM_OK)
            return Error{ErrorCode::system, failure(curl_multi_strerror(code)).message};
        if (const Status finished = finish_all(); !finished) return finished;
        if (const Status late = end_late(); !late) return late;
        if (running > 0 && !flights_.empty())
            curl_multi_poll(multi_.get(), nullptr, 0, longest_look_ms, nullptr);
    }
    return {};
}

Status HttpWork::start_due() {
    const Nanoseconds now = inside_.clock.now();
    {
        const std::lock_guard lock(inside_.guard);
        if (now < inside_.not_before) return {};
    }
    for (std::size_t i = queue_.size(); i-- > 0 && flights_.size() < places_;) {
        if (queue_[i].due > now) continue;
        Item item = std::move(queue_[i]);
        queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
        if (const Status started = start(std::move(item)); !started) return started;
    }
    return {};
}

Status HttpWork::start(Item item) {
    Flight flight;
    if (!rested_.empty()) {
        flight.transfer = std::move(rested_.back());
        rested_.pop_back();
    } else {
        flight.transfer = std::make_unique<Transfer>(inside_.access.ca_file, inside_.clock);
    }
    const HttpRequest& request = requests_[item.request];
    const std::string url =
        item.redirected.empty() ? inside_.address.url + request.path : item.redirected;
    ++item.attempt;
    const bool within = item.ours && inside_.address.loopback;
    if (item.ours) flight.credentials = inside_.current();
    if (const Status begun = flight.transfer->begin(url, request, flight.credentials.get(), within);
        !begun)
        return begun;
    flight.item = std::move(item);
    flights_.push_back(std::move(flight)); // before it is added: land() takes it off again
    if (const CURLMcode code =
            curl_multi_add_handle(multi_.get(), flights_.back().transfer->handle());
        code != CURLM_OK)
        return Error{ErrorCode::system, failure(curl_multi_strerror(code)).message};
    const std::lock_guard lock(inside_.guard);
    ++inside_.counts.requests;
    if (flights_.back().item.attempt > 1) ++inside_.counts.repeated;
    return {};
}

HttpWork::Flight HttpWork::land(std::size_t place) {
    Flight flight = std::move(flights_[place]);
    flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(place));
    curl_multi_remove_handle(multi_.get(), flight.transfer->handle());
    return flight;
}

Status HttpWork::finish_all() {
    int left = 0;
    while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        const CURLcode code = message->data.result; // `message` does not outlive land()
        const auto done = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
            return flight.transfer->handle() == message->easy_handle;
        });
        if (done == flights_.end()) continue;
        Flight flight = land(static_cast<std::size_t>(done - flights_.begin()));
        if (const Status finished = finish(std::move(flight), code); !finished) return finished;
    }
    return {};
}

Status HttpWork::finish(Flight flight, CURLcode code) {
    const long status = flight.transfer->status();
    const std::size_t request = flight.item.request;
    {
        const std::lock_guard lock(inside_.guard);
        inside_.counts.bytes += flight.transfer->received();
        if (code == CURLE_OK) inside_.has_answered = true;
    }
    if (code != CURLE_OK) {
        Error error = words_of(flight, code);
        if (!is_temporary(code) || flight.transfer->ended() != Transfer::Ended::not_yet)
            return error;
        rested_.push_back(std::move(flight.transfer));
        return repeat(std::move(flight.item), std::move(error), {}, is_unreachable(code));
    }
    if (is_redirect(status)) return follow(flight);
    if (status == 401 && !flight.item.renewed && flight.credentials != nullptr &&
        inside_.renewed(flight.credentials)) {
        rested_.push_back(std::move(flight.transfer));
        flight.item.renewed = true;
        --flight.item.attempt; // not a failure
        queue_.push_back(std::move(flight.item));
        return {};
    }
    HttpAnswer answer{status, flight.transfer->take_body()};
    const auto asked = flight.transfer->asked_pause();
    rested_.push_back(std::move(flight.transfer));
    if (is_worth_repeating(status))
        return repeat(std::move(flight.item), inside_.refused(answer), asked.value_or(0));
    Taken taken = take_(request, std::move(answer));
    switch (taken.how) {
    case Taken::How::done:
        break;
    case Taken::How::again:
        return repeat(std::move(flight.item), std::move(taken.error), asked);
    case Taken::How::failed:
        return std::move(taken.error);
    }
    return {};
}

Status HttpWork::end_late() {
    const Nanoseconds now = inside_.clock.now();
    for (std::size_t i = flights_.size(); i-- > 0;) {
        const Transfer& transfer = *flights_[i].transfer;
        const bool silent = now - transfer.last_byte() > inside_.limits.silence;
        if (!silent && now - transfer.started() <= inside_.limits.whole) continue;
        Flight flight = land(i); // its connection is closed: the answer is not complete
        const Nanoseconds limit = silent ? inside_.limits.silence : inside_.limits.whole;
        Error error = failure(
            fmt::format("{} in {} s", silent ? "silence" : "no end of it", limit / 1'000'000'000));
        if (const Status again = repeat(std::move(flight.item), std::move(error), {}); !again)
            return again;
    }
    return {};
}

Status HttpWork::follow(Flight& flight) {
    const auto to = redirect_address(flight.transfer->redirect());
    const long status = flight.transfer->status();
    rested_.push_back(std::move(flight.transfer));
    Item item = std::move(flight.item);
    if (!to) return failure(fmt::format("a redirect (HTTP {}) that leads nowhere", status));
    const std::string where = inside_.quoted(to->origin);
    if (++item.redirects > most_redirects)
        return failure(fmt::format("more than {} redirects", most_redirects));
    if (!requests_[item.request].body.empty() && status != 307 && status != 308)
        return failure(fmt::format("a redirect to {} that drops the question (HTTP {}); give the "
                                   "URL that it leads to",
                                   where, status));
    item.ours = to->same_origin(inside_.address);
    if (!item.ours && inside_.current()->kind() != Credentials::Kind::none)
        return failure(fmt::format("a redirect to {}, which the credentials are not meant for; "
                                   "give that URL if it is the right one",
                                   where));
    if (!to->secure && inside_.address.secure)
        return failure(fmt::format("a redirect to {}, which is not encrypted", where));
    item.redirected = to->url;
    --item.attempt; // not a failure
    item.due = 0;
    queue_.push_back(std::move(item));
    return {};
}

Status HttpWork::repeat(Item item, Error why, std::optional<Nanoseconds> asked, bool unreachable) {
    const std::lock_guard lock(inside_.guard);
    const HttpLimits& limits = inside_.limits;
    const unsigned most = unreachable && !inside_.has_answered
                              ? std::min(limits.first_attempts, limits.attempts)
                              : limits.attempts;
    if (item.attempt >= most) {
        why.message += fmt::format(" (tried {} times)", item.attempt);
        return why;
    }
    item.due = inside_.clock.now() + std::max(pause_after(item.attempt), asked.value_or(0));
    // A node that is asked too much is asked nothing until then.
    if (asked) inside_.not_before = std::max(inside_.not_before, item.due);
    item.redirected.clear();
    item.redirects = 0;
    item.ours = true;
    queue_.push_back(std::move(item));
    return {};
}

/// Twice as long each time, and spread over its second half, so that requests do not come back all
/// at once.
Nanoseconds HttpWork::pause_after(unsigned attempt) {
    const HttpLimits& limits = inside_.limits;
    const unsigned doublings = std::min(attempt - 1, 30U);
    const Nanoseconds longest = std::min(limits.first_pause << doublings, limits.longest_pause);
    const std::uint64_t mixed = ++inside_.pauses * 0x9e3779b97f4a7c15U;
    return longest / 2 +
           static_cast<Nanoseconds>((mixed >> 32U) % static_cast<std::uint64_t>(longest / 2 + 1));
}

Error HttpWork::failure(const std::string& found) const {
    return {ErrorCode::bad_input,
            fmt::format("{}: expected an answer, found {}", inside_.address.url, found)};
}

Error HttpWork::words_of(const Flight& flight, CURLcode code) const {
    const std::size_t most = requests_[flight.item.request].most_bytes;
    if (flight.transfer->ended() == Transfer::Ended::too_large || code == CURLE_FILESIZE_EXCEEDED)
        return failure(fmt::format("one of more than {} bytes", most));
    if (flight.transfer->ended() == Transfer::Ended::too_many_headers)
        return failure("endless headers");
    const std::string words = inside_.quoted(
        *flight.transfer->words() != '\0' ? flight.transfer->words() : curl_easy_strerror(code));
    if (code == CURLE_PEER_FAILED_VERIFICATION)
        return {ErrorCode::bad_input,
                fmt::format("{}: expected a certificate that is trusted, found another: {} "
                            "(--node-ca, --state-ca name certificates to trust)",
                            inside_.address.url, words)};
    return failure(words);
}

} // namespace blockloom::node
