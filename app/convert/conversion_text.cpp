#include "app/convert/conversion_text.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "engine/text_table.h"

namespace threefold {
namespace {

using Outcome = ConvertedTensor::Outcome;

/// From this many on, left-over tensors of one kind are one line.
constexpr std::size_t kMany = 4;

std::string outcomeText(Outcome outcome) {
    constexpr const char* kNames[] = {"matched", "missing", "left over", "wrong shape",
                                      "not finite"};
    return kNames[static_cast<std::size_t>(outcome)];
}

/// "stage1.cnn" of "stage1.cnn.conv1.weight": matched tensors are counted by this.
std::string partOf(const std::string& name) {
    const std::size_t stage = name.find('.');
    if (stage == std::string::npos) return name;
    return name.substr(0, name.find('.', stage + 1));
}

/// What left-over tensors have in common: their stage and the last part of their names, so that an
/// optimiser's slots, one beside each weight, are of one kind: "stage1.*/Adam".
std::string kindOf(const std::string& name) {
    const std::size_t stage = name.find('.');
    const std::size_t last = name.find_last_of("/.");
    if (stage == std::string::npos || last == stage) return name;
    return fmt::format("{}*{}", name.substr(0, stage + 1), name.substr(last));
}

}  // namespace

std::string reportText(const ConvertReport& report) {
    std::map<std::string, std::size_t> matched;
    std::map<std::string, std::vector<const ConvertedTensor*>> leftOver;
    using enum Table::Align;
    Table table({left, left, left, left});
    for (const ConvertedTensor& tensor : report.tensors) {
        if (tensor.outcome == Outcome::matched) {
            ++matched[partOf(tensor.name)];
        } else if (tensor.outcome == Outcome::leftOver) {
            leftOver[kindOf(tensor.name)].push_back(&tensor);
        } else {
            table.add({outcomeText(tensor.outcome), tensor.name,
                       tensor.found.empty() ? "" : "found " + tensor.found,
                       "expected " + tensor.expected});
        }
    }
    for (const auto& [kind, tensors] : leftOver) {
        if (tensors.size() >= kMany) {
            table.add({outcomeText(Outcome::leftOver), kind,
                       fmt::format("{} tensors, such as {}", tensors.size(), tensors[0]->name),
                       ""});
            continue;
        }
        for (const ConvertedTensor* tensor : tensors)
            table.add({outcomeText(Outcome::leftOver), tensor->name, "found " + tensor->found, ""});
    }
    std::string text;
    for (const auto& [part, count] : matched)
        text += fmt::format("matched  {}: {} tensor{}\n", part, count, count == 1 ? "" : "s");
    return text + table.text();
}

}  // namespace threefold
