#include "engine/formats/bytes/sha256.h"

#include <array>
#include <memory>

#include <fmt/ranges.h>
#include <openssl/evp.h>

#include "engine/error.h"

namespace threefold {

std::string sha256(std::span<const std::byte> bytes) {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          EVP_MD_CTX_free);
    std::array<unsigned char, 32> digest{};
    if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1 ||
        EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1 ||
        EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1)
        throw DeviceError({"libcrypto", "", "cannot compute SHA-256",
                           "Check the installation of OpenSSL and its configuration."});
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace threefold
