#pragma once

namespace threefold::ui {

/// Looking at the object along an axis of ShapeNet's world (y up).
enum class StandardView { front, right, top, back, left, bottom };

}  // namespace threefold::ui
