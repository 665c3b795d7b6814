#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QPainter>
#include <QPointer>
#include <QProcess>
#include <QTest>
#include <QToolButton>
#include <QXmlStreamReader>

#include "engine/error.h"
#include "engine/network/cpu_backend.h"
#include "tests/support/models.h"
#include "tests/ui/test_sample.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/result_history.h"
#include "ui/document/single_thread_pool.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/figure_dialog.h"
#include "ui/figure/figure_page.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string bytesOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Contents of the <text> elements of an SVG file.
std::vector<std::string> textsIn(const fs::path& svg) {
    QXmlStreamReader xml(QByteArray::fromStdString(bytesOf(svg)));
    std::vector<std::string> texts;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"text")
            texts.push_back(xml.readElementText().toStdString());
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return texts;
}

QString nameOf(const fs::path& file) {
    return QString::fromStdString(file.string());
}

ResultRef made(const SampleRef& sample) {
    return makeResult(sample, kPublishedViews, test::fakeReconstruction());
}

class Figures : public test::WindowTest {
  protected:
    fs::path write(const FigurePage& page, const std::string& name) {
        const fs::path file = folder() / name;
        writeFigure(page, file);
        return file;
    }
    fs::path exported(const std::string& name) {
        const fs::path file = folder() / name;
        trigger("Export figure…");
        FigureDialog* figure = window().findChild<FigureDialog*>();
        EXPECT_TRUE(figure != nullptr && QTest::qWaitForWindowExposed(figure));
        QTest::mouseClick(&child<QPushButton>(*figure, "save"), Qt::LeftButton);
        const QPointer<QFileDialog> dialog(figure->findChild<QFileDialog*>());
        EXPECT_TRUE(!dialog.isNull() && QTest::qWaitForWindowExposed(dialog));
        auto* field = dialog->findChild<QLineEdit*>("fileNameEdit");
        field->setText(nameOf(file));
        QTest::keyClick(field, Qt::Key_Return);
        EXPECT_TRUE(waitUntil([&] {
            return dialog.isNull() && (fs::exists(file) || window().banner().isVisible());
        }));
        return file;
    }
};

TEST_F(Figures, areTheSameBytes_fromTheWindowAndFromResultsMadeElsewhere) {
    EXPECT_FALSE(action("Export figure…")->isEnabled());
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(open(test::bundledSampleFolder("02958343")));
    const FigurePage page{{{made(test::bundledSample())},
                           {made(std::make_shared<const Sample>(
                               findSample(test::bundledSampleFolder("02958343"))))}}};
    for (const std::string ending : {".pdf", ".svg", ".png"}) {
        const std::string bytes = bytesOf(exported("window" + ending));
        EXPECT_GT(bytes.size(), 10'000U);
        EXPECT_TRUE(bytes == bytesOf(write(page, "other" + ending))) << ending;
    }
    EXPECT_THAT(bytesOf(folder() / "window.pdf"),
                AllOf(HasSubstr("%PDF-1"), Not(HasSubstr("CreationDate"))));
}

TEST_F(Figures, arePreviewed_asTheyWillBeSaved) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    trigger("Export figure…");
    const QPointer<FigureDialog> dialog(window().findChild<FigureDialog*>());
    ASSERT_FALSE(dialog.isNull());
    ASSERT_TRUE(waitUntil([&] { return dialog->isUpToDate(); }));
    const QImage whole = dialog->preview();
    ASSERT_FALSE(whole.isNull()) << dialog->note().toStdString();
    // The preview is the page in a lower resolution.
    FigurePage page = dialog->page();
    page.dpi = 150;
    const QImage written(nameOf(write(page, "preview.png")));
    const QImage scaled =
        written.convertToFormat(QImage::Format_RGB32)
            .scaled(whole.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    EXPECT_NEAR(double(whole.width()) / whole.height(), double(written.width()) / written.height(),
                0.01);
    EXPECT_LT(test::difference(whole.convertToFormat(QImage::Format_RGB32), scaled), 0.1);
    EXPECT_TRUE(dialog->page().columns.empty());  // empty: all columns
    // Unchecking a column changes the page.
    dialog->column(MeshId::firstPublished).setChecked(false);
    ASSERT_TRUE(waitUntil([&] { return dialog->isUpToDate(); }));
    EXPECT_FALSE(dialog->page().columns.empty());
    EXPECT_NE(dialog->preview(), whole);
    child<QComboBox>(*dialog, "background").setCurrentIndex(2);
    ASSERT_TRUE(waitUntil([&] { return dialog->isUpToDate(); }));
    EXPECT_NE(dialog->preview().pixelColor(2, 2), whole.pixelColor(2, 2));
    // A page without columns cannot be saved.
    for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) box->setChecked(false);
    ASSERT_TRUE(waitUntil([&] { return dialog->isUpToDate(); }));
    EXPECT_FALSE(child<QPushButton>(*dialog, "save").isEnabled());
    dialog->close();
    EXPECT_TRUE(waitUntil([&] { return dialog.isNull(); }));
}

TEST_F(Figures, keepTexturesAndPhotographs_whenOnlyTheColumnsChange) {
    FigurePage page{.rows = {{made(test::bundledSample())}},
                    .columns = {MeshId::photograph, MeshId::result, MeshId::truth},
                    .look = {.quantity = Quantity::photographs}};
    FigureTask task{.cache = std::make_shared<FigureCache>()};
    std::vector<double> fractions;
    task.progress = [&](double fraction) { fractions.push_back(fraction); };
    const QImage first = figurePreview(page, 300, task);
    EXPECT_FALSE(first.isNull());
    EXPECT_EQ(fractions.size(), 6U);  // each of three cells is made, then painted
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
    EXPECT_EQ(fractions.back(), 1);
    ASSERT_FALSE(task.cache->textures.empty());
    const auto textures = task.cache->textures;
    EXPECT_EQ(task.cache->photographs.size(), 1U);
    EXPECT_EQ(figurePreview(page, 300, task), first);
    page.columns = {MeshId::photograph, MeshId::result};
    EXPECT_NE(figurePreview(page, 300, task), first);
    EXPECT_EQ(task.cache->textures, textures);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(figurePreview(page, 300, {.cancel = stop.get_token()}), Cancelled);
}

TEST_F(Figures, offerOnlyColumnsWithContent_andSayHowManyResultsHaveThem) {
    SingleThreadPool thread;
    const FigureRow plain{made(test::bundledSample())};
    const FigureRow withHull{withFit(plain.result, {}, test::sampleWithDepth())};
    const auto titles = [&](FigurePage page) {
        FigureDialog dialog(std::move(page), thread, nullptr);
        std::vector<std::string> texts;
        for (const QCheckBox* box : dialog.findChildren<QCheckBox*>())
            texts.push_back(box->text().toStdString());
        return texts;
    };
    EXPECT_THAT(titles({{plain}}), AllOf(Contains("Refined"), Not(Contains(HasSubstr("Hull")))));
    EXPECT_THAT(titles({{plain, withHull}}),
                AllOf(Contains("Refined"), Contains("Hull (1 of 2 results)")));
}

TEST_F(Figures, areCancelled_whileTheyAreSaved) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    QWidget& progress = child<QWidget>(window(), "figureProgress");
    EXPECT_TRUE(progress.isHidden());
    trigger("Export figure…");
    const QPointer<FigureDialog> figure(window().findChild<FigureDialog*>());
    ASSERT_TRUE(!figure.isNull() && QTest::qWaitForWindowExposed(figure));
    QTest::mouseClick(&child<QPushButton>(*figure, "save"), Qt::LeftButton);
    const QPointer<QFileDialog> dialog(figure->findChild<QFileDialog*>());
    ASSERT_TRUE(!dialog.isNull() && QTest::qWaitForWindowExposed(dialog));
    auto* field = dialog->findChild<QLineEdit*>("fileNameEdit");
    const fs::path file = folder() / "cancelled.pdf";
    field->setText(nameOf(file));
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return !progress.isHidden(); }));
    progress.findChild<QToolButton*>()->click();
    ASSERT_TRUE(waitUntil([&] { return progress.isHidden(); }));
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(Figures, areTheSameBytes_fromTheWindowAndTheCommandLine) {
    useNetwork([] { return oneDevice(makeCpuBackend(threefold::test::testModel())); });
    document().fit.setChoice({true, FitViews::Kind::chosen, FitSource::automatic});
    QStringList arguments{"figure",    "--model", nameOf(threefold::test::testModelFile()),
                          "--backend", "cpu",     "--fit",
                          "chosen",    "--views", "0,6,7"};
    const std::vector<const char*> categories = {"02691156", "03001627"};
    for (const char* category : categories) {
        ASSERT_TRUE(open(test::bundledSampleFolder(category)));
        ASSERT_TRUE(waitUntil(
            [&] { return document().result.current()->mesh(MeshId::fitted) != nullptr; }));
        arguments << nameOf(test::bundledSampleFolder(category));
    }
    for (const std::string ending : {".pdf", ".svg", ".png"}) {
        const fs::path file = folder() / ("program" + ending);
        QProcess program;
        program.start(THREEFOLD_PROGRAM, arguments + QStringList{"-o", nameOf(file)});
        ASSERT_TRUE(program.waitForFinished(120'000));
        ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
        EXPECT_TRUE(bytesOf(file) == bytesOf(exported("window" + ending))) << ending;
    }
    EXPECT_THAT(textsIn(folder() / "window.svg"), Contains("Fitted"));
}

TEST_F(Figures, holdOnlyPinnedResults_whenThereAreAny) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(open(test::bundledSampleFolder("02958343")));
    auto& history = *document().findChild<ResultHistory*>();
    history.setPinned(history.entries().front().result, true);
    const std::vector<std::string> texts = textsIn(exported("pinned.svg"));
    EXPECT_THAT(texts, Contains(HasSubstr("airplane")));
    EXPECT_THAT(texts, Not(Contains(HasSubstr("car"))));
}

TEST_F(Figures, haveTwoTicks_whenTheLegendIsNarrow) {
    const fs::path file = folder() / "narrow.svg";
    FigurePage page{.rows = {{made(test::bundledSample())}}, .columns = {MeshId::result}};
    page.widthMillimetres = 36;
    page.look.range = RangeMode::custom;
    page.look.rangeMin = 0;
    page.look.rangeMax = 0.0265F;  // so that a round step may leave a single tick
    writeFigure(page, file);
    const std::vector<std::string> texts = textsIn(file);
    EXPECT_GE(std::ranges::count_if(texts,
                                    [](const std::string& text) {
                                        bool number = false;
                                        QString::fromStdString(text).toDouble(&number);
                                        return number;
                                    }),
              2);
}

TEST_F(Figures, areRefused_whenTheFilesEndingIsWrong) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_FALSE(fs::exists(exported("figure.gif")));
    EXPECT_THAT(window().banner().text().toStdString(),
                HasSubstr("Use .pdf, .svg or .png, or for a video .mp4 or .webm."));
    EXPECT_THROW(requireFigureFile("figure"), UsageError);
    EXPECT_NO_THROW(requireFigureFile("FIGURE.PDF"));
}

TEST_F(Figures, keepARow_whenItsResultIsMissing) {
    const fs::path file = write({.rows = {{made(test::bundledSample())},
                                          {made(test::sampleWithoutTruth())},
                                          {nullptr, "lost", "The photographs are gone."}},
                                 .columns = figureColumns()},
                                "missing.svg");
    const std::vector<std::string> texts = textsIn(file);
    EXPECT_EQ(std::ranges::count(texts, "no truth"), 1);
    EXPECT_EQ(std::ranges::count(texts, "not fitted"), 2);
    EXPECT_EQ(std::ranges::count(texts, "no hull"), 2);
    EXPECT_THAT(texts, Contains("lost"));
    EXPECT_THAT(texts, Contains("The photographs are gone."));
    EXPECT_EQ(std::ranges::count_if(texts, [](auto& text) { return text.starts_with("CD "); }), 2);
    EXPECT_EQ(std::ranges::count_if(texts, [](auto& text) { return text.ends_with(" units"); }), 1);
    EXPECT_THAT(texts, Contains("Distance to truth (object units)"));
}

TEST_F(Figures, showAllAvailableColumns_unlessSomeAreNamed) {
    const FigureRow row{made(test::sampleWithoutTruth())};
    const std::vector<std::string> all = textsIn(write({{row}}, "all.svg"));
    for (const char* heading : {"Photograph", "Coarse", "Refined"})
        EXPECT_THAT(all, Contains(heading));
    EXPECT_THAT(all, Not(Contains("Truth")));
    const auto named = textsIn(write({{row}, {MeshId::result}}, "named.svg"));
    EXPECT_THAT(named, Contains("Refined"));
    EXPECT_THAT(named, Not(Contains("Photograph")));
}

TEST_F(Figures, showTheHullBesideTheFittedMesh_whenDepthMovedIt) {
    const ResultRef before = made(test::bundledSample());
    const FigureRow row{withFit(before, {}, test::sampleWithDepth())};
    const std::vector<std::string> texts = textsIn(write({{row}}, "hull.svg"));
    const auto position = [&](const char* heading) {
        return std::ranges::find(texts, heading) - texts.begin();
    };
    EXPECT_LT(position("Refined"), position("Hull"));
    EXPECT_LT(position("Hull"), position("Fitted"));
    EXPECT_LT(position("Fitted"), std::ssize(texts));
}

TEST_F(Figures, haveTheChosenSizeAndBackground) {
    const FigurePage page{.rows = {{made(test::bundledSample())}},
                          .widthMillimetres = 85,
                          .dpi = 120,
                          .background = FigureBackground::transparent,
                          .viewDirection = glm::dvec2(30, 20)};
    const QImage image(nameOf(write(page, "clear.png")));
    EXPECT_EQ(image.width(), std::lround(85 / 25.4 * 120));
    EXPECT_EQ(image.pixelColor(0, 0).alpha(), 0);
    const QRect content = [&] {
        QRect all;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y).alpha() > 0) all |= QRect(x, y, 1, 1);
        return all;
    }();
    // Nothing is drawn at the border, so nothing is cut off.
    EXPECT_TRUE(image.rect().adjusted(1, 1, -1, -1).contains(content));
}

TEST_F(Figures, showTheMeshWhereThePhotographShowsTheObject) {
    // Both cells have the photograph's camera, so the object is at the same place in both.
    const render::Device device(test::VulkanEnvironment::instance());
    const auto drawn = [&](MeshId id, Quantity quantity) {
        const LaidOutPage page({.rows = {{made(test::bundledSample())}},
                                .columns = {MeshId::photograph, id},
                                .look = {.quantity = quantity}},
                               device);
        QImage image(page.size().toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        page.paint(painter);
        return image;
    };
    const QImage cells = drawn(MeshId::truth, Quantity::none);
    // Mean x, from the left edge of a cell, of the pixels in the cell that are not nearly white.
    const auto middle = [&](int from, int to) {
        double sum = 0, count = 0;
        for (int y = 40; y < cells.height() - 60; ++y)
            for (int x = from; x < to; ++x)
                if (cells.pixelColor(x, y).lightness() < 225) {
                    sum += x;
                    ++count;
                }
        return sum / count - from;
    };
    const int half = cells.width() / 2;
    EXPECT_NEAR(middle(2, half - 2), middle(half + 2, cells.width() - 2), 8);
}

}  // namespace
}  // namespace threefold::ui
