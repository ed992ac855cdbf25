#include "charts/axis.h"

#include "base/number_text.h"
#include "scene/tick_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace blockloom::charts {
namespace {

constexpr float label_pixels = 11;
constexpr double least = 1e-12;

std::vector<double> even_values(double from, double to, double most) {
    std::vector<double> found;
    if (!(to > from)) return {from};
    const double step = scene::tick_step(to - from, std::max(most, 1.0));
    for (double at = std::ceil(from / step - 1e-9); at * step <= to + step * 1e-9; ++at)
        found.push_back(at == 0 ? 0 : at * step);
    return found;
}

std::vector<double> doublings(double from, double to, double most) {
    std::vector<double> found;
    const double first = std::ceil(std::log2(from) - 1e-9), last = std::log2(to) + 1e-9;
    const double step = std::max(1.0, std::ceil((last - first) / std::max(most, 1.0)));
    for (double power = first; power <= last; power += step) found.push_back(std::exp2(power));
    return found;
}

/// 1, 2 and 5 of each power of ten, or the powers alone, or every other of them: as many as fit.
std::vector<double> decades(double from, double to, double most) {
    const auto lowest = static_cast<int>(std::floor(std::log10(from)));
    const auto highest = static_cast<int>(std::ceil(std::log10(to)));
    const auto collect = [&](bool fine, int every) {
        std::vector<double> found;
        for (int power = lowest; power <= highest; power += every)
            for (const double factor : {1.0, 2.0, 5.0}) {
                const double value = factor * std::pow(10, power);
                if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9) &&
                    (fine || factor == 1.0))
                    found.push_back(value);
            }
        return found;
    };
    std::vector<double> found = collect(true, 1);
    for (int every = 1; static_cast<double>(found.size()) > most && every < 64; every *= 2)
        found = collect(false, every);
    return found;
}

} // namespace

float text_width(const std::string& utf8, float pixels) noexcept {
    const auto characters = std::count_if(utf8.begin(), utf8.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    });
    return static_cast<float>(characters) * pixels * 0.56F;
}

double place_of(const Axis& axis, double value) noexcept {
    switch (axis.scale) {
    case Scale::doublings:
        return std::log2(std::max(value, least));
    case Scale::decades:
        return std::log10(std::max(value, least));
    case Scale::linear:
        break;
    }
    return value;
}

double value_at(const Axis& axis, double place) noexcept {
    switch (axis.scale) {
    case Scale::doublings:
        return std::exp2(place);
    case Scale::decades:
        return std::pow(10, place);
    case Scale::linear:
        break;
    }
    return place;
}

std::string number_text(double value, double step) {
    if (!std::isfinite(value)) return "—";
    if (value == 0) return "0";
    const double size = std::abs(value);
    int digits =
        size >= 100 ? 0 : std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 9);
    if (step > 0)
        digits = std::max(digits,
                          std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9));
    std::string text = fmt::format("{:.{}f}", size, digits);
    // Marks are round values: no zeros at the end of decimals.
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return (value < 0 ? "−" : "") + with_commas(std::move(text));
}

std::string text_of(const Axis& axis, double value) {
    for (const Tick& tick : axis.named)
        if (std::abs(tick.at - value) < 0.5 && axis.scale == Scale::linear) return tick.label;
    return axis.text != nullptr ? axis.text(value) : number_text(value);
}

std::vector<Tick> ticks_of(const Axis& axis, double from, double to, double pixels, bool upright) {
    if (axis.unmarked || !(to > from) || pixels <= 0) return {};
    std::vector<Tick> found;
    if (!axis.named.empty()) {
        for (const Tick& tick : axis.named)
            if (tick.at >= from && tick.at <= to) found.push_back(tick);
    } else {
        const double most = std::max(pixels / (upright ? 28.0 : 64.0), 2.0);
        const std::vector<double> values = axis.scale == Scale::linear ? even_values(from, to, most)
                                           : axis.scale == Scale::doublings
                                               ? doublings(from, to, most)
                                               : decades(from, to, most);
        // A stretch between two marks of a logarithmic axis is marked evenly.
        const std::vector<double> marked =
            values.size() >= 2 ? values : even_values(from, to, most);
        const double step = marked.size() >= 2 ? marked[1] - marked[0] : 0;
        for (const double value : marked)
            found.push_back(
                {value, axis.text != nullptr ? axis.text(value) : number_text(value, step)});
    }
    // Keep every other mark until none touches the next.
    const double low = place_of(axis, from), room = std::max(place_of(axis, to) - low, 1e-300);
    const auto touch = [&] {
        for (std::size_t i = 1; i < found.size(); ++i) {
            const double apart =
                (place_of(axis, found[i].at) - place_of(axis, found[i - 1].at)) / room * pixels;
            const double need =
                upright ? 14
                        : static_cast<double>(text_width(found[i].label, label_pixels) +
                                              text_width(found[i - 1].label, label_pixels)) /
                                  2 +
                              8;
            if (apart < need) return true;
        }
        return false;
    };
    while (found.size() > 1 && touch()) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < found.size(); i += 2) found[kept++] = found[i];
        found.resize(kept);
    }
    return found;
}

} // namespace blockloom::charts
