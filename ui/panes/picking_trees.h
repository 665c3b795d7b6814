#pragma once

#include <map>
#include <memory>
#include <stop_token>

#include <QObject>

#include "ui/document/document.h"
#include "ui/panes/picking.h"

namespace threefold::ui {

using PickTreeRef = std::shared_ptr<const PickTree>;

/// The pick trees of the meshes that stand in the panes: made on the thread pool when first asked
/// for; once their mesh is replaced, forgotten, and not made any further. Of the window's thread.
class PickTrees : public QObject {
    Q_OBJECT

  public:
    PickTrees(const Document& document, QObject* parent);
    ~PickTrees() override;

    /// Null as long as it is being made; ready() tells.
    PickTreeRef find(const render::SceneMeshRef& mesh);

  Q_SIGNALS:
    void ready();

  private:
    void forget();

    const Document& document_;
    std::map<render::SceneMeshRef, PickTreeRef> trees_;
    std::map<render::SceneMeshRef, std::stop_source> making_;
};

}  // namespace threefold::ui
