#include "ui/window/shortcuts_sheet.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QKeyEvent>

#include "ui/shell/window_parts.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Without the mnemonic.
QString plain(QString name) {
    name.remove(QLatin1Char('&'));
    return name.section(QLatin1Char('\t'), 0, 0);  // keys without a QShortcut follow a tab
}

void collect(const QMenu& menu, std::vector<ShortcutLine>& lines) {
    for (const QAction* action : menu.actions()) {
        if (action->menu() != nullptr) {
            collect(*action->menu(), lines);
            continue;
        }
        QStringList keys;
        for (const QKeySequence& sequence : action->shortcuts())
            if (!sequence.isEmpty()) keys << sequence.toString(QKeySequence::NativeText);
        QString listed = action->property(kListedKeys).toString();
        if (listed.isEmpty()) listed = action->text().section(QLatin1Char('\t'), 1);
        if (keys.isEmpty() && !listed.isEmpty()) keys << listed;
        const auto known = [action](const ShortcutLine& line) { return line.action == action; };
        if (!keys.isEmpty() && std::none_of(lines.begin(), lines.end(), known))
            lines.push_back({keys.join(ShortcutsSheet::tr(" or ")), plain(action->text()), action});
    }
}

}  // namespace

std::vector<ShortcutGroup> ShortcutsSheet::groups(const QMenuBar& menus) {
    std::vector<ShortcutGroup> groups;
    for (const QAction* menu : menus.actions()) {
        if (menu->menu() == nullptr || !menu->isVisible()) continue;
        ShortcutGroup group{plain(menu->text()), {}};
        collect(*menu->menu(), group.lines);
        if (!group.lines.empty()) groups.push_back(std::move(group));
    }
    // What no menu lists.
    groups.insert(groups.end(), {{tr("In the panes"),
                                  {{tr("Drag, arrows"), tr("Turn")},
                                   {tr("Double click"), tr("Frame the meshes")},
                                   {tr("Right drag, Shift+arrows"), tr("Move")},
                                   {tr("Right click"), tr("What the pane shows, its picture")},
                                   {tr("Wheel, + and −"), tr("Zoom at the pointer")},
                                   {tr("Tab"), tr("Go to the next control")}}},
                                 {tr("In the strip of views"),
                                  {{tr("Arrows, Home, End"), tr("Go to a view")},
                                   {tr("Enter, click"), tr("Use the view")},
                                   {tr("1 to 8"), tr("Put the view into that slot")}}},
                                 {tr("On a handle of the legend"),
                                  {{tr("Arrows"), tr("Move the end of the range")},
                                   {tr("Shift+arrows, Page Up, Page Down"), tr("Move it further")},
                                   {tr("Enter"), tr("Type a number")},
                                   {tr("Delete"), tr("Back to the whole range")}}},
                                 {tr("On the slider of the stages"),
                                  {{tr("Arrows"), tr("Move along the stages")},
                                   {tr("Page Up, Page Down"), tr("Go to the next stage")},
                                   {tr("Space"), tr("Play or stop")}}},
                                 {tr("In lists"),
                                  {{tr("Arrows"), tr("Select a row; open or close a category")},
                                   {tr("Enter"), tr("Open the row")},
                                   {tr("Ctrl+C"), tr("Copy the selected rows of a batch")}}}});
    return groups;
}

ShortcutsSheet::ShortcutsSheet(QMainWindow& window)
    : QFrame(&window), window_(window), search_(new QLineEdit(this)), area_(new QScrollArea(this)) {
    setObjectName(QStringLiteral("sheet"));
    setAccessibleName(tr("Keys and mouse"));
    // The panes are a native window: only another native window can be above them.
    setAttribute(Qt::WA_NativeWindow);
    hide();

    search_->setPlaceholderText(tr("Search"));
    search_->setAccessibleName(tr("Search the keys"));
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(240);
    auto* close =
        flatButton(QStringLiteral("✕"), tr("Close (Esc)"), this, tr("Close the list of shortcuts"));
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setFocusPolicy(Qt::NoFocus);
    area_->viewport()->setAutoFillBackground(false);

    setLayout(columnOf(
        {rowOf({rankedLabel("title", this, tr("Keys and mouse")), kGrowing, search_, close}, -1),
         {area_, 1}},
        16, {24, 16, 16, 16}));

    search_->installEventFilter(this);
    window_.installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &ShortcutsSheet::list);
    connect(close, &QToolButton::clicked, this, &ShortcutsSheet::dismiss);
}

// Restores the focus: Qt would move it to the next widget in its own order.
void ShortcutsSheet::dismiss() {
    hide();
    (before_ && before_->isVisible() ? *before_ : window_).setFocus(Qt::OtherFocusReason);
}

void ShortcutsSheet::open() {
    before_ = window_.focusWidget();
    search_->clear();
    list();
    place();
    show();
    raise();
    window_.activateWindow();
    search_->setFocus(Qt::ShortcutFocusReason);
}

void ShortcutsSheet::list() {
    lines_.clear();
    auto* content = new QWidget;
    content->setAutoFillBackground(false);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 8, 0);
    columns->setSpacing(40);
    std::vector<ShortcutGroup> groups = this->groups(*window_.menuBar());
    constexpr std::size_t kTitle = 2;  // in lines
    std::size_t total = 0;
    columns_ = columnsThatFit();
    for (ShortcutGroup& group : groups) {
        std::erase_if(group.lines, [this](const ShortcutLine& line) {
            return !(line.what + ' ' + line.keys).contains(search_->text(), Qt::CaseInsensitive);
        });
        if (!group.lines.empty()) total += group.lines.size() + kTitle;
    }
    std::size_t placed = 0;
    QGridLayout* grid = nullptr;
    int row = 0;
    const auto newColumn = [&] {
        grid = new QGridLayout;
        grid->setHorizontalSpacing(16);
        grid->setVerticalSpacing(4);
        grid->setColumnStretch(0, 1);
        columns->addLayout(columnOf({grid, kGrowing}), 1);
        row = 0;
    };
    const auto addTitle = [&](const QString& text) {
        QLabel* title = rankedLabel("heading", content, text);
        if (row > 0) grid->setRowMinimumHeight(row++, 8);
        grid->addWidget(title, row++, 0, 1, 2);
        placed += kTitle;
    };
    const auto full = [&] {
        const auto begun = static_cast<std::size_t>(columns->count());
        return begun < columns_ && placed * columns_ >= total * begun;
    };
    for (const ShortcutGroup& group : groups) {
        if (group.lines.empty()) continue;
        if (grid == nullptr || full()) newColumn();
        addTitle(group.title);
        for (const ShortcutLine& line : group.lines) {
            // Columns of about the same length: a long group continues in the next one, unless only
            // its last lines are left.
            constexpr std::ptrdiff_t kFewest = 3;
            const auto left = &group.lines.back() - &line + 1;
            if (full() && left >= kFewest && &line - &group.lines.front() >= kFewest) {
                newColumn();
                addTitle(group.title);
            }
            ++placed;
            auto* what = new QLabel(line.what, content);
            auto* keys = rankedLabel("muted", content, line.keys);
            what->setWordWrap(true);
            grid->addWidget(what, row, 0, Qt::AlignTop);
            grid->addWidget(keys, row++, 1, Qt::AlignRight | Qt::AlignTop);
            lines_ << line.keys + '\t' + line.what;
        }
    }
    if (grid == nullptr) columns->addWidget(new QLabel(tr("No matching shortcut"), content));
    area_->setWidget(content);
    place();
}

QSize ShortcutsSheet::fittingSize() const {
    constexpr QSize kDefault(1080, 720);
    constexpr QSize kMargin(32, 32);
    return kDefault.boundedTo(window_.size() - kMargin);
}

std::size_t ShortcutsSheet::columnsThatFit() const {
    constexpr int kColumn = 320;
    return static_cast<std::size_t>(std::clamp(fittingSize().width() / kColumn, 1, 3));
}

void ShortcutsSheet::place() {
    const QSize size = fittingSize();
    const QSize rest = window_.size() - size;
    setGeometry(rest.width() / 2, rest.height() / 2, size.width(), size.height());
}

// Esc closes this sheet before it stops the reconstruction.
bool ShortcutsSheet::closesOnEscape(QEvent& event) {
    const bool press = event.type() == QEvent::KeyPress;
    if (!press && event.type() != QEvent::ShortcutOverride) return false;
    if (static_cast<QKeyEvent&>(event).key() != Qt::Key_Escape) return false;
    event.accept();
    if (press) dismiss();
    return true;
}

bool ShortcutsSheet::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_) {
        if (closesOnEscape(*event)) return true;
    } else if (event->type() == QEvent::Resize && isVisible()) {
        columnsThatFit() == columns_ ? place() : list();
    }
    return QFrame::eventFilter(watched, event);
}

// The sheet and its command, F1.
void addShortcuts(const WindowParts& parts) {
    auto* sheet = new ShortcutsSheet(parts.window);
    parts.actions.add(MenuName::help, ShortcutsSheet::tr("&Keys and mouse"), Qt::Key_F1,
                      ShortcutsSheet::tr("List all shortcuts"), sheet, &ShortcutsSheet::toggle);
}

}  // namespace threefold::ui
