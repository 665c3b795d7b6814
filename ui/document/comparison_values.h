#pragma once

#include <map>
#include <set>

#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

/// The values of the opened meshes, which may be large: computed on the thread pool on first use
/// and kept while mesh and truth stay. A child of its document. For the window's thread.
class ComparisonValues : public QObject {
    Q_OBJECT

  public:
    explicit ComparisonValues(Document& document);

    /// Without values but with a reason while they are being computed.
    SurfaceValues values(MeshId id, Quantity quantity) const;
    /// Whether an opened mesh has such values, or will.
    bool possible(Quantity quantity) const;
    bool busy() const { return running_ > 0; }

  Q_SIGNALS:
    /// More values are ready.
    void changed();

  private:
    using Of = std::pair<render::SceneMeshRef, Quantity>;

    QString reasonAgainst(const OpenedMeshRef& opened, Quantity quantity) const;
    void forget();
    void compute();

    Document& document_;
    render::SceneMeshRef truth_;  ///< that the known values are of
    std::map<Of, SurfaceValues> known_;
    std::set<Of> asked_;
    NewestRequest truths_;  ///< stopped when the truth changes
    std::stop_token current_ = truths_.start();
    int running_ = 0;
};

}  // namespace threefold::ui
