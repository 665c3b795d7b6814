#pragma once

namespace threefold::ui {

class Document;
class InputModel;

/// Gives bundled samples the panes of their layout. Keeps panes that the user chose; drops a layout
/// when another sample is opened.
void addSampleLayouts(Document& document, InputModel& input);

}  // namespace threefold::ui
