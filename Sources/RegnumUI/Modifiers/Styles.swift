// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A style of the toolkit's own: the page's style sheet knows it by the name of its type.
public protocol _NamedStyle: Sendable {}

extension _NamedStyle {
    var className: String { "\(Self.self)" }
}

/// How lists look.
public protocol ListStyle: _NamedStyle {}

extension View {
    /// Sets how lists look.
    nonisolated public func listStyle<S>(_ style: S) -> some View where S: ListStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.list] = name }
    }
}

/// The usual style of lists.
public struct DefaultListStyle: ListStyle {
    /// Makes the style.
    public init() {}
}
extension ListStyle where Self == DefaultListStyle {
    /// The usual style of lists.
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}

/// The style `plain` of lists.
public struct PlainListStyle: ListStyle {
    /// Makes the style.
    public init() {}
}
extension ListStyle where Self == PlainListStyle {
    /// The style `plain` of lists.
    public static var plain: PlainListStyle { PlainListStyle() }
}

/// The style `grouped` of lists.
public struct GroupedListStyle: ListStyle {
    /// Makes the style.
    public init() {}
}
extension ListStyle where Self == GroupedListStyle {
    /// The style `grouped` of lists.
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}

/// The style `insetGrouped` of lists.
public struct InsetGroupedListStyle: ListStyle {
    /// Makes the style.
    public init() {}
}
extension ListStyle where Self == InsetGroupedListStyle {
    /// The style `insetGrouped` of lists.
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}

/// The style `inset` of lists.
public struct InsetListStyle: ListStyle {
    /// Makes the style.
    public init() {}
}
extension ListStyle where Self == InsetListStyle {
    /// The style `inset` of lists.
    public static var inset: InsetListStyle { InsetListStyle() }
}

/// The style `sidebar` of lists.
public struct SidebarListStyle: ListStyle {
    /// Makes the style.
    public init() {}
}
extension ListStyle where Self == SidebarListStyle {
    /// The style `sidebar` of lists.
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}

/// How switches look.
public protocol ToggleStyle: _NamedStyle {}

extension View {
    /// Sets how switches look.
    nonisolated public func toggleStyle<S>(_ style: S) -> some View where S: ToggleStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.toggle] = name }
    }
}

/// The usual style of switches.
public struct DefaultToggleStyle: ToggleStyle {
    /// Makes the style.
    public init() {}
}
extension ToggleStyle where Self == DefaultToggleStyle {
    /// The usual style of switches.
    public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

/// The style `switch` of switches.
public struct SwitchToggleStyle: ToggleStyle {
    /// Makes the style.
    public init() {}
}
extension ToggleStyle where Self == SwitchToggleStyle {
    /// The style `switch` of switches.
    public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}

/// The style `button` of switches.
public struct ButtonToggleStyle: ToggleStyle {
    /// Makes the style.
    public init() {}
}
extension ToggleStyle where Self == ButtonToggleStyle {
    /// The style `button` of switches.
    public static var button: ButtonToggleStyle { ButtonToggleStyle() }
}

/// How choices look.
public protocol PickerStyle: _NamedStyle {}

extension View {
    /// Sets how choices look.
    nonisolated public func pickerStyle<S>(_ style: S) -> some View where S: PickerStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.picker] = name }
    }
}

/// The usual style of choices.
public struct DefaultPickerStyle: PickerStyle {
    /// Makes the style.
    public init() {}
}
extension PickerStyle where Self == DefaultPickerStyle {
    /// The usual style of choices.
    public static var automatic: DefaultPickerStyle { DefaultPickerStyle() }
}

/// The style `segmented` of choices.
public struct SegmentedPickerStyle: PickerStyle {
    /// Makes the style.
    public init() {}
}
extension PickerStyle where Self == SegmentedPickerStyle {
    /// The style `segmented` of choices.
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

/// The style `inline` of choices.
public struct InlinePickerStyle: PickerStyle {
    /// Makes the style.
    public init() {}
}
extension PickerStyle where Self == InlinePickerStyle {
    /// The style `inline` of choices.
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}

/// The style `wheel` of choices.
public struct WheelPickerStyle: PickerStyle {
    /// Makes the style.
    public init() {}
}
extension PickerStyle where Self == WheelPickerStyle {
    /// The style `wheel` of choices.
    public static var wheel: WheelPickerStyle { WheelPickerStyle() }
}

/// The style `menu` of choices.
public struct MenuPickerStyle: PickerStyle {
    /// Makes the style.
    public init() {}
}
extension PickerStyle where Self == MenuPickerStyle {
    /// The style `menu` of choices.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

/// How fields look.
public protocol TextFieldStyle: _NamedStyle {}

extension View {
    /// Sets how fields look.
    nonisolated public func textFieldStyle<S>(_ style: S) -> some View where S: TextFieldStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.field] = name }
    }
}

/// The usual style of fields.
public struct DefaultTextFieldStyle: TextFieldStyle {
    /// Makes the style.
    public init() {}
}
extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// The usual style of fields.
    public static var automatic: DefaultTextFieldStyle { DefaultTextFieldStyle() }
}

/// The style `plain` of fields.
public struct PlainTextFieldStyle: TextFieldStyle {
    /// Makes the style.
    public init() {}
}
extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// The style `plain` of fields.
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}

/// The style `roundedBorder` of fields.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    /// Makes the style.
    public init() {}
}
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// The style `roundedBorder` of fields.
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}

/// How labels look.
public protocol LabelStyle: _NamedStyle {}

extension View {
    /// Sets how labels look.
    nonisolated public func labelStyle<S>(_ style: S) -> some View where S: LabelStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.label] = name }
    }
}

/// The usual style of labels.
public struct DefaultLabelStyle: LabelStyle {
    /// Makes the style.
    public init() {}
}
extension LabelStyle where Self == DefaultLabelStyle {
    /// The usual style of labels.
    public static var automatic: DefaultLabelStyle { DefaultLabelStyle() }
}

/// The style `iconOnly` of labels.
public struct IconOnlyLabelStyle: LabelStyle {
    /// Makes the style.
    public init() {}
}
extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The style `iconOnly` of labels.
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}

/// The style `titleOnly` of labels.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// Makes the style.
    public init() {}
}
extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The style `titleOnly` of labels.
    public static var titleOnly: TitleOnlyLabelStyle { TitleOnlyLabelStyle() }
}

/// The style `titleAndIcon` of labels.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// Makes the style.
    public init() {}
}
extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The style `titleAndIcon` of labels.
    public static var titleAndIcon: TitleAndIconLabelStyle { TitleAndIconLabelStyle() }
}

/// How choices of a date look.
public protocol DatePickerStyle: _NamedStyle {}

extension View {
    /// Sets how choices of a date look.
    nonisolated public func datePickerStyle<S>(_ style: S) -> some View where S: DatePickerStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.date] = name }
    }
}

/// The usual style of choices of a date.
public struct DefaultDatePickerStyle: DatePickerStyle {
    /// Makes the style.
    public init() {}
}
extension DatePickerStyle where Self == DefaultDatePickerStyle {
    /// The usual style of choices of a date.
    public static var automatic: DefaultDatePickerStyle { DefaultDatePickerStyle() }
}

/// The style `compact` of choices of a date.
public struct CompactDatePickerStyle: DatePickerStyle {
    /// Makes the style.
    public init() {}
}
extension DatePickerStyle where Self == CompactDatePickerStyle {
    /// The style `compact` of choices of a date.
    public static var compact: CompactDatePickerStyle { CompactDatePickerStyle() }
}

/// The style `graphical` of choices of a date.
public struct GraphicalDatePickerStyle: DatePickerStyle {
    /// Makes the style.
    public init() {}
}
extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    /// The style `graphical` of choices of a date.
    public static var graphical: GraphicalDatePickerStyle { GraphicalDatePickerStyle() }
}

/// The style `wheel` of choices of a date.
public struct WheelDatePickerStyle: DatePickerStyle {
    /// Makes the style.
    public init() {}
}
extension DatePickerStyle where Self == WheelDatePickerStyle {
    /// The style `wheel` of choices of a date.
    public static var wheel: WheelDatePickerStyle { WheelDatePickerStyle() }
}

/// How stacks of pages look.
public protocol NavigationViewStyle: _NamedStyle {}

extension View {
    /// Sets how stacks of pages look.
    nonisolated public func navigationViewStyle<S>(_ style: S) -> some View where S: NavigationViewStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.navigation] = name }
    }
}

/// The usual style of stacks of pages.
public struct DefaultNavigationViewStyle: NavigationViewStyle {
    /// Makes the style.
    public init() {}
}
extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    /// The usual style of stacks of pages.
    public static var automatic: DefaultNavigationViewStyle { DefaultNavigationViewStyle() }
}

/// The style `stack` of stacks of pages.
public struct StackNavigationViewStyle: NavigationViewStyle {
    /// Makes the style.
    public init() {}
}
extension NavigationViewStyle where Self == StackNavigationViewStyle {
    /// The style `stack` of stacks of pages.
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}

/// The style `columns` of stacks of pages.
public struct ColumnNavigationViewStyle: NavigationViewStyle {
    /// Makes the style.
    public init() {}
}
extension NavigationViewStyle where Self == ColumnNavigationViewStyle {
    /// The style `columns` of stacks of pages.
    public static var columns: ColumnNavigationViewStyle { ColumnNavigationViewStyle() }
}

/// The style `doubleColumn` of stacks of pages.
public struct DoubleColumnNavigationViewStyle: NavigationViewStyle {
    /// Makes the style.
    public init() {}
}
extension NavigationViewStyle where Self == DoubleColumnNavigationViewStyle {
    /// The style `doubleColumn` of stacks of pages.
    public static var doubleColumn: DoubleColumnNavigationViewStyle { DoubleColumnNavigationViewStyle() }
}

/// How tabs look.
public protocol TabViewStyle: _NamedStyle {}

extension View {
    /// Sets how tabs look.
    nonisolated public func tabViewStyle<S>(_ style: S) -> some View where S: TabViewStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.tabs] = name }
    }
}

/// The usual style of tabs.
public struct DefaultTabViewStyle: TabViewStyle {
    /// Makes the style.
    public init() {}
}
extension TabViewStyle where Self == DefaultTabViewStyle {
    /// The usual style of tabs.
    public static var automatic: DefaultTabViewStyle { DefaultTabViewStyle() }
}

/// The style `page` of tabs.
public struct PageTabViewStyle: TabViewStyle {
    /// Makes the style.
    public init() {}
}
extension TabViewStyle where Self == PageTabViewStyle {
    /// The style `page` of tabs.
    public static var page: PageTabViewStyle { PageTabViewStyle() }
}

/// How progress look.
public protocol ProgressViewStyle: _NamedStyle {}

extension View {
    /// Sets how progress look.
    nonisolated public func progressViewStyle<S>(_ style: S) -> some View where S: ProgressViewStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.progress] = name }
    }
}

/// The usual style of progress.
public struct DefaultProgressViewStyle: ProgressViewStyle {
    /// Makes the style.
    public init() {}
}
extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// The usual style of progress.
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

/// The style `linear` of progress.
public struct LinearProgressViewStyle: ProgressViewStyle {
    /// Makes the style.
    public init() {}
}
extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// The style `linear` of progress.
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}

/// The style `circular` of progress.
public struct CircularProgressViewStyle: ProgressViewStyle {
    /// Makes the style.
    public init() {}
}
extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// The style `circular` of progress.
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}

/// How forms look.
public protocol FormStyle: _NamedStyle {}

extension View {
    /// Sets how forms look.
    nonisolated public func formStyle<S>(_ style: S) -> some View where S: FormStyle {
        let name = style.className
        return environmentChange { $0.styleClasses[.form] = name }
    }
}

/// The usual style of forms.
public struct AutomaticFormStyle: FormStyle {
    /// Makes the style.
    public init() {}
}
extension FormStyle where Self == AutomaticFormStyle {
    /// The usual style of forms.
    public static var automatic: AutomaticFormStyle { AutomaticFormStyle() }
}

/// The style `grouped` of forms.
public struct GroupedFormStyle: FormStyle {
    /// Makes the style.
    public init() {}
}
extension FormStyle where Self == GroupedFormStyle {
    /// The style `grouped` of forms.
    public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}

/// The style `columns` of forms.
public struct ColumnsFormStyle: FormStyle {
    /// Makes the style.
    public init() {}
}
extension FormStyle where Self == ColumnsFormStyle {
    /// The style `columns` of forms.
    public static var columns: ColumnsFormStyle { ColumnsFormStyle() }
}

extension View {
    /// Sets how large controls are.
    nonisolated public func controlSize(_ controlSize: ControlSize) -> some View {
        environmentChange { $0.styleClasses[.size] = "\(controlSize)" }
    }
    /// Hides labels of controls, except from assistive technology.
    nonisolated public func labelsHidden() -> some View { environmentChange { $0.areLabelsHidden = true } }
}
