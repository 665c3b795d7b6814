#pragma once

#include <map>
#include <memory>
#include <optional>

#include <QComboBox>
#include <QGridLayout>
#include <QWidget>

#include "engine/geometry/mesh_properties.h"
#include "ui/document/document.h"
#include "ui/style/label_grid.h"

namespace threefold::ui {

/// Shows counts, size, area and topology of an opened mesh; of several meshes, the user chooses one
/// in a list. Hidden while there is a result. Large meshes are measured on the thread pool.
class MeshFacts : public QWidget {
    Q_OBJECT

  public:
    explicit MeshFacts(Document& document, QWidget* parent = nullptr);

    /// The value of a line, such as "Area"; "…" while the value is computed, empty if there is no
    /// such line.
    QString value(const QString& line) const;

  private:
    using Known = std::shared_ptr<const MeshProperties>;  ///< null: being computed

    void updateFromDocument();
    void refresh();
    render::SceneMeshRef chosenMesh() const;
    void request(const render::SceneMeshRef& mesh);
    void addLine(const QString& name, const QString& value, const QString& note = {});
    QLabel* makeCell(int column);

    Document& document_;
    QComboBox* choice_;
    QGridLayout* grid_;
    LabelGrid cells_;
    QVariant chosen_;  // MeshId::name() of the mesh that the user chose; else the first is shown
    int lines_ = 0;
    std::map<std::weak_ptr<const render::SceneMesh>, Known, std::owner_less<>> known_;
};

}  // namespace threefold::ui
