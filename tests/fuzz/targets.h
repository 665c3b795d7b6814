#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::test {

using FuzzBytes = std::span<const std::byte>;

/// A reader of untrusted bytes. A new target needs a function declared below, a line in the table
/// of targets.cpp, seeds in seeds.cpp and, if its format has keywords, a dictionary.
struct FuzzTarget {
    std::string_view name;
    /// Reads the bytes and checks the result: a result that can be written must be equal when it is
    /// read again. May throw threefold::Error; any other exception is a finding.
    void (*read)(FuzzBytes bytes);
    std::size_t baseBytes = std::size_t{64} << 20;  ///< heap budget of an empty input
};
/// Heap budget of an empty input for pictures, which are also written and read again.
inline constexpr std::size_t kBaseBytesOfPictures = std::size_t{576} << 20;

std::span<const FuzzTarget> fuzzTargets();
/// Throws std::logic_error for an unknown name.
const FuzzTarget& fuzzTarget(std::string_view name);

/// Runs the target within two budgets: 16 × size + 64 MiB (pictures: 576 MiB) of heap at once, and
/// 10 s + 10 s per MB of processor time (ten times the readers' budget, since machines differ and
/// sanitizers are slow). An Error is an expected outcome if it has subject, problem and remedy, in
/// at most 2000 bytes. Throws std::runtime_error if a budget is exceeded or an Error is not as
/// expected, and rethrows other exceptions of the target.
void runWithinBudget(const FuzzTarget& target, FuzzBytes bytes);

// One target for each reader.
void fuzzPng(FuzzBytes bytes);
void fuzzJpeg(FuzzBytes bytes);
void fuzzWebp(FuzzBytes bytes);
void fuzzExif(FuzzBytes bytes);
void fuzzHeicBoxes(FuzzBytes bytes);
void fuzzPickle(FuzzBytes bytes);
void fuzzTruth(FuzzBytes bytes);
void fuzzTemplate(FuzzBytes bytes);
void fuzzNpy(FuzzBytes bytes);
void fuzzNpz(FuzzBytes bytes);
void fuzzSafetensors(FuzzBytes bytes);
void fuzzObj(FuzzBytes bytes);
void fuzzPly(FuzzBytes bytes);
void fuzzStl(FuzzBytes bytes);
void fuzzGlb(FuzzBytes bytes);
void fuzzXyz(FuzzBytes bytes);
void fuzzOff(FuzzBytes bytes);
void fuzzMtl(FuzzBytes bytes);
void fuzzObjSurface(FuzzBytes bytes);  ///< an OBJ, a zero byte, the OBJ's material library
void fuzzTexturedGlb(FuzzBytes bytes);
void fuzzMetadata(FuzzBytes bytes);
void fuzzTestList(FuzzBytes bytes);
void fuzzNpyHeader(FuzzBytes bytes);
void fuzzNpzHeaders(FuzzBytes bytes);
void fuzzImageSize(FuzzBytes bytes);
void fuzzBundleIndex(FuzzBytes bytes);
void fuzzBundle(FuzzBytes bytes);  ///< a BundleParts
void fuzzTorch(FuzzBytes bytes);
void fuzzTorchPickle(FuzzBytes bytes);
void fuzzCameras(FuzzBytes bytes);
void fuzzColmap(FuzzBytes bytes);        ///< cameras.txt, a zero byte, images.txt
void fuzzColmapBinary(FuzzBytes bytes);  ///< size of cameras.bin in two bytes, cameras.bin,
                                         ///< images.bin
void fuzzCameraArrays(FuzzBytes bytes);
void fuzzMetashape(FuzzBytes bytes);
void fuzzMvsnet(FuzzBytes bytes);
void fuzzMiddlebury(FuzzBytes bytes);
void fuzzLlff(FuzzBytes bytes);
void fuzzNumbers(FuzzBytes bytes);  ///< a camera's matrix as text (NAME_k.txt)
void fuzzBundler(FuzzBytes bytes);  ///< list.txt, a zero byte, bundle.out
void fuzzJournal(FuzzBytes bytes);

}  // namespace threefold::test
