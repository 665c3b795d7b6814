#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "engine/sample/posed_photos/camera_file.h"

/// Decoders of camera files from bytes, for readers, fuzzers and tests. The bytes are untrusted:
/// memory stays within 16 × their number + 64 MB. Unless its comment says otherwise, a decoder
/// looks for the photographs around `file`, the file of the bytes, and throws as readCameraFile()
/// does.
namespace threefold {

/// Decodes a JSON camera file of any number of photographs.
CameraFile decodeCameraJson(std::span<const std::byte> bytes, const std::filesystem::path& file);

/// Decodes the bytes of COLMAP's cameras.txt and images.txt, as if from `folder`.
CameraFile decodeColmap(std::span<const std::byte> cameras, std::span<const std::byte> images,
                        const std::filesystem::path& folder);

/// Content of COLMAP's cameras.bin and images.bin.
struct ColmapModel {
    CameraFile cameras;
    /// For each Photo::name: number of the model's points that the images of this name observe.
    std::map<std::string, std::size_t> pointCounts;
};
/// Decodes the bytes of cameras.bin and images.bin, as if from `folder`.
ColmapModel decodeColmapBinary(std::span<const std::byte> cameras,
                               std::span<const std::byte> images,
                               const std::filesystem::path& folder);

/// Decodes cameras_sphere.npz and similar files, of NeuS and IDR.
CameraFile decodeCameraArrays(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeMetashape(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeMiddlebury(std::span<const std::byte> bytes, const std::filesystem::path& file);
CameraFile decodeLlff(std::span<const std::byte> bytes, const std::filesystem::path& file);
/// Decodes the bytes of bundle.out and list.txt.
CameraFile decodeBundler(std::span<const std::byte> bundle, const std::filesystem::path& file,
                         std::span<const std::byte> list, const std::filesystem::path& listFile);
/// Decodes one camera of MVSNet into `photo`, whose name and image must be set.
void decodeMvsnet(std::span<const std::byte> bytes, const std::filesystem::path& file,
                  Photo& photo);

}  // namespace threefold
