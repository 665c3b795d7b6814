#pragma once

#include <optional>
#include <vector>

#include <QImage>

#include "ui/document/document.h"
#include "ui/document/input_state.h"

namespace threefold::ui {

/// A result kept in memory, to be shown again at once.
struct HistoryEntry {
    ResultRef result;
    bool pinned = false;
    std::optional<QImage> thumbnail;  ///< nullopt: not drawn yet; null: cannot be drawn
};

/// The last results that the document showed, oldest first, for undo and for the list of results.
/// Beyond kMaxResults, the oldest result that is neither pinned nor shown is dropped. A result
/// before and after its fit counts once; fits of one result with different choices count once each.
/// GUI thread only.
class ResultHistory : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMaxResults = 16;
    static constexpr std::size_t kMaxPinned = 8;

    explicit ResultHistory(Document& document);

    const std::vector<HistoryEntry>& entries() const { return results_; }  ///< oldest first
    /// The newest result of this state's images, views, cameras and truth; null if there is none.
    ResultRef find(const InputState& state) const;

    /// Pins or unpins a result. False if kMaxPinned are pinned already.
    bool setPinned(const ResultRef& result, bool pinned);
    void remove(const ResultRef& result);
    /// Sets the result's thumbnail; null: it cannot be drawn.
    void setThumbnail(const ResultRef& result, const QImage& thumbnail);

  Q_SIGNALS:
    void changed();

  private:
    void addShown();
    HistoryEntry* entryOf(const ResultRef& result);

    Document& document_;
    std::vector<HistoryEntry> results_;
};

}  // namespace threefold::ui
