#pragma once

#include <stop_token>

#include "engine/web_page/web_page.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/shown_document.h"

namespace threefold::ui {

/// Makes a page of the document's meshes, with the values, colours and range of the document's
/// quantity, and with the meshes' textures and measures as far as these are known; without
/// photographs. The page has no results if there are no meshes. GUI thread only.
WebPage webPageOf(const ShownDocument& source, const MeasuredMeshes& measured);

/// Adds the photographs of a result to the page of a document, at most 24: the network's views,
/// then the fit's. Leaves out photographs that cannot be read. The page must have a result. Throws
/// Cancelled.
void addPhotographs(WebPage& page, const Result& result, const std::stop_token& cancel);

}  // namespace threefold::ui
