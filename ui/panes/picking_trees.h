#pragma once

#include <map>
#include <memory>
#include <set>

#include <QObject>

#include "ui/document/document.h"
#include "ui/panes/picking.h"

namespace threefold::ui {

using PickTreeRef = std::shared_ptr<const PickTree>;

/// The pick trees of the meshes that stand in the panes: made on the thread pool when first asked
/// for, forgotten with their meshes. Of the window's thread.
class PickTrees : public QObject {
    Q_OBJECT

  public:
    PickTrees(const Document& document, QObject* parent);

    /// Null as long as it is being made; ready() tells.
    PickTreeRef find(const render::SceneMeshRef& mesh);

  Q_SIGNALS:
    void ready();

  private:
    void forget();

    const Document& document_;
    std::map<render::SceneMeshRef, PickTreeRef> trees_;
    std::set<render::SceneMeshRef> making_;
};

}  // namespace threefold::ui
