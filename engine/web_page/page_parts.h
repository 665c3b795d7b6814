#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/web_page/web_page.h"

/// Parts that pages share with the reports of list runs.
namespace threefold {

/// Colours of the window's themes as variables of CSS, and the viewer's style.
std::string_view viewerStyle();
/// JavaScript that defines `makeViewer(root, colours)`, which shows results of resultJson().
std::string_view viewerScript();
/// JavaScript that defines `resultDialog`, which opens the results of ResultDialog. Must follow
/// viewerScript() in the page.
std::string_view dialogScript();

/// Dialog in which a report shows results, all in one colour range.
class ResultDialog {
  public:
    /// Adds a result under an id, by which the report's script opens the result: letters, digits
    /// and hyphens. Throws as webPageHtml().
    void add(std::string_view id, const WebResult& result);

    /// HTML of the dialog; empty without results. `measures`: the measures of WebMesh::numbers.
    std::string html(const std::vector<WebMeasure>& measures) const;

  private:
    std::string results_;
    std::vector<WebResult> values_;  ///< the results' values alone, for the colour range
};

/// The data of one result for `Viewer.show()`. Throws as webPageHtml().
nlohmann::ordered_json resultJson(const WebResult& result);
/// The data of a page's colours and measures for `makeViewer()`.
nlohmann::ordered_json viewerJson(const WebColourScale& valueColours,
                                  const WebColourScale& differenceColours,
                                  const std::vector<WebMeasure>& measures);

/// Escapes JSON for a script element, so that it can neither end the element nor open a comment.
std::string escapeForScript(std::string_view json);
/// Content of a Content-Security-Policy that permits this style, this script, pictures as data:
/// URIs, and nothing else. `style`, `script`: the whole text between the tags. Empty `style`:
/// permits any style in the page, for style attributes.
std::string contentSecurityPolicy(std::string_view style, std::string_view script);
/// `page` with each {{name}} replaced by its text; braces in the texts stay. Throws
/// std::logic_error for a placeholder without a text, or without an end.
std::string fillTemplate(std::string_view page,
                         const std::vector<std::pair<std::string_view, std::string_view>>& texts);
/// A picture as a data: URI: lossless, or as WebP where `quality` (1…100) is above 0.
std::string pictureUri(const Image& picture, int quality = 0);

}  // namespace threefold
