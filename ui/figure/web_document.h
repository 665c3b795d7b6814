#pragma once

#include <stop_token>

#include "engine/web_page/web_page.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/shown_document.h"

namespace threefold::ui {

/// The document's meshes for a page, with the values, colours and range of its quantity, their
/// textures and measures as far as these are known; without photographs. The page has no
/// results if nothing is shown. GUI thread only.
WebPage webPageOf(const ShownDocument& source, const MeasuredMeshes& measured);

/// Adds the photographs of a result to the page of a document: the network's views, then the fit's.
/// Leaves out photographs that cannot be read. Throws Cancelled.
void addPhotographs(WebPage& page, const Result& result, const std::stop_token& cancel);

}  // namespace threefold::ui
