#include "ui/profile/profile_font.h"

#include <map>
#include <string>
#include <utility>

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
    // Sorted by name, as the format demands.
    std::map<std::string, QByteArray> tables;
    for (const char* name :
         {"CFF ", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"}) {
        QByteArray table = raw.fontTable(name);
        if (!table.isEmpty()) tables.emplace(name, std::move(table));
    }
    const bool cubic = tables.contains("CFF ");
    for (const char* needed : {"cmap", "head", "hhea", "hmtx", "maxp"}) {
        if (!tables.contains(needed)) return nullptr;
    }
    if (!cubic && !(tables.contains("glyf") && tables.contains("loca"))) return nullptr;

    auto file = std::make_shared<Bytes>();
    put32(*file, cubic ? 0x4F54544F : 0x00010000);  // "OTTO", or TrueType
    put16(*file, static_cast<unsigned>(tables.size()));
    for (int i = 0; i < 3; ++i) put16(*file, 0);  // for binary search; unused today
    constexpr std::size_t kEntry = 16;
    std::size_t offset = file->size() + kEntry * tables.size();
    const auto padded = [](qsizetype size) { return (static_cast<std::size_t>(size) + 3) / 4 * 4; };
    for (const auto& [name, table] : tables) {
        file->insert(file->end(), name.begin(), name.end());
        put32(*file, 0);  // checksum, which no reader checks
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
