#pragma once

namespace threefold::ui {

class Document;
class InputModel;

/// Gives bundled samples the panes of their layout. Panes that the user chose stay; a layout goes
/// with its sample.
void addSampleLayouts(Document& document, InputModel& input);

}  // namespace threefold::ui
