#include "tests/cuda/resources/gpu_images.h"

#include <cstdint>
#include <stdexcept>
#include <string>

#include <zstd.h>

#include "tests/cuda/resources/elf_file.h"

namespace threefold::cuda {
namespace {

constexpr std::uint32_t kContainerMagic = 0xBA55ED50;
constexpr std::uint16_t kNativeCode = 2;  // PTX has 1
constexpr std::uint64_t kPacked = 0x8000;

// Offsets in the header of a container, and in the header of an image in the container.
constexpr std::size_t kContainerHeaderBytes = 6;
constexpr std::size_t kContainerBytes = 8;
constexpr std::size_t kImageHeaderBytes = 4;
constexpr std::size_t kImagePaddedBytes = 8;
constexpr std::size_t kImagePackedBytes = 16;
constexpr std::size_t kImageArchitecture = 28;
constexpr std::size_t kImageFlags = 40;
constexpr std::size_t kImageUnpackedBytes = 56;

std::vector<std::byte> unpack(std::span<const std::byte> packed, std::size_t size) {
    std::vector<std::byte> bytes(size);
    const std::size_t written =
        ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
    if (ZSTD_isError(written) != 0)
        throw std::runtime_error(std::string("an image does not unpack: ") +
                                 ZSTD_getErrorName(written));
    if (written != size) throw std::runtime_error("an image is shorter than it says");
    return bytes;
}

void readContainer(std::span<const std::byte> container, std::vector<GpuImage>& images) {
    std::size_t at = 0;
    while (at < container.size()) {
        const auto header = container.subspan(at);
        const std::size_t headerBytes = valueAt<std::uint32_t>(header, kImageHeaderBytes);
        const std::size_t paddedBytes = valueAt<std::uint64_t>(header, kImagePaddedBytes);
        if (headerBytes < kImageUnpackedBytes || headerBytes > header.size() ||
            paddedBytes > header.size() - headerBytes)
            throw std::runtime_error("an image reaches beyond its container");
        if (valueAt<std::uint16_t>(header, 0) == kNativeCode) {
            const auto payload = header.subspan(headerBytes, paddedBytes);
            GpuImage& image = images.emplace_back();
            image.architecture =
                static_cast<int>(valueAt<std::uint32_t>(header, kImageArchitecture));
            if ((valueAt<std::uint64_t>(header, kImageFlags) & kPacked) != 0) {
                const auto packedBytes = valueAt<std::uint32_t>(header, kImagePackedBytes);
                if (packedBytes > payload.size())
                    throw std::runtime_error("an image reaches beyond its container");
                image.elf = unpack(payload.first(packedBytes),
                                   valueAt<std::uint64_t>(header, kImageUnpackedBytes));
            } else {
                image.elf.assign(payload.begin(), payload.end());
            }
        }
        at += headerBytes + paddedBytes;
    }
}

}  // namespace

std::vector<GpuImage> gpuImages(std::span<const std::byte> library) {
    std::vector<GpuImage> images;
    const ElfFile file(library);
    const ElfSection* section = file.find(".nv_fatbin");
    if (!section) return images;
    // Containers are aligned to 8 bytes, with zeros between them.
    for (std::size_t at = 0; at + kContainerBytes < section->bytes.size();) {
        const auto container = section->bytes.subspan(at);
        const auto magic = valueAt<std::uint32_t>(container, 0);
        if (magic == 0) {
            at += 4;
            continue;
        }
        if (magic != kContainerMagic)
            throw std::runtime_error("no container of GPU code at byte " + std::to_string(at));
        const std::size_t headerBytes = valueAt<std::uint16_t>(container, kContainerHeaderBytes);
        const std::size_t bytes = valueAt<std::uint64_t>(container, kContainerBytes);
        if (headerBytes > container.size() || bytes > container.size() - headerBytes)
            throw std::runtime_error("a container reaches beyond its section");
        readContainer(container.subspan(headerBytes, bytes), images);
        at += headerBytes + bytes;
    }
    return images;
}

}  // namespace threefold::cuda
