#include <algorithm>
#include <new>

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSvgGenerator>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "ui/figure/figure_sheet.h"

namespace threefold::ui {
namespace {

constexpr double kUnitsPerInch = 96;

QString endingOf(const std::filesystem::path& file) {
    return QString::fromStdString(file.extension().string()).toLower();
}

// Qt writes the time of day, in as many bytes as the time zone takes, and from 6.8 on random
// identifiers. What stood behind the time moves ahead in the file's table of places.
QByteArray withoutDate(QByteArray pdf) {
    static const QRegularExpression kPlace(QStringLiteral("\\d{10}(?= 00000 n)")),
        kTable(QStringLiteral("(?<=startxref\n)\\d+")),
        kIdentifiers(QStringLiteral("/ID \\[[^\\]]*\\]\\s*"));
    const qsizetype date = pdf.indexOf("/CreationDate ("), table = pdf.lastIndexOf("\nxref\n") + 1;
    if (date < 0 || table <= date) return pdf;
    const qsizetype length = pdf.indexOf(')', date) + 1 - date;
    QString end = QString::fromLatin1(pdf.mid(table)).remove(kIdentifiers);
    for (auto places = kPlace.globalMatch(end); places.hasNext();) {
        const auto place = places.next();
        const qlonglong at = place.captured().toLongLong();
        end.replace(place.capturedStart(), place.capturedLength(),
                    QStringLiteral("%1").arg(at > date ? at - length : at, 10, 10, QChar(u'0')));
    }
    end.replace(kTable, QString::number(table - length));
    return pdf.left(table).remove(date, length) + end.toLatin1();
}

void paintOn(QPaintDevice& device, const LaidOutSheet& sheet, double ratio) {
    QPainter painter(&device);
    painter.scale(ratio, ratio);
    sheet.paint(painter);
}

void writePdf(QBuffer& file, const LaidOutSheet& sheet) {
    constexpr int kDpi = 1200;
    // Fonts are written in the order of a hash table.
    QHashSeed::setDeterministicGlobalSeed();
    const auto random = qScopeGuard(&QHashSeed::resetRandomGlobalSeed);
    const QSizeF inches = sheet.size / kUnitsPerInch;
    QPdfWriter writer(&file);
    writer.setResolution(kDpi);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(inches, QPageSize::Inch, {}, QPageSize::ExactMatch));
    paintOn(writer, sheet, kDpi / kUnitsPerInch);
}

void writeSvg(QBuffer& file, const LaidOutSheet& sheet) {
    constexpr int kFiner = 10;  // the size in the file is a whole number of these parts of a unit
    QSvgGenerator writer;
    writer.setOutputDevice(&file);
    writer.setTitle(QStringLiteral("Threefold"));
    writer.setDescription({});
    writer.setResolution(qRound(kFiner * kUnitsPerInch));
    writer.setSize((kFiner * sheet.size).toSize());
    writer.setViewBox(QRectF({}, sheet.size));
    paintOn(writer, sheet, 1);
}

void writePng(QBuffer& file, const LaidOutSheet& sheet, int dpi) {
    constexpr int kMostPixels = 32'000;  // that a painter takes
    const QSize size = (dpi / kUnitsPerInch * sheet.size).toSize();
    if (std::max(size.width(), size.height()) > kMostPixels)
        throw InputError({"figure", "", "has more than 32 000 pixels on a side",
                          "Choose fewer objects, a smaller width, fewer dots per inch, or PDF."});
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) throw std::bad_alloc();
    image.fill(Qt::transparent);
    paintOn(image, sheet, dpi / kUnitsPerInch);
    image.setDotsPerMeterX(qRound(dpi / 0.0254));
    image.setDotsPerMeterY(qRound(dpi / 0.0254));
    image.save(&file, "PNG");
}

}  // namespace

void requireFigureFile(const std::filesystem::path& file) {
    if (QStringList{".pdf", ".svg", ".png"}.contains(endingOf(file))) return;
    throw UsageError(
        {file.string(), "", "has not the ending of a figure", "Use .pdf, .svg or .png."});
}

void writeFigure(const FigureSheet& sheet, const std::filesystem::path& file,
                 const std::stop_token& cancel) {
    requireFigureFile(file);
    const render::Instance instance({});
    const render::Device device(instance);
    const LaidOutSheet laidOut = layOut(sheet, device, cancel);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    const QString ending = endingOf(file);
    if (ending == QLatin1String(".pdf"))
        writePdf(buffer, laidOut);
    else if (ending == QLatin1String(".svg"))
        writeSvg(buffer, laidOut);
    else
        writePng(buffer, laidOut, sheet.dpi);
    writeFileWhole(file, withoutDate(buffer.data()).toStdString());
}

}  // namespace threefold::ui
