#include "engine/formats/pickle/pickle.h"
#include "engine/formats/files/mapped_file.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/model/template_pickle.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

/// Longest list whose items are shown one by one.
constexpr std::size_t kMaxItems = 32;
constexpr std::size_t kMaxTextBytes = 60;
/// A pickle may refer to one value many times; this bounds the output.
constexpr std::size_t kMaxEntries = 2000;

std::string textBeginning(const std::string& text) {
    return text.size() <= kMaxTextBytes ? text
                                        : fmt::format("{}…", textPrefix(text, kMaxTextBytes));
}

std::string keyText(const PickleRef& key) {
    if (const auto* text = std::get_if<std::string>(&key->value)) return *text;
    if (const auto* bytes = std::get_if<PickleBytes>(&key->value)) return bytes->bytes;
    if (const auto* number = std::get_if<std::int64_t>(&key->value)) return std::to_string(*number);
    return "?";
}

/// Walks the values of a pickle and names each by its path: "stage1[0][1]".
class Walk {
  public:
    Walk(Description& description, bool ranges) : description_(description), ranges_(ranges) {}

    /// Size of all visited arrays, in bytes.
    std::size_t bytes() const { return bytes_; }

    void visit(const std::string& name, const PickleRef& ref) {
        if (entries_++ == kMaxEntries) fact(name, "and more, left out");
        if (entries_ > kMaxEntries) return;
        std::visit([&](const auto& value) { add(name, value); }, ref->value);
    }

  private:
    void fact(const std::string& name, std::string value) {
        description_.entries.emplace_back(name.empty() ? "value" : name, std::move(value));
    }

    void add(const std::string& name, const PickleNone&) { fact(name, "None"); }
    void add(const std::string& name, bool value) { fact(name, value ? "True" : "False"); }
    void add(const std::string& name, std::int64_t value) { fact(name, std::to_string(value)); }
    void add(const std::string& name, double value) { fact(name, fmt::format("{:.6g}", value)); }
    void add(const std::string& name, const std::string& value) {
        fact(name, fmt::format("text, {} bytes: {}", value.size(), textBeginning(value)));
    }
    void add(const std::string& name, const PickleBytes& value) {
        fact(name, fmt::format("{} bytes", value.bytes.size()));
    }
    void add(const std::string& name, const Array& value) {
        bytes_ += value.data.size();
        description_.arrays.push_back(describeArray(name.empty() ? "array" : name, value, ranges_));
    }
    void add(const std::string& name, const PickleSparse& value) {
        fact(name, fmt::format("sparse {} × {}, {} values", value.rowCount, value.columnCount,
                               value.values.size()));
    }
    void add(const std::string& name, const PickleTensor& value) {
        description_.arrays.push_back(
            {name, value.dtype ? std::string(dtypeName(*value.dtype)) : value.storageType,
             value.shape});
    }
    void add(const std::string& name, const PickleSequence& value) {
        fact(name, fmt::format("list of {}", value.items.size()));
        if (value.items.size() > kMaxItems) return;
        for (std::size_t i = 0; i < value.items.size(); ++i)
            visit(fmt::format("{}[{}]", name, i), value.items[i]);
    }
    void add(const std::string& name, const PickleDict& value) {
        fact(name, fmt::format("dict of {}", value.items.size()));
        for (const auto& [key, item] : value.items)
            visit(name.empty() ? keyText(key) : fmt::format("{}.{}", name, keyText(key)), item);
    }

    Description& description_;
    bool ranges_;
    std::size_t entries_ = 0;
    std::size_t bytes_ = 0;
};

/// Whether the text is no pickle. Pickles of protocol 0 are texts, too: they begin with one of many
/// letters and end with a full stop.
bool isOrdinaryText(const std::filesystem::path& file, std::string_view text) {
    const std::string extension = file.extension().string();
    if (extension == ".pkl" || extension == ".pickle" || extension == ".dat") return false;
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last != text.npos && text[last] == '.') return false;
    constexpr std::size_t kLookedAt = 4096;
    return std::ranges::all_of(text.substr(0, kLookedAt), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t';
    });
}

/// Adds a fact about a template mesh; adds nothing for other pickles.
void addTemplate(const std::filesystem::path& file, const PickleRef& root,
                 Description& description) {
    const auto* dict = std::get_if<PickleDict>(&root->value);
    if (!dict || !dict->find("coord") || !dict->find("stage1")) return;
    try {
        const TemplateMesh mesh = loadTemplate(file).mesh;
        std::string levels;
        for (const TemplateLevel& level : mesh.levels)
            levels += fmt::format("{}{}", levels.empty() ? "" : " → ", level.vertexCount);
        description.addFact("template", "{} vertices, {} hypotheses", levels,
                            mesh.hypothesisOffsets.size());
    } catch (const Error& error) {
        description.addFact("template", "cannot be used: {}: {}", error.report().place,
                            error.report().problem);
    }
}

}  // namespace

Description describePickle(const std::filesystem::path& file, RangeSelection requested) {
    const MappedFile mapped(file);
    if (isOrdinaryText(file, asText(mapped.bytes())))
        throw NotThisFormat({file.string(), "", "is a text, but no pickle", ""});
    const PickleRef root = mapped.decode([&](auto bytes) { return decodePickle(bytes, file); });
    Description description{"pickle", {}, {}};
    addTemplate(file, root, description);
    Description unused;
    Walk look(unused, false);
    look.visit("", root);
    const bool ranges = shouldComputeRanges(requested, look.bytes(), description);
    Walk(description, ranges).visit("", root);
    return description;
}

}  // namespace threefold
