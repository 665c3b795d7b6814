#pragma once

#include <vector>

#include <QImage>

#include "ui/document/document.h"
#include "ui/document/input_state.h"

namespace threefold::ui {

/// A result that can be shown again at once.
struct KeptResult {
    ResultRef result;
    bool pinned = false;
    QImage picture;  ///< null: not drawn
};

/// The last results that the document showed, in the order in which they came: for undo, and for a
/// list of them. Beyond `kMost` the oldest go; pinned ones and the shown one stay. A result before
/// its fit and after it counts once. For the window's thread.
class KeptResults : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMost = 16;
    static constexpr std::size_t kMostPinned = 8;

    explicit KeptResults(Document& document);

    const std::vector<KeptResult>& all() const { return all_; }  ///< oldest first
    /// The newest of the same views through the same cameras, measured against the same truth; null
    /// where there is none.
    ResultRef find(const InputState& state) const;

    /// False: as many as possible are pinned.
    bool setPinned(const ResultRef& result, bool pinned);
    void remove(const ResultRef& result);
    void setPicture(const ResultRef& result, const QImage& picture);

  Q_SIGNALS:
    void changed();

  private:
    void keep();
    KeptResult* entryOf(const ResultRef& result);

    Document& document_;
    std::vector<KeptResult> all_;
};

}  // namespace threefold::ui
