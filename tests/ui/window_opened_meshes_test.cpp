#include "tests/ui/window_measures.h"
#include "ui/document/session.h"
#include "ui/document/shown_document.h"
#include "ui/files/session_files.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/style/label_grid.h"

namespace threefold::ui {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class WindowOpenedMeshes : public WindowMeasures {};

TEST_F(WindowOpenedMeshes, areShown_eachInItsOwnPane) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(compare(writeTetrahedron("first.obj")));
    drop({writeTetrahedron("second.obj", 0.2F), writeTetrahedron("third.obj", 0.1F)});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 3; }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(viewport().cameras().count(), 4U);
    EXPECT_FALSE(row(1)[MeshId::opened(1)].isEmpty());
    EXPECT_FALSE(row(1)[MeshId::opened(2)].isEmpty() || row(1)[MeshId::opened(3)].isEmpty());
    EXPECT_EQ(inspector().plot().curves().size(), 5U);
    EXPECT_TRUE(waitUntil([&] {
        return std::ranges::all_of(document().opened.ids(), [&](MeshId id) {
            return bool(surfaceValues(window().shownDocument(), id).values);
        });
    }));

    PaneHeaders& headers = feature<PaneHeaders>();
    const auto choose = [&](std::size_t pane, const QString& text, const QString& in = {}) {
        QMenu menu;
        headers.fillMenu(menu, pane);
        const QMenu* where = &menu;
        for (const QMenu* each : menu.findChildren<QMenu*>())
            if (each->title().remove('&') == in) where = each;
        for (QAction* action : where->actions())
            if (action->text().remove('&') == text && action->isEnabled())
                return action->trigger(), true;
        return false;
    };
    using testing::ElementsAre;
    const auto opened1 = MeshId::opened(1), opened2 = MeshId::opened(2),
               opened3 = MeshId::opened(3);
    const MeshId first = MeshId::firstPublished, result = MeshId::result, truth = MeshId::truth;
    EXPECT_THAT(shownIds(document()), ElementsAre(opened1, result, opened2, opened3));
    EXPECT_TRUE(choose(0, "Truth"));
    EXPECT_THAT(shownIds(document()), ElementsAre(truth, result, opened2, opened3));
    EXPECT_TRUE(choose(2, "Refined"));  // exchanges panes 1 and 2
    EXPECT_THAT(shownIds(document()), ElementsAre(truth, opened2, result, opened3));
    EXPECT_TRUE(choose(0, "Coarse"));
    EXPECT_TRUE(choose(0, "Truth", "Add a pane"));
    EXPECT_TRUE(choose(0, "first.obj", "Add a pane"));
    ASSERT_THAT(shownIds(document()), ElementsAre(first, opened2, result, opened3, truth, opened1));
    EXPECT_FALSE(choose(0, "Fitted"));  // no mesh is fitted
    EXPECT_TRUE(waitUntil([&] { return headers.lower().isVisible(); }));
    EXPECT_EQ(headers.headerOf(opened1)->parentWidget(), &headers.lower());
    settle();
    EXPECT_TRUE(choose(1, "Remove this pane") && choose(4, "Remove this pane"));
    EXPECT_THAT(shownIds(document()), ElementsAre(first, result, opened3, truth));
    EXPECT_FALSE(headers.lower().isVisible());
    EXPECT_TRUE(choose(0, "Default panes"));
    EXPECT_THAT(shownIds(document()), ElementsAre(opened1, result, opened2, opened3));
    // Ctrl+W closes the mesh that was opened last.
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    EXPECT_THAT(document().opened.ids(), ElementsAre(opened1, opened2));
    // A mesh that is opened from a pane's menu is shown in that pane.
    EXPECT_TRUE(choose(1, "Open a mesh…"));
    QFileDialog* dialog = window().findChild<QFileDialog*>("openFiles");
    ASSERT_NE(dialog, nullptr);
    dialog->selectFile(QString::fromStdString(writeTetrahedron("fourth.obj").string()));
    QMetaObject::invokeMethod(dialog, "accept");
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 3; }));
    EXPECT_THAT(shownIds(document()), ElementsAre(opened1, opened3, opened2, result));
    settle();
}

TEST_F(WindowOpenedMeshes, takeAFurtherPane_whenThePanesAreChosen) {
    using testing::ElementsAre;
    const auto opened1 = MeshId::opened(1), opened2 = MeshId::opened(2);
    const MeshId first = MeshId::firstPublished, result = MeshId::result, truth = MeshId::truth;
    const auto choose = [&](const std::vector<MeshId>& panes) {
        document().look.change([&](Look& look) { look.panes = panes; });
    };
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    choose({result, first});
    ASSERT_TRUE(compare(writeTetrahedron("first.obj")));
    EXPECT_THAT(shownIds(document()), ElementsAre(result, first, opened1));
    // A pane that the user removes does not come back when the file is read again.
    choose({result, first});
    document().opened.set(opened1, std::make_shared<OpenedMesh>(*document().opened.first()));
    EXPECT_THAT(shownIds(document()), ElementsAre(result, first));
    // Without room for a further pane, the mesh takes the last one, but not the truth's own pane.
    choose({result, first, MeshId::textured, MeshId::photograph, opened1, truth});
    drop({writeTetrahedron("second.obj")});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 2; }));
    EXPECT_THAT(shownIds(document()),
                ElementsAre(result, first, MeshId::textured, MeshId::photograph, opened1, opened2));
    feature<OpenedFiles>().meshSource(1).close();
    choose({result, first, MeshId::textured, MeshId::photograph, opened1});
    document().look.change([](Look& look) { look.truthPane = true; });
    drop({writeTetrahedron("third.obj")});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == 2; }));
    EXPECT_THAT(shownIds(document()),
                ElementsAre(result, first, MeshId::textured, MeshId::photograph, opened2, truth));
    settle();
}

TEST_F(WindowOpenedMeshes, takeNoPane_whenTheirSessionHasChosenThePanes) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(compare(writeTetrahedron("beside.obj")));
    const std::vector<MeshId> panes{MeshId::result, MeshId::firstPublished};
    document().look.change([&](Look& look) { look.panes = panes; });
    writeSession(folder() / "kept.threefold", feature<SessionFiles>().current());
    newWindow();
    drop({folder() / "kept.threefold"});
    ASSERT_TRUE(
        waitUntil([&] { return document().result.current() && document().opened.first(); }));
    EXPECT_EQ(shownIds(document()), panes);
    settle();
}

TEST_F(WindowOpenedMeshes, haveARowAndABarEach_inAnyNumber) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    constexpr std::uint32_t kMeshes = 8;
    std::vector<std::filesystem::path> files;
    for (std::uint32_t i = 1; i <= kMeshes; ++i)
        files.push_back(
            writeTetrahedron("mesh" + std::to_string(i) + ".obj", 0.02F * static_cast<float>(i)));
    drop(files);
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == kMeshes; }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(viewport().cameras().count(), kMaxPanes);
    EXPECT_EQ(inspector().plot().curves().size(), kMeshes + 2);
    for (std::uint32_t i = 1; i <= kMeshes; ++i)
        EXPECT_FALSE(row(1)[MeshId::opened(i)].isEmpty()) << i;
    // Four bars are visible; the others are reached by scrolling.
    std::vector<OpenedBar*> bars;
    for (OpenedBar* bar : window().findChildren<OpenedBar*>())
        if (!bar->isHidden()) bars.push_back(bar);
    ASSERT_EQ(bars.size(), kMeshes);
    settle();
    EXPECT_TRUE(waitUntil([&] {
        return std::ranges::count_if(bars, [](const OpenedBar* bar) {
                   return bar->visibleRegion().boundingRect().height() >= bar->height() / 2;
               }) == 4;
    }));
    // The next opened mesh gets the number of a closed one.
    feature<OpenedFiles>().meshSources()[2]->close();
    EXPECT_EQ(document().opened.ids().size(), kMeshes - 1);
    drop({writeTetrahedron("another.obj")});
    ASSERT_TRUE(waitUntil([&] { return document().opened.ids().size() == kMeshes; }));
    EXPECT_EQ(document().opened.find(MeshId::opened(3))->name(), "another.obj");
    settle();
}

/// A grid that counts how often it is laid out.
class CountedGrid : public QGridLayout {
  public:
    using QGridLayout::QGridLayout;
    void setGeometry(const QRect& rect) override {
        ++count;
        QGridLayout::setGeometry(rect);
    }
    int count = 0;
};

// Laid out for each label, the table of 80 meshes took seconds.
TEST_F(WindowOpenedMeshes, haveATable_thatIsLaidOutOnceForAllLabels) {
    QWidget table(&window());
    auto* grid = new CountedGrid(&table);
    LabelGrid cells(*grid, [&](int, int) { return new QLabel(&table); });
    table.show();
    ASSERT_TRUE(table.isVisible());
    const auto fill = [&](int rows) {
        grid->count = 0;
        cells.begin();
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < 5; ++column) cells.set(row, column, "1");
        cells.finish();
    };
    fill(20);
    EXPECT_EQ(grid->count, 1);
    EXPECT_TRUE(cells.find(19, 4)->isVisible());
    fill(10);
    EXPECT_EQ(grid->count, 1);
    EXPECT_TRUE(cells.find(9, 4)->isVisible());
    EXPECT_FALSE(cells.find(10, 0)->isVisible());
}

TEST_F(WindowOpenedMeshes, haveContextMenus_byRightClick) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(measured());
    const auto menuAfter = [&](const auto& click) {
        click();
        QMenu* menu = nullptr;
        EXPECT_TRUE(waitUntil([&] {
            menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            return menu != nullptr;
        }));
        return menu;
    };
    const auto take = [&](QMenu* menu, const QString& text) {
        ASSERT_NE(menu, nullptr);
        const QList<QAction*> actions = menu->actions();
        const auto found = std::ranges::find_if(
            actions, [&](QAction* each) { return each->text().remove('&') == text; });
        ASSERT_NE(found, actions.end()) << text.toStdString();
        (*found)->trigger();
        menu->close();
    };
    const auto context = [](QWidget& widget, QPoint at) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget.mapToGlobal(at));
        QCoreApplication::sendEvent(&widget, &event);
    };
    QClipboard& clipboard = *QGuiApplication::clipboard();

    // A right click on a pane opens the menu of its mesh; a right drag still pans.
    take(menuAfter([&] {
             QTest::mouseClick(&viewport(), Qt::RightButton, {},
                               {viewport().width() * 3 / 4, viewport().height() / 2});
         }),
         "Copy picture");
    ASSERT_TRUE(waitUntil([&] { return !clipboard.image().isNull(); }));
    const glm::vec2 pane = viewport().cameras().paneSize();
    EXPECT_EQ(clipboard.image().size(), QSize(int(pane.x), int(pane.y)));
    const render::OrbitCamera before = viewport().cameras().camera(0);
    QTest::mousePress(&viewport(), Qt::RightButton, {}, {50, 50});
    QTest::mouseMove(&viewport(), {90, 90});
    QTest::mouseRelease(&viewport(), Qt::RightButton, {}, {90, 90});
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr);
    EXPECT_NE(viewport().cameras().camera(0), before);

    MeasuresTable& table = inspector().measures();
    const auto cell = [&](const QString& text) {
        for (QLabel* label : table.findChildren<QLabel*>())
            if (label->isVisible() && label->text() == text) return label->geometry().center();
        return QPoint(-1, -1);
    };
    const QString f = row(1)[MeshId::result];
    take(menuAfter([&] { context(table, cell(f)); }), "Copy " + f);
    EXPECT_EQ(clipboard.text(), f);
    take(menuAfter([&] { context(table, cell(f)); }), "Copy this row");
    EXPECT_THAT(clipboard.text().toStdString(), HasSubstr(f.toStdString()));
    EXPECT_GT(clipboard.text().count('\t'), 1);
    take(menuAfter([&] { context(inspector().plot(), {20, 20}); }), "Copy the curves as CSV");
    EXPECT_THAT(clipboard.text().toStdString(), testing::StartsWith("squared distance,coarse,"));
    EXPECT_EQ(clipboard.text().count('\n'),
              1 + static_cast<int>(inspector().plot().curves()[0].scores.size()));

    ViewSlots& slots_ = feature<ViewSlots>();
    const int second = window().input().model().selection().views()[1];
    take(menuAfter([&] { context(*slots_.tiles()[1], {20, 20}); }), "Make it the reference");
    EXPECT_TRUE(
        waitUntil([&] { return window().input().model().selection().views()[0] == second; }));
    settle();
}

TEST_F(WindowOpenedMeshes, areAlignedByIcp_whenTheirScaleDiffers) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    // The refined mesh as another program may write it: in millimetres, z up, translated.
    const render::SceneMesh& refined = *document().result.current()->mesh(MeshId::result);
    Mesh other{refined.vertices, refined.faces};
    for (glm::vec3& vertex : other.vertices)
        vertex = 1000.0F * glm::vec3(vertex.x, -vertex.z, vertex.y) + glm::vec3(4000, 0, 70);
    const fs::path file = folder() / "millimetres.ply";
    writeMesh(file, MeshFormat::ply, other);
    ASSERT_TRUE(compare(file));
    ASSERT_TRUE(measured());
    QToolButton* align = nullptr;
    for (QToolButton* button : feature<OpenedBar>().findChildren<QToolButton*>())
        if (button->text() == "Align (ICP)") align = button;
    ASSERT_NE(align, nullptr);
    ASSERT_TRUE(align->isVisible());
    const double before = row(1)[MeshId::opened(1)].toDouble();
    QTest::mouseClick(align, Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return bar().find("moved into the frame") != std::string::npos; }));
    ASSERT_TRUE(measured());
    EXPECT_EQ(before, 0);
    EXPECT_NEAR(row(1)[MeshId::opened(1)].toDouble(), row(1)[MeshId::result].toDouble(), 8);
    EXPECT_THAT(bar(), HasSubstr("F(τ) 0.00 → " + row(1)[MeshId::opened(1)].toStdString()));
    EXPECT_EQ(align->text(), "Put it back");
    // An aligned mesh has no space to switch.
    int spaceCommands = 0;
    for (const QAction* each : window().findChildren<QAction*>()) {
        if (!each->text().contains("Switch opened mesh to")) continue;
        ++spaceCommands;
        EXPECT_FALSE(each->isEnabled());
    }
    EXPECT_GE(spaceCommands, 1);
    QTest::mouseClick(align, Qt::LeftButton);
    EXPECT_TRUE(waitUntil([&] {
        return glm::distance(document().opened.first()->mesh->vertices[7], other.vertices[7]) <
               1e-3F;
    }));
    settle();
}

TEST_F(WindowOpenedMeshes, haveTheirPicturesInTheListOfResults_besideOneThatCannotBeDrawn) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef first = document().result.current();
    const auto copied = [&](auto change) {
        auto mesh = std::make_shared<render::SceneMesh>(*first->mesh(MeshId::result));
        change(*mesh);
        auto result = std::make_shared<Result>(*first);
        result->truth.reset();
        result->state = Result::Evaluated{};
        result->morph.stages[test::kRefinedStage].mesh = std::move(mesh);
        document().result.set(std::move(result));
    };
    copied([](render::SceneMesh& mesh) {  // a face of a missing vertex
        mesh.faces.front().x = static_cast<std::uint32_t>(mesh.vertices.size());
    });
    copied([](const render::SceneMesh&) {});
    ResultsList& results = feature<ResultsList>();
    QListWidget& list = child<QListWidget>(results, "list");
    child<QToolButton>(results, "header").setChecked(true);
    ASSERT_EQ(list.count(), 3);
    const auto isDrawn = [&](int row) {
        const QImage picture = list.item(row)->icon().pixmap(48, 36).toImage();
        return picture.pixelColor(24, 18).alpha() == 255;
    };
    EXPECT_TRUE(waitUntil([&] { return isDrawn(0) && isDrawn(2); }));
    EXPECT_FALSE(isDrawn(1));
    const auto& history = *window().findChild<ResultHistory*>();
    const std::optional<QImage>& refused = history.entries()[1].thumbnail;
    EXPECT_TRUE(refused && refused->isNull());  // it is not drawn again
    settle();
}

TEST_F(WindowOpenedMeshes, areShownBesideMeshesOfOtherResults) {
    window().resize(1600, 1000);  // so large that the inspector shows all its sections
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef first = document().result.current();
    window().input().model().putIntoSelectedSlot(9);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != first; }));
    const ResultRef second = document().result.current();
    ResultsList& results = feature<ResultsList>();
    QListWidget& list = child<QListWidget>(results, "list");
    QToolButton& header = child<QToolButton>(results, "header");
    EXPECT_THAT(header.text().toStdString(), HasSubstr("RESULTS · 2"));
    EXPECT_FALSE(list.isVisible());
    QTest::mouseClick(&header, Qt::LeftButton);
    ASSERT_TRUE(list.isVisible());
    ASSERT_EQ(list.count(), 2);
    const std::string text = list.item(1)->text().toStdString();
    EXPECT_THAT(text, HasSubstr("views 0, 6, 7"));
    EXPECT_THAT(text, HasSubstr("F(τ)"));
    EXPECT_THAT(text, HasSubstr("CD"));
    EXPECT_THAT(text, HasSubstr("ms"));
    const auto picture = [&](int row) { return list.item(row)->icon().pixmap(48, 36).toImage(); };
    EXPECT_TRUE(waitUntil([&] {
        return picture(0).pixelColor(24, 18).alpha() == 255 &&
               picture(1).pixelColor(24, 18).alpha() == 255;
    }));
    const auto click = [&](int row, Qt::KeyboardModifiers modifiers) {
        list.scrollToItem(list.item(row));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, modifiers,
                          list.visualItemRect(list.item(row)).center());
    };
    // A click shows a result. Row 0 is the newest.
    click(1, {});
    ASSERT_TRUE(waitUntil([&] { return document().result.current() == first; }));
    EXPECT_EQ(window().input().model().selection().views(), first->views);
    // Ctrl+click shows the result's mesh beside the current result, with its measures.
    QTest::keyPress(&list, Qt::Key_Control, Qt::ControlModifier);
    click(0, Qt::ControlModifier);
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    EXPECT_EQ(document().result.current(), first);
    EXPECT_EQ(document().opened.first()->mesh, second->mesh(MeshId::result));
    ASSERT_TRUE(measured());
    EXPECT_EQ(feature<PaneHeaders>().first().title(), document().opened.first()->name());
    EXPECT_THAT(document().opened.first()->name().toStdString(), HasSubstr("views"));
    EXPECT_FALSE(row(1)[MeshId::opened(1)].isEmpty());
    EXPECT_TRUE(feature<OpenedBar>().isVisible());
    trigger(QKeySequence(Qt::CTRL | Qt::Key_W));
    EXPECT_FALSE(document().opened.first());
    // Return acts like a click, and Ctrl+Return like Ctrl+click; Delete removes the result.
    list.setFocus();
    list.setCurrentRow(0);
    QTest::keyClick(&list, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(waitUntil([&] { return document().opened.first() != nullptr; }));
    QTest::keyClick(&list, Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() == second; }));
    QTest::keyClick(&list, Qt::Key_Delete);
    EXPECT_TRUE(waitUntil([&] { return list.count() == 1; }));
    settle();
}

TEST_F(WindowOpenedMeshes, listResults_byCategoryAndByTheChosenProtocol) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_TRUE(open(test::bundledSampleFolder("02958343")));
    ResultsList& results = feature<ResultsList>();
    QListWidget& list = child<QListWidget>(results, "list");
    QToolButton& header = child<QToolButton>(results, "header");
    header.setChecked(true);
    ASSERT_EQ(list.count(), 2);
    const auto text = [&](int row) { return list.item(row)->text().toStdString(); };
    EXPECT_THAT(text(0), StartsWith("car · p0001 · "));
    EXPECT_THAT(text(1), StartsWith("airplane · p0001 · "));
    const std::string car = text(0), airplane = text(1);
    const auto saysShown = [&] {
        return text(0).find("F(τ) " + row(1)[MeshId::result].toStdString() + " %") !=
               std::string::npos;
    };
    EXPECT_TRUE(saysShown());
    trigger("Switch protocol");
    ASSERT_TRUE(measured());
    EXPECT_TRUE(waitUntil([&] { return saysShown() && text(0) != car; })) << text(0);
    // The row of the result that is not shown changes its protocol, too.
    EXPECT_TRUE(waitUntil([&] {
        return text(1) != airplane && text(1).find("CD ") != std::string::npos;
    })) << text(1);
    trigger("Switch protocol");
    EXPECT_EQ(text(0), car);
    EXPECT_EQ(text(1), airplane);
    settle();
}

TEST_F(WindowOpenedMeshes, shareStoredResults_betweenUndoAndTheList) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef first = document().result.current();
    window().input().model().putIntoSelectedSlot(9);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != first; }));
    const int runs = network().runs;
    trigger(QKeySequence(Qt::CTRL | Qt::Key_Z));
    ASSERT_TRUE(waitUntil([&] { return document().result.current() == first; }));
    EXPECT_EQ(network().runs, runs);
    // Redo computes a result again after it was removed from the list.
    ResultsList& results = feature<ResultsList>();
    QListWidget& list = child<QListWidget>(results, "list");
    QToolButton& header = child<QToolButton>(results, "header");
    header.setChecked(true);
    list.setCurrentRow(0);
    QTest::keyClick(&list, Qt::Key_Delete);
    trigger(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != first; }));
    EXPECT_EQ(network().runs, runs + 1);
    settle();
}

}  // namespace
}  // namespace threefold::ui
