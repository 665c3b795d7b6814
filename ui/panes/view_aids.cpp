#include <array>
#include <cstddef>

#include <QAction>
#include <QCoreApplication>

#include "ui/document/document.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {
namespace {

// Commands for what helps to read the panes: axes, ground, the backs of faces.
class ViewAids : public QObject {
    Q_DECLARE_TR_FUNCTIONS(ViewAids)

  public:
    explicit ViewAids(const WindowParts& parts)
        : QObject(&parts.window), document_(parts.document) {
        add(0, parts, tr("A&xes"), Qt::SHIFT | Qt::Key_X,
            tr("The directions of x, y and z in the corner of each pane"), &Look::axes);
        add(1, parts, tr("&Ground grid"), Qt::SHIFT | Qt::Key_G,
            tr("A grid below the meshes, in the plane of x and z"), &Look::ground);
        add(2, parts, tr("Tint &back faces"), Qt::SHIFT | Qt::Key_B,
            tr("Faces seen from behind are orange: holes and faces turned inside out show"),
            &Look::backfaces);
        connect(&document_, &Document::lookChanged, this, &ViewAids::follow);
        follow();
    }

  private:
    void add(std::size_t index, const WindowParts& parts, const QString& text,
             const QKeySequence& keys, const QString& tooltip, bool Look::*field) {
        QAction* action = parts.actions.add(MenuName::look, text, keys, tooltip);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, field](bool on) {
            document_.changeLook([&](Look& look) { look.*field = on; });
        });
        actions_[index] = {action, field};
    }

    void follow() {
        for (const auto& [action, field] : actions_) action->setChecked(document_.look().*field);
    }

    struct Aid {
        QAction* action = nullptr;
        bool Look::*field = nullptr;
    };
    Document& document_;
    std::array<Aid, 3> actions_;
};

}  // namespace

void addViewAids(const WindowParts& parts) {
    new ViewAids(parts);
}

}  // namespace threefold::ui
