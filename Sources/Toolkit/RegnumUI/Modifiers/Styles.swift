// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A style of the toolkit's own: the page's style sheet knows it by the name of its type.
public protocol _NamedStyle: Sendable {}

extension _NamedStyle {
    var className: String { "\(Self.self)" }
}

extension View {
    nonisolated fileprivate func styled(_ kind: EnvironmentValues.Styled, _ style: some _NamedStyle) -> some View {
        let name = style.className
        return environmentChange { $0.styleClasses[kind] = name }
    }
}

/// How lists look.
public protocol ListStyle: _NamedStyle {}

extension View {
    /// Sets how lists look.
    nonisolated public func listStyle<S>(_ style: S) -> some View where S: ListStyle {
        styled(.list, style)
    }
}

/// The usual style of lists.
public struct DefaultListStyle: ListStyle { public init() {} }
extension ListStyle where Self == DefaultListStyle {
    /// The usual style of lists.
    public static var automatic: Self { Self() }
}

/// The style `plain` of lists.
public struct PlainListStyle: ListStyle { public init() {} }
extension ListStyle where Self == PlainListStyle {
    /// The style `plain` of lists.
    public static var plain: Self { Self() }
}

/// The style `grouped` of lists.
public struct GroupedListStyle: ListStyle { public init() {} }
extension ListStyle where Self == GroupedListStyle {
    /// The style `grouped` of lists.
    public static var grouped: Self { Self() }
}

/// The style `insetGrouped` of lists.
public struct InsetGroupedListStyle: ListStyle { public init() {} }
extension ListStyle where Self == InsetGroupedListStyle {
    /// The style `insetGrouped` of lists.
    public static var insetGrouped: Self { Self() }
}

/// The style `inset` of lists.
public struct InsetListStyle: ListStyle { public init() {} }
extension ListStyle where Self == InsetListStyle {
    /// The style `inset` of lists.
    public static var inset: Self { Self() }
}

/// The style `sidebar` of lists.
public struct SidebarListStyle: ListStyle { public init() {} }
extension ListStyle where Self == SidebarListStyle {
    /// The style `sidebar` of lists.
    public static var sidebar: Self { Self() }
}

/// How switches look.
public protocol ToggleStyle: _NamedStyle {}

extension View {
    /// Sets how switches look.
    nonisolated public func toggleStyle<S>(_ style: S) -> some View where S: ToggleStyle {
        styled(.toggle, style)
    }
}

/// The usual style of switches.
public struct DefaultToggleStyle: ToggleStyle { public init() {} }
extension ToggleStyle where Self == DefaultToggleStyle {
    /// The usual style of switches.
    public static var automatic: Self { Self() }
}

/// The style `switch` of switches.
public struct SwitchToggleStyle: ToggleStyle { public init() {} }
extension ToggleStyle where Self == SwitchToggleStyle {
    /// The style `switch` of switches.
    public static var `switch`: Self { Self() }
}

/// The style `button` of switches.
public struct ButtonToggleStyle: ToggleStyle { public init() {} }
extension ToggleStyle where Self == ButtonToggleStyle {
    /// The style `button` of switches.
    public static var button: Self { Self() }
}

/// How choices look.
public protocol PickerStyle: _NamedStyle {}

extension View {
    /// Sets how choices look.
    nonisolated public func pickerStyle<S>(_ style: S) -> some View where S: PickerStyle {
        styled(.picker, style)
    }
}

/// The usual style of choices.
public struct DefaultPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == DefaultPickerStyle {
    /// The usual style of choices.
    public static var automatic: Self { Self() }
}

/// The style `segmented` of choices.
public struct SegmentedPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == SegmentedPickerStyle {
    /// The style `segmented` of choices.
    public static var segmented: Self { Self() }
}

/// The style `inline` of choices.
public struct InlinePickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == InlinePickerStyle {
    /// The style `inline` of choices.
    public static var inline: Self { Self() }
}

/// The style `wheel` of choices.
public struct WheelPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == WheelPickerStyle {
    /// The style `wheel` of choices.
    public static var wheel: Self { Self() }
}

/// The style `menu` of choices.
public struct MenuPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == MenuPickerStyle {
    /// The style `menu` of choices.
    public static var menu: Self { Self() }
}

/// How fields look.
public protocol TextFieldStyle: _NamedStyle {}

extension View {
    /// Sets how fields look.
    nonisolated public func textFieldStyle<S>(_ style: S) -> some View where S: TextFieldStyle {
        styled(.field, style)
    }
}

/// The usual style of fields.
public struct DefaultTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// The usual style of fields.
    public static var automatic: Self { Self() }
}

/// The style `plain` of fields.
public struct PlainTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// The style `plain` of fields.
    public static var plain: Self { Self() }
}

/// The style `roundedBorder` of fields.
public struct RoundedBorderTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// The style `roundedBorder` of fields.
    public static var roundedBorder: Self { Self() }
}

/// How labels look.
public protocol LabelStyle: _NamedStyle {}

extension View {
    /// Sets how labels look.
    nonisolated public func labelStyle<S>(_ style: S) -> some View where S: LabelStyle {
        styled(.label, style)
    }
}

/// The usual style of labels.
public struct DefaultLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == DefaultLabelStyle {
    /// The usual style of labels.
    public static var automatic: Self { Self() }
}

/// The style `iconOnly` of labels.
public struct IconOnlyLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The style `iconOnly` of labels.
    public static var iconOnly: Self { Self() }
}

/// The style `titleOnly` of labels.
public struct TitleOnlyLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The style `titleOnly` of labels.
    public static var titleOnly: Self { Self() }
}

/// The style `titleAndIcon` of labels.
public struct TitleAndIconLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The style `titleAndIcon` of labels.
    public static var titleAndIcon: Self { Self() }
}

/// How choices of a date look.
public protocol DatePickerStyle: _NamedStyle {}

extension View {
    /// Sets how choices of a date look.
    nonisolated public func datePickerStyle<S>(_ style: S) -> some View where S: DatePickerStyle {
        styled(.date, style)
    }
}

/// The usual style of choices of a date.
public struct DefaultDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == DefaultDatePickerStyle {
    /// The usual style of choices of a date.
    public static var automatic: Self { Self() }
}

/// The style `compact` of choices of a date.
public struct CompactDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == CompactDatePickerStyle {
    /// The style `compact` of choices of a date.
    public static var compact: Self { Self() }
}

/// The style `graphical` of choices of a date.
public struct GraphicalDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    /// The style `graphical` of choices of a date.
    public static var graphical: Self { Self() }
}

/// The style `wheel` of choices of a date.
public struct WheelDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == WheelDatePickerStyle {
    /// The style `wheel` of choices of a date.
    public static var wheel: Self { Self() }
}

/// How stacks of pages look.
public protocol NavigationViewStyle: _NamedStyle {}

extension View {
    /// Sets how stacks of pages look.
    nonisolated public func navigationViewStyle<S>(_ style: S) -> some View where S: NavigationViewStyle {
        styled(.navigation, style)
    }
}

/// The usual style of stacks of pages.
public struct DefaultNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    /// The usual style of stacks of pages.
    public static var automatic: Self { Self() }
}

/// The style `stack` of stacks of pages.
public struct StackNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == StackNavigationViewStyle {
    /// The style `stack` of stacks of pages.
    public static var stack: Self { Self() }
}

/// The style `columns` of stacks of pages.
public struct ColumnNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == ColumnNavigationViewStyle {
    /// The style `columns` of stacks of pages.
    public static var columns: Self { Self() }
}

/// The style `doubleColumn` of stacks of pages.
public struct DoubleColumnNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == DoubleColumnNavigationViewStyle {
    /// The style `doubleColumn` of stacks of pages.
    public static var doubleColumn: Self { Self() }
}

/// How tabs look.
public protocol TabViewStyle: _NamedStyle {}

extension View {
    /// Sets how tabs look.
    nonisolated public func tabViewStyle<S>(_ style: S) -> some View where S: TabViewStyle {
        styled(.tabs, style)
    }
}

/// The usual style of tabs.
public struct DefaultTabViewStyle: TabViewStyle { public init() {} }
extension TabViewStyle where Self == DefaultTabViewStyle {
    /// The usual style of tabs.
    public static var automatic: Self { Self() }
}

/// The style `page` of tabs.
public struct PageTabViewStyle: TabViewStyle {
    /// When a row of points shows the page. Has no effect here.
    public enum IndexDisplayMode: Sendable { case automatic, always, never }
    /// Makes the style.
    public init(indexDisplayMode: IndexDisplayMode = .automatic) {}
}
extension TabViewStyle where Self == PageTabViewStyle {
    /// The style `page` of tabs.
    public static var page: Self { Self() }
    /// The style `page` of tabs.
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> Self { Self() }
}

/// How a progress looks.
public protocol ProgressViewStyle: _NamedStyle {}

extension View {
    /// Sets how progress look.
    nonisolated public func progressViewStyle<S>(_ style: S) -> some View where S: ProgressViewStyle {
        styled(.progress, style)
    }
}

/// The usual style of progress.
public struct DefaultProgressViewStyle: ProgressViewStyle { public init() {} }
extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// The usual style of progress.
    public static var automatic: Self { Self() }
}

/// The style `linear` of progress.
public struct LinearProgressViewStyle: ProgressViewStyle { public init() {} }
extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// The style `linear` of progress.
    public static var linear: Self { Self() }
}

/// The style `circular` of progress.
public struct CircularProgressViewStyle: ProgressViewStyle { public init() {} }
extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// The style `circular` of progress.
    public static var circular: Self { Self() }
}

/// How forms look.
public protocol FormStyle: _NamedStyle {}

extension View {
    /// Sets how forms look.
    nonisolated public func formStyle<S>(_ style: S) -> some View where S: FormStyle {
        styled(.form, style)
    }
}

/// The usual style of forms.
public struct AutomaticFormStyle: FormStyle { public init() {} }
extension FormStyle where Self == AutomaticFormStyle {
    /// The usual style of forms.
    public static var automatic: Self { Self() }
}

/// The style `grouped` of forms.
public struct GroupedFormStyle: FormStyle { public init() {} }
extension FormStyle where Self == GroupedFormStyle {
    /// The style `grouped` of forms.
    public static var grouped: Self { Self() }
}

/// The style `columns` of forms.
public struct ColumnsFormStyle: FormStyle { public init() {} }
extension FormStyle where Self == ColumnsFormStyle {
    /// The style `columns` of forms.
    public static var columns: Self { Self() }
}

extension View {
    /// Sets how large controls are.
    nonisolated public func controlSize(_ controlSize: ControlSize) -> some View {
        environmentChange { $0.styleClasses[.size] = "\(controlSize)" }
    }
    /// Hides labels of controls, except from assistive technology.
    nonisolated public func labelsHidden() -> some View { environmentChange { $0.areLabelsHidden = true } }
}
