#include <algorithm>
#include <bit>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/formats/pickle/pickle_callables.h"
#include "engine/formats/pickle/pickle_graph.h"
#include "engine/formats/pickle/pickle_text.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/utf8.h"

namespace threefold {
namespace pickle {
namespace {

constexpr int kNewestProtocol = 5;
/// Memory of an item of a list or dictionary, in the graph and in the finished value.
constexpr std::size_t kItemCost = 4 * sizeof(NodeId) + sizeof(PickleRef);

/// Stack of the pickle machine with its marks, and its memo. Values below the last mark can only be
/// popped after the mark. Functions throw FormatError if there are too few values.
class Stack {
  public:
    /// `graph` is charged for the memo, and must outlive the stack.
    explicit Stack(Graph& graph) : graph_(graph) {}

    void push(NodeId id) { values_.push_back(id); }
    NodeId top() const {
        if (values_.size() == base()) graph_.fail("a value is expected, but the stack is empty");
        return values_.back();
    }
    NodeId pop() {
        const NodeId id = top();
        values_.pop_back();
        return id;
    }
    std::vector<NodeId> popMany(std::size_t count) {
        if (values_.size() - base() < count)
            graph_.fail("more values are expected than the stack holds");
        const auto first = values_.end() - static_cast<std::ptrdiff_t>(count);
        std::vector<NodeId> items(first, values_.end());
        values_.erase(first, values_.end());
        return items;
    }

    void mark() { marks_.push_back(values_.size()); }
    std::vector<NodeId> popToMark() {
        if (marks_.empty()) graph_.fail("a mark is expected, but there is none");
        std::vector<NodeId> items = popMany(values_.size() - marks_.back());
        marks_.pop_back();
        return items;
    }
    /// Opcode POP: pops the mark if a mark is on top.
    void drop() {
        if (!marks_.empty() && values_.size() == marks_.back())
            marks_.pop_back();
        else
            pop();
    }

    void remember(std::uint64_t key) {
        graph_.charge(kMemoCost);
        memo_.insert_or_assign(key, top());
    }
    void rememberNext() { remember(memo_.size()); }
    void recall(std::uint64_t key) {
        const auto entry = memo_.find(key);
        if (entry == memo_.end())
            graph_.fail(fmt::format("the memo's entry {} is used but was never made", key));
        push(entry->second);
    }

  private:
    static constexpr std::size_t kMemoCost = 64;  ///< bytes of an entry

    std::size_t base() const { return marks_.empty() ? 0 : marks_.back(); }

    Graph& graph_;
    std::vector<NodeId> values_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, NodeId> memo_;
};

/// Python's pickle machine without imports and calls. Throws FormatError.
class Machine {
  public:
    Machine(std::span<const std::byte> bytes, const std::filesystem::path& subject, Dialect dialect)
        : dialect_(dialect),
          cursor_(bytes, subject),
          graph_(cursor_, bytes.size()),
          stack_(graph_) {}

    PickleRef run() {
        while (step()) continue;
        return graph_.finish(stack_.pop());
    }

  private:
    /// Runs the next opcode; false at the pickle's end.
    bool step() {
        constexpr unsigned char kStop = '.';
        const auto opcode = static_cast<unsigned char>(cursor_.readLittleEndian(1));
        if (opcode == kStop) return false;
        if (!pushNumber(opcode) && !pushTextOrBytes(opcode) && !useContainer(opcode) &&
            !useStackOrMemo(opcode) && !useClass(opcode))
            failOpcode(opcode);
        return true;
    }

    /// Pushes None, a truth value or a number. False for other opcodes.
    bool pushNumber(unsigned char opcode) {
        // clang-format off
        switch (opcode) {
            case 'N':  stack_.push(graph_.none()); break;
            case 0x88: stack_.push(graph_.boolean(true)); break;
            case 0x89: stack_.push(graph_.boolean(false)); break;
            case 'I':  pushDecimal(); break;
            case 'L':  pushDecimalLong(); break;
            case 'J':  pushInteger(static_cast<std::int32_t>(cursor_.readLittleEndian(4))); break;
            case 'K':  pushInteger(static_cast<std::int64_t>(cursor_.readLittleEndian(1))); break;
            case 'M':  pushInteger(static_cast<std::int64_t>(cursor_.readLittleEndian(2))); break;
            case 0x8a: pushWide(fromTwosComplement(cursor_.read(cursor_.readLittleEndian(1)))); break;
            case 0x8b: pushWide(fromTwosComplement(cursor_.read(cursor_.readLittleEndian(4)))); break;
            case 'F':  push(parsed(parseNumber<double>(cursor_.readLine()), "a number")); break;
            case 'G':  push(std::bit_cast<double>(cursor_.readBigEndian(8))); break;
            default:   return false;
        }
        // clang-format on
        return true;
    }

    /// Pushes a text or bytes. False for other opcodes.
    bool pushTextOrBytes(unsigned char opcode) {
        // clang-format off
        switch (opcode) {
            case 'V':  push(Text{graph_.keep(parsed(fromRawUnicodeEscape(cursor_.readLine()),
                                                    "a text with sound escapes"))}); break;
            case 'X':  pushText(cursor_.readLittleEndian(4)); break;
            case 0x8c: pushText(cursor_.readLittleEndian(1)); break;
            case 0x8d: pushText(cursor_.readLittleEndian(8)); break;
            case 'S':  pushOldString(graph_.keep(parsed(fromQuotedString(cursor_.readLine()),
                                                        "a quoted string with sound escapes"))); break;
            case 'T':  pushOldString(cursor_.readText(cursor_.readLittleEndian(4))); break;
            case 'U':  pushOldString(cursor_.readText(cursor_.readLittleEndian(1))); break;
            case 'B':  push(Bytes{cursor_.readText(cursor_.readLittleEndian(4))}); break;
            case 'C':  push(Bytes{cursor_.readText(cursor_.readLittleEndian(1))}); break;
            case 0x8e:
            case 0x96: push(Bytes{cursor_.readText(cursor_.readLittleEndian(8))}); break;
            default:   return false;
        }
        // clang-format on
        return true;
    }

    /// Makes a container, or puts values into one. False for other opcodes.
    bool useContainer(unsigned char opcode) {
        // clang-format off
        switch (opcode) {
            case ']':
            case 0x8f: pushSequence({}, true); break;
            case '}':  push(Dict{}); break;
            case ')':  pushSequence({}, false); break;
            case 0x85: pushSequence(stack_.popMany(1), false); break;
            case 0x86: pushSequence(stack_.popMany(2), false); break;
            case 0x87: pushSequence(stack_.popMany(3), false); break;
            case 't':  pushSequence(stack_.popToMark(), false); break;
            case 'l':
            case 0x91: pushSequence(stack_.popToMark(), true); break;
            case 'a':  append(stack_.popMany(1)); break;
            case 'e':
            case 0x90: append(stack_.popToMark()); break;
            case 's':  setItems(stack_.popMany(2)); break;
            case 'u':  setItems(stack_.popToMark()); break;
            case 'd':  pushDict(stack_.popToMark()); break;
            default:   return false;
        }
        // clang-format on
        return true;
    }

    /// Moves values between stack, marks and memo, or checks protocol and frames. False for
    /// other opcodes.
    bool useStackOrMemo(unsigned char opcode) {
        // clang-format off
        switch (opcode) {
            case 0x80: checkProtocol(); break;
            case 0x95: checkFrame(); break;
            case '(':  stack_.mark(); break;
            case '0':  stack_.drop(); break;
            case '1':  stack_.popToMark(); break;
            case '2':  stack_.push(stack_.top()); break;
            case 'g':  stack_.recall(readMemoKey()); break;
            case 'h':  stack_.recall(cursor_.readLittleEndian(1)); break;
            case 'j':  stack_.recall(cursor_.readLittleEndian(4)); break;
            case 'p':  stack_.remember(readMemoKey()); break;
            case 'q':  stack_.remember(cursor_.readLittleEndian(1)); break;
            case 'r':  stack_.remember(cursor_.readLittleEndian(4)); break;
            case 0x94: stack_.rememberNext(); break;
            default:   return false;
        }
        // clang-format on
        return true;
    }

    /// Pushes a class by its name, calls a class, or sets the state of an object that a class made.
    /// False for other opcodes.
    bool useClass(unsigned char opcode) {
        // clang-format off
        switch (opcode) {
            case 'c':  pushGlobal(); break;
            case 0x93: pushStackGlobal(); break;
            case 'R':
            case 0x81: reduce(); break;
            case 0x92: reduceWithNames(); break;
            case 'i':  pushInstance(); break;
            case 'o':  pushObject(stack_.popToMark()); break;
            case 'b':  buildTop(); break;
            case 'Q':  pushStorage(opcode); break;
            default:   return false;
        }
        // clang-format on
        return true;
    }

    void pushDict(const std::vector<NodeId>& items) {
        push(Dict{});
        setItems(items);
    }

    /// Calls the class that the pickle names next, with the values above the mark.
    void pushInstance() {
        pushGlobal();
        const NodeId type = stack_.pop();
        callWith(type, stack_.popToMark());
    }

    /// Calls the first value, a class, with the other values.
    void pushObject(const std::vector<NodeId>& values) {
        if (values.empty()) cursor_.fail("an object without its class");
        callWith(values[0], std::span(values).subspan(1));
    }

    void buildTop() {
        const NodeId state = stack_.pop();
        setState(graph_, stack_.top(), state);
    }

    void pushStorage(unsigned char opcode) {
        if (dialect_ != Dialect::torch) failOpcode(opcode);
        stack_.push(torchStorage(graph_, stack_.pop()));
    }

    [[noreturn]] void failOpcode(unsigned char opcode) const {
        cursor_.failAt(
            cursor_.offset() - 1,
            fmt::format("the opcode {:#04x}, which pickles of plain data do not have", opcode));
    }

    template <typename T>
    T parsed(std::optional<T> value, const char* expected) const {
        if (!value) cursor_.fail(fmt::format("{} is expected before here", expected));
        return std::move(*value);
    }

    /// Protocols 0 and 1 write False and True as the integers 00 and 01.
    void pushDecimal() {
        const std::string_view line = cursor_.readLine();
        if (line == "00" || line == "01") return stack_.push(graph_.boolean(line == "01"));
        pushWide(parseNumber<std::int64_t>(line));
    }

    void pushDecimalLong() {
        std::string_view line = cursor_.readLine();
        if (line.ends_with('L')) line.remove_suffix(1);
        pushWide(parseNumber<std::int64_t>(line));
    }

    void pushText(std::uint64_t length) {
        const std::string_view text = cursor_.readText(length);
        if (!isUtf8WithSurrogates(text)) cursor_.fail("a text before here is not UTF-8");
        push(Text{text});
    }

    /// Python 2's strings were both text and bytes.
    void pushOldString(std::string_view string) {
        const bool ascii =
            std::ranges::all_of(string, [](char c) { return static_cast<signed char>(c) >= 0; });
        push(ascii ? Node(Text{string}) : Node(Bytes{string}));
    }

    void pushSequence(std::vector<NodeId> items, bool isMutable) {
        graph_.charge(items.size() * kItemCost);
        push(Sequence{std::move(items), isMutable});
    }

    void append(const std::vector<NodeId>& items) {
        Sequence* list = graph_.as<Sequence>(stack_.top());
        if (list == nullptr || !list->isMutable) cursor_.fail("appends to what is not a list");
        graph_.charge(items.size() * kItemCost);
        list->items.insert(list->items.end(), items.begin(), items.end());
    }

    void setItems(const std::vector<NodeId>& items) {
        Dict* dict = graph_.as<Dict>(stack_.top());
        if (dict == nullptr) cursor_.fail("sets items of what is not a dictionary");
        if (items.size() % 2 != 0) cursor_.fail("a key without its value");
        graph_.charge(items.size() * kItemCost);
        for (std::size_t i = 0; i < items.size(); i += 2)
            dict->items.emplace_back(items[i], items[i + 1]);
    }

    void checkProtocol() {
        const std::uint64_t protocol = cursor_.readLittleEndian(1);
        if (protocol > kNewestProtocol)
            cursor_.failAt(cursor_.offset(),
                           fmt::format("pickle protocol {}, but only 0 to {} are supported",
                                       protocol, kNewestProtocol),
                           "Save it with an older one: pickle.dump(data, file, protocol=4).");
    }

    void checkFrame() {
        const std::uint64_t length = cursor_.readLittleEndian(8);
        if (length > cursor_.remaining())
            cursor_.fail(fmt::format("a frame of {} bytes, but only {} bytes are left", length,
                                     cursor_.remaining()));
    }

    std::uint64_t readMemoKey() {
        return static_cast<std::uint64_t>(
            parsed(parseNumber<std::int64_t>(cursor_.readLine()), "a memo's entry"));
    }

    void pushCallable(std::string_view module, std::string_view name) {
        if (const auto callable = findCallable(module, name, dialect_)) return push(*callable);
        if (dialect_ == Dialect::torch)
            if (const auto type = findTorchType(module, name)) return push(*type);
        cursor_.failAt(
            cursor_.offset(),
            fmt::format("names the callable '{}.{}', which is not on the list of data types that "
                        "are read",
                        textPrefix(module, 80), textPrefix(name, 80)),
            dialect_ == Dialect::torch
                ? "Nothing was run. Save the weights alone: torch.save(model.state_dict(), file)."
                : "Nothing was run. Save the data as plain Python values and numpy arrays.");
    }

    void pushGlobal() {
        const std::string_view module = cursor_.readLine();
        pushCallable(module, cursor_.readLine());
    }

    void pushStackGlobal() {
        const Text* name = graph_.as<Text>(stack_.pop());
        const Text* module = graph_.as<Text>(stack_.pop());
        if (name == nullptr || module == nullptr) cursor_.fail("a callable without a name");
        pushCallable(module->utf8, name->utf8);
    }

    void callWith(NodeId function, std::span<const NodeId> arguments) {
        const Callable* callable = graph_.as<Callable>(function);
        if (callable == nullptr) cursor_.fail("calls a value that is not a callable");
        stack_.push((*callable)(graph_, arguments));
    }

    void reduce() {
        const NodeId arguments = stack_.pop();
        const NodeId function = stack_.pop();
        callWith(function, itemsOf(graph_, arguments, "the arguments of a call"));
    }

    void reduceWithNames() {
        const Dict* names = graph_.as<Dict>(stack_.pop());
        if (names == nullptr || !names->items.empty())
            cursor_.fail("a call with named arguments, which no known writer does");
        reduce();
    }
    void push(Node node) { stack_.push(graph_.add(std::move(node))); }
    void pushInteger(std::int64_t value) { stack_.push(graph_.integer(value)); }
    void pushWide(std::optional<std::int64_t> value) {
        pushInteger(parsed(value, "an integer of at most 64 bits"));
    }

    Dialect dialect_;
    ByteCursor cursor_;
    Graph graph_;
    Stack stack_;
};

/// Protocols 0 and 1 have no signature: the first byte must begin a value.
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
    return pickle::Machine(bytes, subject, pickle::Dialect::plain).run();
}

PickleRef decodeTorchPickle(std::span<const std::byte> bytes,
                            const std::filesystem::path& subject) {
    return pickle::Machine(bytes, subject, pickle::Dialect::torch).run();
}

}  // namespace threefold
