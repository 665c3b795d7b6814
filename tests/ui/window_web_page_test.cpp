#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QProcess>
#include <QTest>

#include "engine/network/cpu_backend.h"
#include "tests/support/models.h"
#include "tests/ui/test_sample.h"
#include "tests/ui/window_fixture.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;

std::string pageText(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// JSON of the page's <script> element with this attribute.
nlohmann::json pageElement(const fs::path& page, const std::string& attribute) {
    const std::string text = pageText(page), begin = attribute + ">";
    const std::size_t first = text.find(begin) + begin.size();
    return nlohmann::json::parse(text.substr(first, text.find("</script>", first) - first));
}

class WebPages : public test::WindowTest {
  protected:
    fs::path exported(const std::string& name) {
        fs::path file = folder() / name;
        trigger("Export web page…");
        const QPointer<QFileDialog> dialog(window().findChild<QFileDialog*>());
        EXPECT_TRUE(!dialog.isNull() && QTest::qWaitForWindowExposed(dialog));
        auto* field = dialog->findChild<QLineEdit*>("fileNameEdit");
        field->setText(QString::fromStdString(file.string()));
        QTest::keyClick(field, Qt::Key_Return);
        EXPECT_TRUE(waitUntil([&] {
            return dialog.isNull() && (fs::exists(file) || window().banner().isVisible());
        }));
        return file;
    }
};

TEST_F(WebPages, equalThoseOfTheCommandLine_inColoursAndMeshes) {
    EXPECT_FALSE(action("Export web page…")->isEnabled());
    useNetwork([] { return oneDevice(makeCpuBackend(threefold::test::testModel())); });
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const fs::path file = folder() / "program.html";
    QProcess program;
    program.start(
        THREEFOLD_PROGRAM,
        {"page", "--model", QString::fromStdString(threefold::test::testModelFile().string()),
         "--backend", "cpu", "--views", "0,6,7", "-o", QString::fromStdString(file.string()),
         QString::fromStdString(test::bundledSampleFolder().string())});
    ASSERT_TRUE(program.waitForFinished(120'000));
    ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    const fs::path windowPage = exported("window.html");

    const auto result = pageElement(windowPage, "class=\"result\""),
               other = pageElement(file, "class=\"result\"");
    ASSERT_EQ(result["meshes"].size(), other["meshes"].size());
    for (std::size_t i = 0; i < other["meshes"].size(); ++i) {
        EXPECT_EQ(result["meshes"][i]["data"], other["meshes"][i]["data"]) << i;
        EXPECT_EQ(result["meshes"][i]["values"], other["meshes"][i]["values"]) << i;
    }
    EXPECT_EQ(result["photographs"], other["photographs"]);
    // Both have a picture for browsers that cannot turn the meshes.
    for (const fs::path& page : {windowPage, file}) {
        EXPECT_NE(pageText(page).find("<img alt=\"\" src=\"data:"), std::string::npos) << page;
        EXPECT_NE(pageText(page).find("here are pictures of them"), std::string::npos) << page;
    }
    const auto colours = pageElement(windowPage, "id=\"data\"")["values"],
               others = pageElement(file, "id=\"data\"")["values"];
    for (const char* key : {"min", "max", "table", "logarithmic"})
        EXPECT_EQ(colours[key], others[key]) << key;
}

TEST_F(WebPages, followTheWindowsQuantity) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    document().look.change([](Look& look) {
        look = withQuantity(look, Quantity::curvature);
        look.scale = render::ValueScale::linear;
    });
    const auto colours = pageElement(exported("curvature.html"), "id=\"data\"")["values"];
    EXPECT_NE(colours["caption"].get<std::string>().find("urvature"), std::string::npos);
    EXPECT_EQ(colours["min"], -colours["max"].get<double>());
}

}  // namespace
}  // namespace threefold::ui
