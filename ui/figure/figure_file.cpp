#include <algorithm>
#include <cmath>
#include <new>

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QSvgGenerator>

#include <fmt/format.h>
#include <glm/gtc/constants.hpp>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image_writers.h"
#include "ui/figure/figure_page.h"

namespace threefold::ui {
namespace {

QString extensionOf(const std::filesystem::path& file) {
    return QString::fromStdString(file.extension().string()).toLower();
}

// Removes creation date and identifiers, so that equal pages give equal bytes: Qt writes the time
// with a time zone of varying length and, from 6.8 on, random identifiers. In the cross-reference
// table, the offsets of objects after the date decrease accordingly.
QByteArray withoutDate(QByteArray pdf) {
    static const QRegularExpression kOffset(QStringLiteral("\\d{10}(?= 00000 n)")),
        kTableOffset(QStringLiteral("(?<=startxref\n)\\d+")),
        kIdentifiers(QStringLiteral("/ID \\[[^\\]]*\\]\\s*"));
    const qsizetype date = pdf.indexOf("/CreationDate ("), table = pdf.lastIndexOf("\nxref\n") + 1;
    if (date < 0 || table <= date) return pdf;
    const qsizetype length = pdf.indexOf(')', date) + 1 - date;
    QString end = QString::fromLatin1(pdf.mid(table)).remove(kIdentifiers);
    for (auto offsets = kOffset.globalMatch(end); offsets.hasNext();) {
        const auto match = offsets.next();
        const qlonglong offset = match.captured().toLongLong();
        end.replace(match.capturedStart(), match.capturedLength(),
                    QStringLiteral("%1").arg(offset > date ? offset - length : offset, 10, 10,
                                             QChar(u'0')));
    }
    end.replace(kTableOffset, QString::number(table - length));
    return pdf.left(table).remove(date, length) + end.toLatin1();
}

void paintOn(QPaintDevice& device, const LaidOutPage& page, double ratio) {
    QPainter painter(&device);
    painter.scale(ratio, ratio);
    page.paint(painter);
}

void writePdf(QBuffer& file, const LaidOutPage& page) {
    constexpr int kDpi = 1200;
    // Qt writes fonts in the order of a hash table.
    QHashSeed::setDeterministicGlobalSeed();
    const auto restoreRandomSeed = qScopeGuard(&QHashSeed::resetRandomGlobalSeed);
    const QSizeF inches = page.size() / kUnitsPerInch;
    QPdfWriter writer(&file);
    writer.setResolution(kDpi);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(inches, QPageSize::Inch, {}, QPageSize::ExactMatch));
    paintOn(writer, page, kDpi / kUnitsPerInch);
}

void writeSvg(QBuffer& file, const LaidOutPage& page) {
    constexpr int kSubunits = 10;  // of a page unit; the file's size is a whole number of subunits
    QSvgGenerator writer;
    writer.setOutputDevice(&file);
    writer.setTitle(QStringLiteral("Threefold"));
    writer.setDescription({});
    writer.setResolution(qRound(kSubunits * kUnitsPerInch));
    writer.setSize((kSubunits * page.size()).toSize());
    writer.setViewBox(QRectF({}, page.size()));
    paintOn(writer, page, 1);
}

/// Size of the page in pixels. Throws InputError, before memory is allocated, if a side exceeds
/// `maxSide`.
QSize pixelsOf(const LaidOutPage& page, int dpi, int maxSide) {
    const QSizeF size = dpi / kUnitsPerInch * page.size();
    const double longer = std::max(size.width(), size.height());
    if (longer > maxSide) {
        const double fraction = maxSide / longer;
        throw InputError(
            {"figure", "",
             fmt::format("has {:.0f} × {:.0f} pixels, more than {} on a side", size.width(),
                         size.height(), maxSide),
             fmt::format(
                 "Choose a width of {:.0f} mm, {:.0f} dots per inch, fewer objects, or "
                 "PDF.",
                 std::floor(fraction * page.size().width() / kUnitsPerInch * kMillimetresPerInch),
                 std::floor(fraction * dpi))});
    }
    return size.toSize();
}

QImage imageOf(const LaidOutPage& page, int dpi) {
    constexpr int kMaxSide = 16'384;  // of a video, pixels
    QImage image(pixelsOf(page, dpi, kMaxSide), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) throw std::bad_alloc();
    image.fill(Qt::transparent);
    paintOn(image, page, dpi / kUnitsPerInch);
    return image;
}

constexpr int kMaxPngSide = 32'000;  // limit of QPainter

/// Pixel rows of a PNG that are in memory at once.
int bandRowsOf(QSize size) {
    constexpr int kBandPixels = 1 << 24;
    return std::max(1, kBandPixels / size.width());
}

int bandCountOf(const LaidOutPage& page, int dpi) {
    const QSize size = pixelsOf(page, dpi, kMaxPngSide);
    const int rows = bandRowsOf(size);
    return (size.height() + rows - 1) / rows;
}

/// Draws the PNG in bands, so that little more than the file is in memory.
std::vector<std::byte> pngOf(const LaidOutPage& page, int dpi) {
    const double ratio = dpi / kUnitsPerInch;
    const QSize size = pixelsOf(page, dpi, kMaxPngSide);
    PngWriter png(size.width(), size.height(), qRound(dpi / kMillimetresPerInch * 1000));
    const int bandRows = bandRowsOf(size);
    for (int top = 0; top < size.height(); top += bandRows) {
        const int rows = std::min(bandRows, size.height() - top);
        QImage band(size.width(), rows, QImage::Format_ARGB32_Premultiplied);
        if (band.isNull()) throw std::bad_alloc();
        band.fill(Qt::transparent);
        QPainter painter(&band);
        painter.translate(0, -top);
        painter.scale(ratio, ratio);
        painter.setClipRect(QRectF(0, top / ratio, size.width() / ratio, rows / ratio));
        page.paint(painter);
        painter.end();
        band.convertTo(QImage::Format_RGBA8888);
        png.addRows({band.constBits(), static_cast<std::size_t>(band.sizeInBytes())});
    }
    return png.finish();
}

using Files = std::vector<std::filesystem::path>;

Files writePictures(const FigurePage& page, LaidOutPage& laidOut, Files files) {
    laidOut.expectPaints(static_cast<int>(files.size()) * bandCountOf(laidOut, page.dpi));
    for (std::size_t i = 0; i < files.size(); ++i) {
        laidOut.turnTo(glm::two_pi<double>() * static_cast<double>(i) / page.turntableFrameCount);
        writeFileAtomically(files[i], pngOf(laidOut, page.dpi));
    }
    return files;
}

/// Video of pictures of one size, made by ffmpeg.
class FfmpegPipe {
  public:
    /// The video appears as `file` once finish() has returned.
    FfmpegPipe(QString ffmpeg, std::filesystem::path file)
        : ffmpeg_(std::move(ffmpeg)), file_(std::move(file)), video_(file_) {}

    /// Appends a picture. Throws IoError.
    void write(const QImage& drawn) {
        // Videos have no transparency, and need sides of even length.
        QImage image((drawn.width() + 1) / 2 * 2, (drawn.height() + 1) / 2 * 2,
                     QImage::Format_RGBA8888);
        image.fill(Qt::white);
        QPainter(&image).drawImage(0, 0, drawn);
        if (!isStarted_) start(image.size());
        process_.write(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes());
        while (process_.bytesToWrite() > 0)
            if (!process_.waitForBytesWritten(kTimeout))
                fail(process_.readAllStandardError() + process_.errorString());
    }
    /// Completes the video. Throws IoError.
    void finish() {
        process_.closeWriteChannel();
        if (!process_.waitForFinished(kTimeout) || process_.exitStatus() != QProcess::NormalExit ||
            process_.exitCode() != 0)
            fail(process_.readAllStandardError());
        video_.commit();
    }

  private:
    static constexpr int kTimeout = 60'000;  // milliseconds, for one picture

    void start(QSize size) {
        isStarted_ = true;
        const QString options = QStringLiteral(
                                    "-v error -y -f rawvideo -pix_fmt rgba -s %1x%2 -r 30 -i - "
                                    "-pix_fmt yuv420p -crf 20 -b:v 0 -f %3")
                                    .arg(size.width())
                                    .arg(size.height())
                                    .arg(extensionOf(file_).mid(1));
        process_.start(ffmpeg_, options.split(' ')
                                    << QString::fromStdString(video_.path().string()));
    }
    [[noreturn]] void fail(const QString& reason) {
        process_.kill();
        process_.waitForFinished();
        throw IoError({file_.string(), "", "ffmpeg: " + reason.trimmed().toStdString(),
                       "Choose .png for the frames of the turntable."});
    }

    QString ffmpeg_;
    std::filesystem::path file_;
    FileReplacement video_;
    QProcess process_;
    bool isStarted_ = false;
};

Files writeVideo(const FigurePage& page, LaidOutPage& laidOut, const std::filesystem::path& file,
                 const QString& ffmpeg) {
    FfmpegPipe video(ffmpeg, file);
    laidOut.expectPaints(page.turntableFrameCount);
    for (int i = 0; i < page.turntableFrameCount; ++i) {
        laidOut.turnTo(glm::two_pi<double>() * i / page.turntableFrameCount);
        video.write(imageOf(laidOut, page.dpi));
    }
    video.finish();
    return {file};
}

bool isVideo(const std::filesystem::path& file) {
    return QStringList{".mp4", ".webm"}.contains(extensionOf(file));
}

int pictureCountOf(const std::filesystem::path& file, int turntableFrameCount) {
    constexpr int kDefaultTurn = 120;
    return isVideo(file) && turntableFrameCount == 0 ? kDefaultTurn : turntableFrameCount;
}

/// Program that makes a video for `file`; empty: no video, or ffmpeg is not installed.
QString findVideoEncoder(const std::filesystem::path& file) {
    return isVideo(file) ? QStandardPaths::findExecutable(QStringLiteral("ffmpeg")) : QString();
}

}  // namespace

void requireFigureFile(const std::filesystem::path& file, int turntableFrameCount) {
    if (isVideo(file) || extensionOf(file) == QLatin1String(".png")) return;
    if (turntableFrameCount > 0)
        throw UsageError(
            {file.string(), "", "cannot hold an animation", "Use .mp4, .webm or .png."});
    if (QStringList{".pdf", ".svg"}.contains(extensionOf(file))) return;
    throw UsageError({file.string(), "", "does not have the extension of a figure",
                      "Use .pdf, .svg or .png, or for a video .mp4 or .webm."});
}

Files figureFiles(const std::filesystem::path& file, int turntableFrameCount) {
    const int pictures = pictureCountOf(file, turntableFrameCount);
    if (pictures == 0 || !findVideoEncoder(file).isEmpty()) return {file};
    Files files;
    for (int i = 1; i <= pictures; ++i)
        files.push_back(file.parent_path() / fmt::format("{}_{:03}.png", file.stem().string(), i));
    return files;
}

QImage figurePreview(const FigurePage& requested, int side, const FigureTask& task) {
    if (task.cancel.stop_requested()) throw Cancelled();
    FigurePage page = requested;
    const render::Instance instance({});
    const render::Device device(instance);
    // The page's height depends on the content, so a layout at low resolution finds the height.
    constexpr int kLowDpi = 20;
    page.dpi = kLowDpi;
    LaidOutPage laidOut(page, device, task);
    const QSizeF inches = laidOut.size() / kUnitsPerInch;
    page.dpi = std::max(1, static_cast<int>(side / std::max(inches.width(), inches.height())));
    laidOut.setDpi(page.dpi);
    return imageOf(laidOut, page.dpi);
}

Files writeFigure(const FigurePage& requested, const std::filesystem::path& file,
                  const FigureTask& task) {
    FigurePage page = requested;
    requireFigureFile(file, page.turntableFrameCount);
    page.turntableFrameCount = pictureCountOf(file, page.turntableFrameCount);
    const render::Instance instance({});
    const render::Device device(instance);
    LaidOutPage laidOut(page, device, task);
    if (page.turntableFrameCount > 0) {
        const QString ffmpeg = findVideoEncoder(file);
        return ffmpeg.isEmpty()
                   ? writePictures(page, laidOut, figureFiles(file, page.turntableFrameCount))
                   : writeVideo(page, laidOut, file, ffmpeg);
    }
    const QString extension = extensionOf(file);
    if (extension == QLatin1String(".png")) {
        laidOut.expectPaints(bandCountOf(laidOut, page.dpi));
        writeFileAtomically(file, pngOf(laidOut, page.dpi));
        return {file};
    }
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    extension == QLatin1String(".pdf") ? writePdf(buffer, laidOut) : writeSvg(buffer, laidOut);
    writeFileAtomically(file, withoutDate(buffer.data()).toStdString());
    return {file};
}

}  // namespace threefold::ui
