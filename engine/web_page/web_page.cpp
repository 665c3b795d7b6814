#include "engine/web_page/web_page.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/json_text.h"
#include "engine/order_statistics.h"
#include "engine/text.h"
#include "engine/web_page/page_parts.h"

namespace threefold {
namespace {

constexpr std::string_view kPageTemplate =
#include <web_page/page.html.inc>
    ;
constexpr std::string_view kPageScript =
#include <web_page/page.js.inc>
    ;

constexpr double kRangePercentile = 0.99;  // the window's default, Look::percentile

void requireValidNumbers(const WebPage& page) {
    for (const WebResult& result : page.results)
        for (const WebMesh& mesh : result.meshes)
            if (!mesh.numbers.empty() && mesh.numbers.size() != page.measures.size())
                throw InputError(
                    {mesh.name, "numbers",
                     fmt::format("{} for {} measures", mesh.numbers.size(), page.measures.size()),
                     ""});
}

std::string stillOf(const WebResult& result) {
    std::string text = "<figure class=\"still\">";
    if (result.fallbackPicture.isComplete())
        text += fmt::format("<img alt=\"\" src=\"{}\">", pictureUri(result.fallbackPicture));
    return text + fmt::format("<figcaption>{}</figcaption></figure>\n", escapeHtml(result.name));
}

std::string dataOf(const WebResult& result) {
    return "<script type=\"application/json\" class=\"result\">" +
           escapeForScript(dumpJson(resultJson(result))) + "</script>\n";
}

}  // namespace

WebColourScale withSharedRange(WebColourScale colours, std::span<const WebResult> results) {
    std::vector<std::vector<float>> sorted;
    const auto add = [&](bool primaryOnly) {
        for (const WebResult& result : results)
            for (const WebMesh& mesh : result.meshes) {
                if (mesh.values.empty() || mesh.maxShownDistance > 0 ||
                    (primaryOnly && !mesh.definesViewAndRange))
                    continue;
                std::vector<float>& values = sorted.emplace_back();
                std::ranges::copy_if(mesh.values, std::back_inserter(values),
                                     [](float value) { return std::isfinite(value); });
                std::ranges::sort(values);
                if (values.empty()) sorted.pop_back();
            }
    };
    add(true);
    if (sorted.empty()) add(false);
    if (sorted.empty()) return colours;
    std::vector<const std::vector<float>*> lists;
    for (const std::vector<float>& values : sorted) lists.push_back(&values);
    colours.min = std::min(0.0F, quantileOfSorted(lists, 1 - kRangePercentile));
    colours.max = quantileOfSorted(lists, kRangePercentile);
    if (!(colours.max > colours.min)) colours.max = colours.min + 1e-6F;
    return colours;
}

WebColourScale withSharedDifference(std::span<const WebResult> results) {
    std::vector<std::vector<float>> sorted;
    for (const WebResult& result : results)
        for (const WebMesh& mesh : result.meshes) {
            if (mesh.differences.empty()) continue;
            std::vector<float>& sizes = sorted.emplace_back();
            for (const float value : mesh.differences)
                if (std::isfinite(value)) sizes.push_back(std::abs(value));
            std::ranges::sort(sizes);
        }
    std::vector<const std::vector<float>*> lists;
    for (const std::vector<float>& sizes : sorted) lists.push_back(&sizes);
    WebColourScale colours{.caption = "Distance to truth, B − A: blue where B is nearer"};
    if (!lists.empty()) colours.max = std::max(quantileOfSorted(lists, kRangePercentile), 1e-6F);
    colours.min = -colours.max;
    return colours;
}

std::string webSubtitle(std::string_view version) {
    return fmt::format("Threefold {} · {:%Y-%m-%d}", version, fmt::gmtime(std::time(nullptr)));
}

std::string webPageHtml(const WebPage& page) {
    requireValidNumbers(page);
    const std::string script = std::string(viewerScript()) + std::string(kPageScript);
    std::string stills, results;
    for (const WebResult& result : page.results) {
        stills += stillOf(result);
        results += dataOf(result);
    }
    nlohmann::ordered_json data =
        viewerJson(page.colours, withSharedDifference(page.results), page.measures);
    data["names"] = jsonArray(page.results, [](const WebResult& result) { return result.name; });
    const std::string dataText = escapeForScript(dumpJson(data));
    const std::string title = escapeHtml(page.title);
    const std::string subtitle = escapeHtml(page.subtitle);
    const bool hasPictures = std::ranges::any_of(
        page.results, [](const WebResult& result) { return result.fallbackPicture.isComplete(); });
    const std::string_view pictures = hasPictures ? ": here are pictures of them" : "";
    const std::string policy = contentSecurityPolicy(viewerStyle(), script);
    return fillTemplate(kPageTemplate, {{"policy", policy},
                                        {"title", title},
                                        {"subtitle", subtitle},
                                        {"style", viewerStyle()},
                                        {"pictures", pictures},
                                        {"stills", stills},
                                        {"data", dataText},
                                        {"results", results},
                                        {"script", script}});
}

}  // namespace threefold
