#include "ui/style/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Resources of a static library must be initialised, outside of any namespace.
static void initialiseResources() {
    Q_INIT_RESOURCE(icons);
}

namespace threefold::ui {
namespace {

void draw(QIcon& result, const QString& name, const QColor& colour, QIcon::Mode mode,
          std::initializer_list<int> sides) {
    initialiseResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return;
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    for (const int side : sides) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        result.addPixmap(pixmap, mode);
    }
}

}  // namespace

QIcon icon(const QString& name, const QColor& colour, const QColor& disabled) {
    QIcon result;
    draw(result, name, colour, QIcon::Normal, {16, 24, 32, 48});
    draw(result, name, disabled, QIcon::Disabled, {16, 24, 32, 48});
    return result;
}

QIcon applicationIcon() {
    QIcon result;
    draw(result, QStringLiteral("threefold"), Qt::black, QIcon::Normal, {16, 32, 48, 64, 128, 256});
    return result;
}

}  // namespace threefold::ui
