#include "ui/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Static libraries have to be asked for their resources, outside of any namespace.
static void initialiseResources() {
    Q_INIT_RESOURCE(icons);
}

namespace threefold::ui {
namespace {

QIcon draw(const QString& name, const QColor& colour, std::initializer_list<int> sides) {
    initialiseResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QIcon result;
    for (const int side : sides) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        result.addPixmap(pixmap);
    }
    return result;
}

}  // namespace

QIcon icon(const QString& name, const QColor& colour) {
    return draw(name, colour, {16, 24, 32, 48});
}

QIcon applicationIcon() {
    return draw(QStringLiteral("threefold"), Qt::black, {16, 32, 48, 64, 128, 256});
}

}  // namespace threefold::ui
