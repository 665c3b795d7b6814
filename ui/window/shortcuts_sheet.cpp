#include "ui/window/shortcuts_sheet.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QKeyEvent>

#include "ui/shell/actions.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

// Menu text without its mnemonic and without keys after a tab.
QString plainText(QString name) {
    name.remove(QLatin1Char('&'));
    return name.section(QLatin1Char('\t'), 0, 0);  // a tab precedes keys without a QShortcut
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
        const auto isSame = [action](const ShortcutLine& line) { return line.action == action; };
        if (!keys.isEmpty() && std::none_of(lines.begin(), lines.end(), isSame))
            lines.push_back(
                {keys.join(ShortcutsSheet::tr(" or ")), plainText(action->text()), action});
    }
}

/// Splits groups into at most `count` columns of about the same height. A long group continues in
/// the next column under its title, unless fewer than kMinLines would be left on either side.
std::vector<std::vector<ShortcutGroup>> balanced(const std::vector<ShortcutGroup>& groups,
                                                 std::size_t count) {
    constexpr std::size_t kTitleLines = 2;  // lines that a title takes
    constexpr std::size_t kMinLines = 3;
    std::size_t total = 0;
    for (const ShortcutGroup& group : groups) total += group.lines.size() + kTitleLines;
    std::vector<std::vector<ShortcutGroup>> columns;
    std::size_t placed = 0;
    const auto full = [&] {
        return columns.size() < count && placed * count >= total * columns.size();
    };
    const auto begin = [&](const ShortcutGroup& group) {
        columns.back().push_back({group.title, {}});
        placed += kTitleLines;
    };
    for (const ShortcutGroup& group : groups) {
        if (full()) columns.emplace_back();
        begin(group);
        for (std::size_t i = 0; i < group.lines.size(); ++i) {
            if (full() && i >= kMinLines && group.lines.size() - i >= kMinLines) {
                columns.emplace_back();
                begin(group);
            }
            columns.back().back().lines.push_back(group.lines[i]);
            ++placed;
        }
    }
    return columns;
}

/// Layout of one column: titles, texts and keys, in widgets that are children of `parent`.
QGridLayout* gridOf(const std::vector<ShortcutGroup>& groups, QWidget& parent) {
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(4);
    int row = 0;
    for (const ShortcutGroup& group : groups) {
        if (row > 0) grid->setRowMinimumHeight(row++, 8);
        grid->addWidget(roleLabel("heading", &parent, group.title), row++, 0);
        for (const ShortcutLine& line : group.lines) {
            auto* description = new QLabel(line.description, &parent);
            description->setWordWrap(true);
            QLabel* keys = roleLabel("muted", &parent, line.keys);
            for (QLabel* label : {description, keys}) label->setAlignment(Qt::AlignTop);
            // Each line has its own layout: long keys elsewhere do not make the description narrow.
            grid->addLayout(rowOf({stretched(description), keys}, 16), row++, 0);
        }
    }
    return grid;
}

}  // namespace

std::vector<ShortcutGroup> ShortcutsSheet::groups(const QMenuBar& menus) {
    std::vector<ShortcutGroup> groups;
    for (const QAction* menu : menus.actions()) {
        if (menu->menu() == nullptr || !menu->isVisible()) continue;
        ShortcutGroup group{plainText(menu->text()), {}};
        collect(*menu->menu(), group.lines);
        if (!group.lines.empty()) groups.push_back(std::move(group));
    }
    // Shortcuts that no menu lists.
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
                                   {tr("Delete"), tr("Restore the default range")}}},
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
    : QFrame(&window),
      window_(window),
      search_(named(new QLineEdit(this), "search")),
      area_(new QScrollArea(this)) {
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
        {rowOf({roleLabel("title", this, tr("Keys and mouse")), stretch(), search_, close}, -1),
         stretched(area_)},
        16, {24, 16, 16, 16}));

    search_->installEventFilter(this);
    window_.installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &ShortcutsSheet::listCommands);
    connect(close, &QToolButton::clicked, this, &ShortcutsSheet::dismiss);
}

// Closes the sheet and restores the focus, which Qt would move to the next widget in Qt's own
// order.
void ShortcutsSheet::dismiss() {
    hide();
    (focusBefore_ && focusBefore_->isVisible() ? *focusBefore_ : window_)
        .setFocus(Qt::OtherFocusReason);
}

void ShortcutsSheet::open() {
    focusBefore_ = window_.focusWidget();
    search_->clear();
    listCommands();
    centreInWindow();
    show();
    raise();
    window_.activateWindow();
    search_->setFocus(Qt::ShortcutFocusReason);
}

std::vector<ShortcutGroup> ShortcutsSheet::matchingGroups() const {
    std::vector<ShortcutGroup> matching = groups(*window_.menuBar());
    for (ShortcutGroup& group : matching) {
        std::erase_if(group.lines, [this](const ShortcutLine& line) {
            return !(line.description + ' ' + line.keys)
                        .contains(search_->text(), Qt::CaseInsensitive);
        });
    }
    std::erase_if(matching, [](const ShortcutGroup& group) { return group.lines.empty(); });
    return matching;
}

void ShortcutsSheet::listCommands() {
    lines_.clear();
    auto* content = new QWidget;
    content->setAutoFillBackground(false);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 8, 0);
    columns->setSpacing(40);
    columns_ = columnsThatFit();
    for (const std::vector<ShortcutGroup>& column : balanced(matchingGroups(), columns_)) {
        columns->addLayout(columnOf({gridOf(column, *content), stretch()}), 1);
        for (const ShortcutGroup& group : column)
            for (const ShortcutLine& line : group.lines)
                lines_ << line.keys + '\t' + line.description;
    }
    if (columns->count() == 0) columns->addWidget(new QLabel(tr("No matching shortcut"), content));
    area_->setWidget(content);
    centreInWindow();
}

QSize ShortcutsSheet::fittingSize() const {
    constexpr QSize kDefaultSize(1080, 720);
    constexpr QSize kMargin(32, 32);
    return kDefaultSize.boundedTo(window_.size() - kMargin);
}

std::size_t ShortcutsSheet::columnsThatFit() const {
    constexpr int kColumnWidth = 320;
    return static_cast<std::size_t>(std::clamp(fittingSize().width() / kColumnWidth, 1, 3));
}

void ShortcutsSheet::centreInWindow() {
    const QSize size = fittingSize();
    const QSize space = window_.size() - size;
    setGeometry(space.width() / 2, space.height() / 2, size.width(), size.height());
}

// Closes the sheet on Esc, before Esc stops the reconstruction.
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
        columnsThatFit() == columns_ ? centreInWindow() : listCommands();
    }
    return QFrame::eventFilter(watched, event);
}

void addShortcuts(QMainWindow& window, Actions& actions) {
    auto* sheet = new ShortcutsSheet(window);
    actions.add({.menu = MenuSection::help,
                 .text = ShortcutsSheet::tr("&Keys and mouse"),
                 .keys = Qt::Key_F1,
                 .tooltip = ShortcutsSheet::tr("List all shortcuts")},
                sheet, &ShortcutsSheet::toggle);
}

}  // namespace threefold::ui
