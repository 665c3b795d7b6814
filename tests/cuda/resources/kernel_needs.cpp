#include "tests/cuda/resources/kernel_needs.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <cxxabi.h>
#include <fmt/core.h>

#include "tests/cuda/resources/elf_file.h"

namespace threefold::cuda {
namespace {

// Attributes of .nv.info: the format of a value, and its subject.
constexpr std::uint8_t kSizedValue = 4;
constexpr std::uint8_t kRegisterCount = 0x2F;
constexpr std::uint8_t kFrameSize = 0x11;
/// From compute capability 9.0 on, the system reserves the first bytes of a block's shared memory,
/// and the section's size includes these bytes.
constexpr std::size_t kSystemShared = 1024;
constexpr int kSystemSharedSince = 90;

void removeAll(std::string& text, std::string_view what) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
        text.erase(at, what.size());
}

/// Position of the parenthesis that opens the parameter list of a demangled function, which the
/// last parenthesis closes; the text's size if there is no parameter list.
std::size_t parametersBegin(const std::string& text) {
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        if (text[i] == ')') ++depth;
        if (text[i] == '(' && --depth == 0) return i;
    }
    return text.size();
}

bool matches(std::string_view pattern, std::string_view name) {
    if (!pattern.ends_with('*')) return pattern == name;
    return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

std::string shortName(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0) return mangled;
    std::string name = text.get();
    removeAll(name, "threefold::");
    removeAll(name, "cuda::");
    removeAll(name, "(anonymous namespace)::");
    name.erase(parametersBegin(name));
    if (name.starts_with("void ")) name.erase(0, 5);
    removeAll(name, " ");
    return name;
}

std::vector<KernelNeeds> kernelNeeds(std::span<const std::byte> elf, int architecture) {
    const ElfFile file(elf);
    std::map<std::string, KernelNeeds> bySymbol;
    // Kernels have an .nv.info section of their own, device functions do not.
    constexpr std::string_view prefix = ".nv.info.";
    for (const ElfSection& section : file.sections()) {
        if (!section.name.starts_with(prefix)) continue;
        const std::string symbol = section.name.substr(prefix.size());
        KernelNeeds& kernel = bySymbol[symbol];
        kernel.name = shortName(symbol);
        kernel.architecture = architecture;
        if (const ElfSection* shared = file.find(".nv.shared." + symbol)) {
            kernel.shared = shared->size;
            if (architecture >= kSystemSharedSince && kernel.shared >= kSystemShared)
                kernel.shared -= kSystemShared;
        }
    }

    std::map<std::string, bool> counted;
    const ElfSection* info = file.find(".nv.info");
    for (std::size_t at = 0; info && at + 4 <= info->bytes.size();) {
        const auto kind = valueAt<std::uint8_t>(info->bytes, at);
        const auto subject = valueAt<std::uint8_t>(info->bytes, at + 1);
        const std::size_t size =
            kind == kSizedValue ? valueAt<std::uint16_t>(info->bytes, at + 2) : 0;
        if (kind == kSizedValue && (subject == kRegisterCount || subject == kFrameSize)) {
            const std::string symbol = file.symbol(valueAt<std::uint32_t>(info->bytes, at + 4));
            const auto value = valueAt<std::uint32_t>(info->bytes, at + 8);
            const auto kernel = bySymbol.find(symbol);
            if (kernel != bySymbol.end()) {
                (subject == kRegisterCount ? kernel->second.registers : kernel->second.stack) =
                    value;
                counted[symbol] = counted[symbol] || subject == kRegisterCount;
            }
        }
        at += 4 + size;
    }

    std::vector<KernelNeeds> kernels;
    for (const auto& [symbol, kernel] : bySymbol) {
        if (!counted[symbol])
            throw std::runtime_error("nothing says how many registers " + kernel.name + " takes");
        kernels.push_back(kernel);
    }
    return kernels;
}

std::vector<KernelLimit> readLimits(const std::filesystem::path& file) {
    std::ifstream input(file);
    if (!input) throw std::runtime_error(file.string() + " cannot be read");
    std::vector<KernelLimit> limits;
    std::string line;
    for (int number = 1; std::getline(input, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        KernelLimit limit;
        if (!(words >> limit.name)) continue;
        std::string architecture;
        std::string rest;
        words >> architecture;
        if (architecture != "all") {
            std::istringstream digits(architecture);
            digits >> limit.architecture;
        }
        if (!(words >> limit.registers >> limit.stack >> limit.shared) || words >> rest ||
            (architecture != "all" && limit.architecture <= 0))
            throw std::runtime_error(
                fmt::format("{}: line {}: not NAME ARCHITECTURE REGISTERS STACK SHARED",
                            file.string(), number));
        limits.push_back(limit);
    }
    return limits;
}

const KernelLimit* limitOf(std::span<const KernelLimit> limits, const KernelNeeds& kernel) {
    const KernelLimit* best = nullptr;
    for (const KernelLimit& limit : limits) {
        if (!matches(limit.name, kernel.name)) continue;
        if (limit.architecture != 0 && limit.architecture != kernel.architecture) continue;
        if (!best || limit.name.size() > best->name.size() ||
            (limit.name.size() == best->name.size() && limit.architecture != 0))
            best = &limit;
    }
    return best;
}

std::string complaint(std::span<const KernelLimit> limits, const KernelNeeds& kernel) {
    const std::string needs = fmt::format("{} registers, {} bytes of stack and {} of static shared",
                                          kernel.registers, kernel.stack, kernel.shared);
    const std::string subject =
        fmt::format("{} on {}.{}", kernel.name, kernel.architecture / 10, kernel.architecture % 10);
    const KernelLimit* limit = limitOf(limits, kernel);
    if (!limit)
        return fmt::format(
            "{} takes {}, and limits.txt does not know it. Add the line\n{} all {} "
            "{} {}",
            subject, needs, kernel.name, kernel.registers, kernel.stack, kernel.shared);
    if (kernel.registers <= limit->registers && kernel.stack <= limit->stack &&
        kernel.shared <= limit->shared)
        return {};
    return fmt::format("{} takes {}; limits.txt allows {}, {} and {}", subject, needs,
                       limit->registers, limit->stack, limit->shared);
}

}  // namespace threefold::cuda
