#include "engine/formats/pickle.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/byte_cursor.h"
#include "engine/formats/file_bytes.h"
#include "engine/formats/pickle_graph.h"
#include "engine/formats/pickle_text.h"
#include "engine/formats/pickle_types.h"

namespace threefold {
namespace pickle {
namespace {

constexpr int kNewestProtocol = 5;
/// What an item of a list or dictionary takes here, in the finished value, and in growing vectors.
constexpr std::size_t kItemCost = 4 * sizeof(NodeId) + sizeof(PickleRef);
constexpr std::size_t kMemoCost = 64;

/// Python's pickle machine: a stack, marks in it, and a memo; without the part that calls things.
class Machine {
  public:
    Machine(std::span<const std::byte> bytes, const std::filesystem::path& subject)
        : cursor_(bytes, subject), graph_(cursor_, bytes.size()) {}

    PickleRef run() {
        while (step()) continue;
        return graph_.finish(pop());
    }

  private:
    bool step() {
        const auto opcode = static_cast<unsigned char>(cursor_.little(1));
        if (opcode == '.') return false;
        if (!number(opcode) && !text(opcode) && !container(opcode) && !stackAndMemo(opcode) &&
            !object(opcode))
            cursor_.failAt(cursor_.offset() - 1, fmt::format("the opcode {:#04x}, which pickles "
                                                             "of plain data do not have",
                                                             opcode));
        return true;
    }

    bool number(unsigned char opcode) {
        switch (opcode) {
            case 'N':
                push(graph_.none());
                return true;
            case 0x88:
                push(graph_.boolean(true));
                return true;
            case 0x89:
                push(graph_.boolean(false));
                return true;
            case 'I':
                pushDecimal(true);
                return true;
            case 'L':
                pushDecimal(false);
                return true;
            case 'J':
                pushInteger(static_cast<std::int32_t>(cursor_.little(4)));
                return true;
            case 'K':
                pushInteger(static_cast<std::int64_t>(cursor_.little(1)));
                return true;
            case 'M':
                pushInteger(static_cast<std::int64_t>(cursor_.little(2)));
                return true;
            case 0x8a:
                pushLong(cursor_.little(1));
                return true;
            case 0x8b:
                pushLong(cursor_.little(4));
                return true;
            case 'F':
                pushDecimalFloat();
                return true;
            case 'G':
                push(graph_.add(std::bit_cast<double>(cursor_.big(8))));
                return true;
            default:
                return false;
        }
    }

    bool text(unsigned char opcode) {
        switch (opcode) {
            case 'V':
                pushDecoded<Text>(fromRawUnicodeEscape(cursor_.takeLine()));
                return true;
            case 'X':
                pushText(cursor_.little(4));
                return true;
            case 0x8c:
                pushText(cursor_.little(1));
                return true;
            case 0x8d:
                pushText(cursor_.little(8));
                return true;
            case 'S':
                pushQuoted();
                return true;
            case 'T':
                pushOldString(cursor_.takeText(cursor_.little(4)));
                return true;
            case 'U':
                pushOldString(cursor_.takeText(cursor_.little(1)));
                return true;
            case 'B':
                pushBytes(cursor_.little(4));
                return true;
            case 'C':
                pushBytes(cursor_.little(1));
                return true;
            case 0x8e:
            case 0x96:
                pushBytes(cursor_.little(8));
                return true;
            default:
                return false;
        }
    }

    bool container(unsigned char opcode) {
        switch (opcode) {
            case ']':
            case 0x8f:
                push(graph_.add(Sequence{{}, true}));
                return true;
            case '}':
                push(graph_.add(Dict{}));
                return true;
            case ')':
                pushSequence({}, false);
                return true;
            case 0x85:
                pushTuple(1);
                return true;
            case 0x86:
                pushTuple(2);
                return true;
            case 0x87:
                pushTuple(3);
                return true;
            case 't':
                pushSequence(popToMark(), false);
                return true;
            case 'l':
            case 0x91:
                pushSequence(popToMark(), true);
                return true;
            case 'd':
                pushDict(popToMark());
                return true;
            case 'a':
                append(popMany(1));
                return true;
            case 'e':
            case 0x90:
                append(popToMark());
                return true;
            case 's':
                setItems(popMany(2));
                return true;
            case 'u':
                setItems(popToMark());
                return true;
            default:
                return false;
        }
    }

    bool stackAndMemo(unsigned char opcode) {
        switch (opcode) {
            case 0x80:
                checkProtocol();
                return true;
            case 0x95:
                checkFrame();
                return true;
            case '(':
                marks_.push_back(stack_.size());
                return true;
            case '0':
                drop();
                return true;
            case '1':
                popToMark();
                return true;
            case '2':
                push(top());
                return true;
            case 'g':
                recall(decimal(cursor_.takeLine()));
                return true;
            case 'h':
                recall(cursor_.little(1));
                return true;
            case 'j':
                recall(cursor_.little(4));
                return true;
            case 'p':
                remember(decimal(cursor_.takeLine()));
                return true;
            case 'q':
                remember(cursor_.little(1));
                return true;
            case 'r':
                remember(cursor_.little(4));
                return true;
            case 0x94:
                remember(memo_.size());
                return true;
            default:
                return false;
        }
    }

    bool object(unsigned char opcode) {
        switch (opcode) {
            case 'c':
                pushGlobal();
                return true;
            case 0x93:
                pushStackGlobal();
                return true;
            case 'R':
            case 0x81:
                reduce();
                return true;
            case 0x92:
                reduceWithNames();
                return true;
            case 'i': {
                pushGlobal();
                const NodeId type = pop();
                callWith(type, popToMark());
                return true;
            }
            case 'o': {
                const std::vector<NodeId> parts = popToMark();
                if (parts.empty()) cursor_.fail("an object without its class");
                callWith(parts[0], std::span(parts).subspan(1));
                return true;
            }
            case 'b': {
                const NodeId state = pop();
                build(graph_, top(), state);
                return true;
            }
            default:
                return false;
        }
    }

    // The stack. Nothing below the last mark can be taken but together with the mark.

    void push(NodeId id) { stack_.push_back(id); }
    NodeId top() const {
        if (stack_.size() == floor()) cursor_.fail("a value is taken where there is none");
        return stack_.back();
    }
    NodeId pop() {
        const NodeId id = top();
        stack_.pop_back();
        return id;
    }
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
    std::vector<NodeId> popMany(std::size_t count) {
        if (stack_.size() - floor() < count) cursor_.fail("values are taken where there are none");
        const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
        const std::vector<NodeId> items(first, stack_.end());
        stack_.erase(first, stack_.end());
        return items;
    }
    std::vector<NodeId> popToMark() {
        if (marks_.empty()) cursor_.fail("a mark is taken where there is none");
        const std::size_t count = stack_.size() - marks_.back();
        std::vector<NodeId> items = popMany(count);
        marks_.pop_back();
        return items;
    }
    /// POP takes a mark where that is on top.
    void drop() {
        if (!marks_.empty() && stack_.size() == marks_.back())
            marks_.pop_back();
        else
            pop();
    }

    // Numbers and text.

    void pushInteger(std::int64_t value) { push(graph_.integer(value)); }

    std::uint64_t decimal(std::string_view line) const {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc{} || end != line.data() + line.size())
            cursor_.fail("a number is expected before here");
        return value;
    }

    /// Protocols 0 and 1 write False and True as the integers 00 and 01.
    void pushDecimal(bool mayBeBoolean) {
        std::string_view line = cursor_.takeLine();
        if (mayBeBoolean && (line == "00" || line == "01"))
            return push(graph_.boolean(line == "01"));
        if (!mayBeBoolean && line.ends_with('L')) line.remove_suffix(1);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc{} || end != line.data() + line.size())
            cursor_.fail("an integer of at most 64 bits is expected before here");
        pushInteger(value);
    }

    void pushDecimalFloat() {
        const std::string_view line = cursor_.takeLine();
        double value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc{} || end != line.data() + line.size())
            cursor_.fail("a number is expected before here");
        push(graph_.add(value));
    }

    /// Little-endian two's complement of any width.
    void pushLong(std::uint64_t width) {
        const std::span<const std::byte> bytes = cursor_.take(width);
        const auto byteAt = [&](std::size_t i) { return std::to_integer<std::uint64_t>(bytes[i]); };
        const bool negative = !bytes.empty() && (byteAt(bytes.size() - 1) & 0x80) != 0;
        std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
        for (std::size_t i = std::min<std::size_t>(bytes.size(), 8); i-- > 0;)
            value = value << 8 | byteAt(i);
        const bool fits = std::all_of(
            bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 8)),
            bytes.end(), [&](std::byte b) { return b == std::byte(negative ? 0xff : 0); });
        if (!fits || (bytes.size() > 8 && (value >> 63 != 0) != negative))
            cursor_.fail("an integer of more than 64 bits");
        pushInteger(static_cast<std::int64_t>(value));
    }

    template <typename Kind>
    void pushDecoded(std::optional<std::string> decoded) {
        if (!decoded) cursor_.fail("a text before here has malformed escapes");
        push(graph_.add(Kind{graph_.keep(std::move(*decoded))}));
    }

    void pushText(std::uint64_t length) {
        const std::string_view text = cursor_.takeText(length);
        if (!isUtf8(text)) cursor_.fail("a text before here is not UTF-8");
        push(graph_.add(Text{text}));
    }

    void pushBytes(std::uint64_t length) { push(graph_.add(Bytes{cursor_.takeText(length)})); }

    /// Python 2's strings were both text and bytes.
    void pushOldString(std::string_view string) {
        const bool ascii = std::all_of(string.begin(), string.end(),
                                       [](char c) { return static_cast<signed char>(c) >= 0; });
        push(ascii ? graph_.add(Text{string}) : graph_.add(Bytes{string}));
    }

    void pushQuoted() {
        std::optional<std::string> decoded = fromQuotedString(cursor_.takeLine());
        if (!decoded) cursor_.fail("a string before here has no quotes or malformed escapes");
        pushOldString(graph_.keep(std::move(*decoded)));
    }

    // Containers.

    void pushSequence(std::vector<NodeId> items, bool growable) {
        graph_.charge(items.size() * kItemCost);
        push(graph_.add(Sequence{std::move(items), growable}));
    }
    void pushTuple(std::size_t count) { pushSequence(popMany(count), false); }

    void append(const std::vector<NodeId>& items) {
        Sequence* list = graph_.as<Sequence>(top());
        if (list == nullptr || !list->growable) cursor_.fail("appends to what is not a list");
        graph_.charge(items.size() * kItemCost);
        list->items.insert(list->items.end(), items.begin(), items.end());
    }

    void pushDict(const std::vector<NodeId>& items) {
        push(graph_.add(Dict{}));
        setItems(items);
    }

    void setItems(const std::vector<NodeId>& items) {
        Dict* dict = graph_.as<Dict>(top());
        if (dict == nullptr) cursor_.fail("sets items of what is not a dictionary");
        if (items.size() % 2 != 0) cursor_.fail("a key without its value");
        graph_.charge(items.size() * kItemCost);
        for (std::size_t i = 0; i < items.size(); i += 2)
            dict->items.emplace_back(items[i], items[i + 1]);
    }

    // Structure and memo.

    void checkProtocol() {
        const std::uint64_t protocol = cursor_.little(1);
        if (protocol > kNewestProtocol)
            cursor_.fail(
                fmt::format("pickle protocol {}, 0 to {} are read", protocol, kNewestProtocol));
    }

    void checkFrame() {
        const std::uint64_t length = cursor_.little(8);
        if (length > cursor_.remaining())
            cursor_.fail(
                fmt::format("a frame of {} bytes, {} are left", length, cursor_.remaining()));
    }

    void remember(std::uint64_t key) {
        graph_.charge(kMemoCost);
        memo_.insert_or_assign(key, top());
    }

    void recall(std::uint64_t key) {
        const auto found = memo_.find(key);
        if (found == memo_.end())
            cursor_.fail(fmt::format("the memo's entry {} is used but was never made", key));
        push(found->second);
    }

    // Callables.

    void pushCallable(std::string_view module, std::string_view name) {
        const std::optional<Callable> callable = findCallable(module, name);
        if (!callable)
            throw FormatError(
                {cursor_.subject().string(), fmt::format("byte {}", cursor_.offset()),
                 fmt::format("names the callable '{}.{}', which is not on the list of data types "
                             "that are read",
                             module.substr(0, 80), name.substr(0, 80)),
                 "Nothing was run. Save the data as plain Python values and numpy arrays."});
        push(graph_.add(*callable));
    }

    void pushGlobal() {
        const std::string_view module = cursor_.takeLine();
        pushCallable(module, cursor_.takeLine());
    }

    void pushStackGlobal() {
        const Text* name = graph_.as<Text>(pop());
        const Text* module = graph_.as<Text>(pop());
        if (name == nullptr || module == nullptr) cursor_.fail("a callable without a name");
        pushCallable(module->utf8, name->utf8);
    }

    void callWith(NodeId function, std::span<const NodeId> arguments) {
        const Callable* callable = graph_.as<Callable>(function);
        if (callable == nullptr) cursor_.fail("calls a value that is not a callable");
        push(call(graph_, *callable, arguments));
    }

    void reduce() {
        const NodeId arguments = pop();
        const NodeId function = pop();
        callWith(function, itemsOf(graph_, arguments, "the arguments of a call"));
    }

    void reduceWithNames() {
        const Dict* names = graph_.as<Dict>(pop());
        if (names == nullptr || !names->items.empty())
            cursor_.fail("a call with named arguments, which no known writer does");
        reduce();
    }

    ByteCursor cursor_;
    Graph graph_;
    std::vector<NodeId> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, NodeId> memo_;
};

/// Protocols 0 and 1 have no signature: only what may begin a value counts.
bool looksLikePickle(std::string_view text) {
    if (text.empty()) return false;
    if (text[0] == '\x80') return text.size() >= 2;
    return std::string_view("(]})cilFGIJKLMNSTUVX").find(text[0]) != std::string_view::npos;
}

}  // namespace
}  // namespace pickle

PickleRef PickleDict::find(std::string_view key) const {
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
        const auto* text = std::get_if<std::string>(&item->first->value);
        const auto* bytes = std::get_if<PickleBytes>(&item->first->value);
        if ((text && *text == key) || (bytes && bytes->bytes == key)) return item->second;
    }
    return nullptr;
}

PickleRef decodePickle(std::span<const std::byte> bytes, const std::filesystem::path& subject) {
    if (!pickle::looksLikePickle(asText(bytes)))
        throw NotThisFormat(
            {subject.string(), "byte 0", "is not a pickle", "Save it with Python's pickle.dump."});
    return pickle::Machine(bytes, subject).run();
}

PickleRef readPickle(const std::filesystem::path& file) {
    return decodePickle(readFile(file), file);
}

}  // namespace threefold
