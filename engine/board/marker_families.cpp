#include "engine/board/marker_families.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold::board {
namespace {

#include "engine/board/aruco_codes.inl"

constexpr std::array kFamilies = {
    MarkerFamily{"tag36h11", 6, 587, 1},
    MarkerFamily{"tag16h5", 4, 30, 0},
    MarkerFamily{"tag25h9", 5, 35, 1},
    MarkerFamily{"tag36h10", 6, 2320, 1},
    MarkerFamily{"ORIGINAL", 5, 1024, 0, kCodesOriginal},
    MarkerFamily{"MIP_36h12", 6, 250, 1, kCodesMip36h12},
    MarkerFamily{"4X4_50", 4, 50, 0, kCodes4x4},
    MarkerFamily{"4X4_100", 4, 100, 0, kCodes4x4},
    MarkerFamily{"4X4_250", 4, 250, 0, kCodes4x4},
    MarkerFamily{"4X4_1000", 4, 1000, 0, kCodes4x4},
    MarkerFamily{"5X5_50", 5, 50, 1, kCodes5x5},
    MarkerFamily{"5X5_100", 5, 100, 1, kCodes5x5},
    MarkerFamily{"5X5_250", 5, 250, 1, kCodes5x5},
    MarkerFamily{"5X5_1000", 5, 1000, 1, kCodes5x5},
    MarkerFamily{"6X6_50", 6, 50, 1, kCodes6x6},
    MarkerFamily{"6X6_100", 6, 100, 1, kCodes6x6},
    MarkerFamily{"6X6_250", 6, 250, 1, kCodes6x6},
    MarkerFamily{"6X6_1000", 6, 1000, 1, kCodes6x6},
    MarkerFamily{"7X7_50", 7, 50, 1, kCodes7x7},
    MarkerFamily{"7X7_100", 7, 100, 1, kCodes7x7},
    MarkerFamily{"7X7_250", 7, 250, 1, kCodes7x7},
    MarkerFamily{"7X7_1000", 7, 1000, 1, kCodes7x7},
};

/// Whether a family's codes are the first codes of the other family, or all its codes.
bool isPrefix(const MarkerFamily& family, const MarkerFamily& other) {
    return !family.codes.empty() && family.codes.data() == other.codes.data() &&
           family.idCount <= other.idCount;
}

std::string normalisedFamilyName(std::string_view name) {
    std::string capitals;
    for (const char letter : name)
        capitals += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    for (const std::string_view prefix : {"DICT_ARUCO_", "DICT_APRILTAG_", "DICT_", "ARUCO_"})
        if (capitals.starts_with(prefix)) {
            capitals.erase(0, prefix.size());
            if (prefix == "DICT_APRILTAG_") capitals.insert(0, "TAG");
            break;
        }
    return capitals;
}

}  // namespace

std::uint64_t MarkerFamily::code(int id) const {
    const auto digits = static_cast<std::size_t>((bitsPerSide * bitsPerSide + 3) / 4);
    const std::string_view text = codes.substr(static_cast<std::size_t>(id) * digits, digits);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return value;
}

std::span<const MarkerFamily> markerFamilies() {
    return kFamilies;
}

const MarkerFamily& boardFamily() {
    return kFamilies.front();
}

std::string markerFamilyNames() {
    std::string names;
    for (const MarkerFamily& family : kFamilies)
        names.append(names.empty() ? "" : ", ").append(family.name);
    return names;
}

const MarkerFamily& markerFamilyFromName(std::string_view name) {
    const auto found =
        std::ranges::find(kFamilies, normalisedFamilyName(name),
                          [](const MarkerFamily& each) { return normalisedFamilyName(each.name); });
    if (found == kFamilies.end())
        throw InputError({"markers", "", fmt::format("'{}' is not a marker family", name),
                          fmt::format("The families are {}.", markerFamilyNames())});
    return *found;
}

std::vector<const MarkerFamily*> widestFamilies() {
    std::vector<const MarkerFamily*> widest;
    for (const MarkerFamily& family : kFamilies) {
        const bool isWidest = std::ranges::none_of(kFamilies, [&](const MarkerFamily& other) {
            return &other != &family && isPrefix(family, other);
        });
        if (isWidest) widest.push_back(&family);
    }
    return widest;
}

const MarkerFamily& smallestFamily(const MarkerFamily& widest, int highestId) {
    for (const MarkerFamily& family : kFamilies)
        if (isPrefix(family, widest) && highestId < family.idCount) return family;
    return widest;
}

}  // namespace threefold::board
