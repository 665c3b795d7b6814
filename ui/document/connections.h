#pragma once

#include <QObject>

namespace threefold::ui {

/// Connects each of these signals of one sender to `slot` of `receiver`.
template <class Sender, class Receiver, class Slot, class... Signals>
void connectAll(const Sender* sender, Receiver* receiver, Slot slot, Signals... sources) {
    (QObject::connect(sender, sources, receiver, slot), ...);
}

/// Connects the signal `changed` of each of these models to `slot` of `receiver`.
template <class Receiver, class Slot, class... Models>
void connectChanged(Receiver* receiver, Slot slot, const Models&... models) {
    (QObject::connect(&models, &Models::changed, receiver, slot), ...);
}

}  // namespace threefold::ui
