#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::board {

/// Square markers of one design: a black border of one bit around a square of bits, which are the
/// code of one of the family's ids.
struct MarkerFamily {
    std::string_view name;  ///< AprilTag's or OpenCV's name: tag36h11, 6X6_250
    int bitsPerSide = 0;    ///< data bits, without the border
    int idCount = 0;        ///< ids start at 0
    /// Number of wrong bits that a detection may have; 0 for families whose codes differ in few
    /// bits.
    int maxCorrectedBits = 0;
    /// Hexadecimal digits of the codes, id by id: rows from the top, 1 for white, the last bit
    /// lowest. Empty for an AprilTag family: libapriltag has the codes.
    std::string_view codes = {};

    /// Code of one id, as in `codes`. Only for a family that has codes of its own.
    std::uint64_t code(int id) const;
};

/// The families that can be detected: AprilTag's and the ArUco dictionaries of OpenCV. A family
/// whose codes are the first codes of another is a prefix of it, and is listed before it.
std::span<const MarkerFamily> markerFamilies();

/// Family of the printed board: tag36h11, the first of markerFamilies().
const MarkerFamily& boardFamily();

/// Family of this name, in capital or small letters, with or without OpenCV's DICT_ before it.
/// Throws InputError, which lists the names, if there is no such family.
const MarkerFamily& markerFamilyFromName(std::string_view name);

/// The families' names: "tag36h11, …, 7X7_1000".
std::string markerFamilyNames();

/// Families that are no prefix of another: a search for these finds the markers of all families.
std::vector<const MarkerFamily*> widestFamilies();

/// Smallest prefix of `widest`, or `widest` itself, that has the id `highestId`.
const MarkerFamily& smallestFamily(const MarkerFamily& widest, int highestId);

}  // namespace threefold::board
