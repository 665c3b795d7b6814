#include "ui/profile/profile_font.h"

#include <utility>
#include <vector>

#include <QByteArray>
#include <QRawFont>

namespace threefold::ui {
namespace {

using Bytes = render::OverlayFont;

void put16(Bytes& bytes, unsigned value) {
    bytes.push_back(static_cast<unsigned char>(value >> 8U));
    bytes.push_back(static_cast<unsigned char>(value));
}

void put32(Bytes& bytes, std::size_t value) {
    put16(bytes, static_cast<unsigned>(value >> 16U) & 0xFFFFU);
    put16(bytes, static_cast<unsigned>(value) & 0xFFFFU);
}

}  // namespace

std::shared_ptr<const Bytes> overlayFont(const QFont& font) {
    const QRawFont raw = QRawFont::fromFont(font);
    if (!raw.isValid()) return nullptr;
    const bool cubic = !raw.fontTable("CFF ").isEmpty();
    std::vector<std::pair<const char*, QByteArray>> tables;
    // In the order of their names, as the format asks.
    for (const char* name :
         {"CFF ", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"}) {
        QByteArray table = raw.fontTable(name);
        if (!table.isEmpty()) tables.emplace_back(name, std::move(table));
    }
    const auto has = [&tables](const char* name) {
        for (const auto& [known, bytes] : tables) {
            if (qstrcmp(known, name) == 0) return true;
        }
        return false;
    };
    for (const char* needed : {"cmap", "head", "hhea", "hmtx", "maxp"}) {
        if (!has(needed)) return nullptr;
    }
    if (!cubic && !(has("glyf") && has("loca"))) return nullptr;

    auto file = std::make_shared<Bytes>();
    put32(*file, cubic ? 0x4F54544F : 0x00010000);  // "OTTO", or TrueType
    put16(*file, static_cast<unsigned>(tables.size()));
    for (int i = 0; i < 3; ++i) put16(*file, 0);  // for binary searches that nobody does any more
    constexpr std::size_t kEntry = 16;
    std::size_t offset = file->size() + kEntry * tables.size();
    const auto padded = [](qsizetype size) { return (static_cast<std::size_t>(size) + 3) / 4 * 4; };
    for (const auto& [name, table] : tables) {
        file->insert(file->end(), name, name + 4);
        put32(*file, 0);  // a sum that no reader checks
        put32(*file, offset);
        put32(*file, static_cast<std::size_t>(table.size()));
        offset += padded(table.size());
    }
    for (const auto& [name, table] : tables) {
        file->insert(file->end(), table.begin(), table.end());
        file->resize(file->size() + padded(table.size()) - static_cast<std::size_t>(table.size()));
    }
    return file;
}

}  // namespace threefold::ui
