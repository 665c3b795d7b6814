#include "engine/formats/pickle/pickle.h"

#include <string>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pickle/pickle_machine.h"

namespace threefold {
namespace {

/// Protocols 0 and 1 have no signature: only what may begin a value counts.
bool looksLikePickle(std::string_view text) {
    if (text.empty()) return false;
    if (text[0] == '\x80') return text.size() >= 2;
    return std::string_view("(]})cilFGIJKLMNSTUVX").find(text[0]) != std::string_view::npos;
}

}  // namespace

PickleRef PickleDict::find(std::string_view key) const {
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
        const auto* text = std::get_if<std::string>(&item->first->value);
        const auto* bytes = std::get_if<PickleBytes>(&item->first->value);
        if ((text && *text == key) || (bytes && bytes->bytes == key)) return item->second;
    }
    return nullptr;
}

PickleRef decodePickle(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    if (!looksLikePickle(asText(bytes)))
        throw NotThisFormat(
            {subject.string(), "byte 0", "is not a pickle", "Save it with Python's pickle.dump."});
    return pickle::Machine(bytes, subject, pickle::Dialect::plain).run();
}

PickleRef decodeTorchPickle(std::span<const std::byte> bytes,
                            const std::filesystem::path& subject) {
    return pickle::Machine(bytes, subject, pickle::Dialect::torch).run();
}

PickleRef readPickle(const std::filesystem::path& file) {
    return decodePickle(readFile(file), file);
}

}  // namespace threefold
