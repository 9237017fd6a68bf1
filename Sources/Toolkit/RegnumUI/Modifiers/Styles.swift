// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A built-in style. The page's style sheet identifies it by the name of its type.
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

/// A type that defines the appearance of lists.
public protocol ListStyle: _NamedStyle {}

extension View {
    /// Sets the style of lists in this view.
    nonisolated public func listStyle<S>(_ style: S) -> some View where S: ListStyle {
        styled(.list, style)
    }
}

/// The default list style.
public struct DefaultListStyle: ListStyle { public init() {} }
extension ListStyle where Self == DefaultListStyle {
    /// The default list style.
    public static var automatic: Self { Self() }
}

/// The `plain` list style.
public struct PlainListStyle: ListStyle { public init() {} }
extension ListStyle where Self == PlainListStyle {
    /// The `plain` list style.
    public static var plain: Self { Self() }
}

/// The `grouped` list style.
public struct GroupedListStyle: ListStyle { public init() {} }
extension ListStyle where Self == GroupedListStyle {
    /// The `grouped` list style.
    public static var grouped: Self { Self() }
}

/// The `insetGrouped` list style.
public struct InsetGroupedListStyle: ListStyle { public init() {} }
extension ListStyle where Self == InsetGroupedListStyle {
    /// The `insetGrouped` list style.
    public static var insetGrouped: Self { Self() }
}

/// The `inset` list style.
public struct InsetListStyle: ListStyle { public init() {} }
extension ListStyle where Self == InsetListStyle {
    /// The `inset` list style.
    public static var inset: Self { Self() }
}

/// The `sidebar` list style.
public struct SidebarListStyle: ListStyle { public init() {} }
extension ListStyle where Self == SidebarListStyle {
    /// The `sidebar` list style.
    public static var sidebar: Self { Self() }
}

/// A type that defines the appearance of toggles.
public protocol ToggleStyle: _NamedStyle {}

extension View {
    /// Sets the style of toggles in this view.
    nonisolated public func toggleStyle<S>(_ style: S) -> some View where S: ToggleStyle {
        styled(.toggle, style)
    }
}

/// The default toggle style.
public struct DefaultToggleStyle: ToggleStyle { public init() {} }
extension ToggleStyle where Self == DefaultToggleStyle {
    /// The default toggle style.
    public static var automatic: Self { Self() }
}

/// The `switch` toggle style.
public struct SwitchToggleStyle: ToggleStyle { public init() {} }
extension ToggleStyle where Self == SwitchToggleStyle {
    /// The `switch` toggle style.
    public static var `switch`: Self { Self() }
}

/// The `button` toggle style.
public struct ButtonToggleStyle: ToggleStyle { public init() {} }
extension ToggleStyle where Self == ButtonToggleStyle {
    /// The `button` toggle style.
    public static var button: Self { Self() }
}

/// A type that defines the appearance of pickers.
public protocol PickerStyle: _NamedStyle {}

extension View {
    /// Sets the style of pickers in this view.
    nonisolated public func pickerStyle<S>(_ style: S) -> some View where S: PickerStyle {
        styled(.picker, style)
    }
}

/// The default picker style.
public struct DefaultPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == DefaultPickerStyle {
    /// The default picker style.
    public static var automatic: Self { Self() }
}

/// The `segmented` picker style.
public struct SegmentedPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == SegmentedPickerStyle {
    /// The `segmented` picker style.
    public static var segmented: Self { Self() }
}

/// The `inline` picker style.
public struct InlinePickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == InlinePickerStyle {
    /// The `inline` picker style.
    public static var inline: Self { Self() }
}

/// The `wheel` picker style.
public struct WheelPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == WheelPickerStyle {
    /// The `wheel` picker style.
    public static var wheel: Self { Self() }
}

/// The `menu` picker style.
public struct MenuPickerStyle: PickerStyle { public init() {} }
extension PickerStyle where Self == MenuPickerStyle {
    /// The `menu` picker style.
    public static var menu: Self { Self() }
}

/// A type that defines the appearance of text fields.
public protocol TextFieldStyle: _NamedStyle {}

extension View {
    /// Sets the style of text fields in this view.
    nonisolated public func textFieldStyle<S>(_ style: S) -> some View where S: TextFieldStyle {
        styled(.field, style)
    }
}

/// The default text field style.
public struct DefaultTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// The default text field style.
    public static var automatic: Self { Self() }
}

/// The `plain` text field style.
public struct PlainTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// The `plain` text field style.
    public static var plain: Self { Self() }
}

/// The `roundedBorder` text field style.
public struct RoundedBorderTextFieldStyle: TextFieldStyle { public init() {} }
extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// The `roundedBorder` text field style.
    public static var roundedBorder: Self { Self() }
}

/// A type that defines the appearance of labels.
public protocol LabelStyle: _NamedStyle {}

extension View {
    /// Sets the style of labels in this view.
    nonisolated public func labelStyle<S>(_ style: S) -> some View where S: LabelStyle {
        styled(.label, style)
    }
}

/// The default label style.
public struct DefaultLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == DefaultLabelStyle {
    /// The default label style.
    public static var automatic: Self { Self() }
}

/// The `iconOnly` label style.
public struct IconOnlyLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The `iconOnly` label style.
    public static var iconOnly: Self { Self() }
}

/// The `titleOnly` label style.
public struct TitleOnlyLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The `titleOnly` label style.
    public static var titleOnly: Self { Self() }
}

/// The `titleAndIcon` label style.
public struct TitleAndIconLabelStyle: LabelStyle { public init() {} }
extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The `titleAndIcon` label style.
    public static var titleAndIcon: Self { Self() }
}

/// A type that defines the appearance of date pickers.
public protocol DatePickerStyle: _NamedStyle {}

extension View {
    /// Sets the style of date pickers in this view.
    nonisolated public func datePickerStyle<S>(_ style: S) -> some View where S: DatePickerStyle {
        styled(.date, style)
    }
}

/// The default date picker style.
public struct DefaultDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == DefaultDatePickerStyle {
    /// The default date picker style.
    public static var automatic: Self { Self() }
}

/// The `compact` date picker style.
public struct CompactDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == CompactDatePickerStyle {
    /// The `compact` date picker style.
    public static var compact: Self { Self() }
}

/// The `graphical` date picker style.
public struct GraphicalDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == GraphicalDatePickerStyle {
    /// The `graphical` date picker style.
    public static var graphical: Self { Self() }
}

/// The `wheel` date picker style.
public struct WheelDatePickerStyle: DatePickerStyle { public init() {} }
extension DatePickerStyle where Self == WheelDatePickerStyle {
    /// The `wheel` date picker style.
    public static var wheel: Self { Self() }
}

/// A type that defines the appearance of navigation views.
public protocol NavigationViewStyle: _NamedStyle {}

extension View {
    /// Sets the style of navigation views in this view.
    nonisolated public func navigationViewStyle<S>(_ style: S) -> some View where S: NavigationViewStyle {
        styled(.navigation, style)
    }
}

/// The default navigation view style.
public struct DefaultNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    /// The default navigation view style.
    public static var automatic: Self { Self() }
}

/// The `stack` navigation view style.
public struct StackNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == StackNavigationViewStyle {
    /// The `stack` navigation view style.
    public static var stack: Self { Self() }
}

/// The `columns` navigation view style.
public struct ColumnNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == ColumnNavigationViewStyle {
    /// The `columns` navigation view style.
    public static var columns: Self { Self() }
}

/// The `doubleColumn` navigation view style.
public struct DoubleColumnNavigationViewStyle: NavigationViewStyle { public init() {} }
extension NavigationViewStyle where Self == DoubleColumnNavigationViewStyle {
    /// The `doubleColumn` navigation view style.
    public static var doubleColumn: Self { Self() }
}

/// A type that defines the appearance of tab views.
public protocol TabViewStyle: _NamedStyle {}

extension View {
    /// Sets the style of tab views in this view.
    nonisolated public func tabViewStyle<S>(_ style: S) -> some View where S: TabViewStyle {
        styled(.tabs, style)
    }
}

/// The default tab view style.
public struct DefaultTabViewStyle: TabViewStyle { public init() {} }
extension TabViewStyle where Self == DefaultTabViewStyle {
    /// The default tab view style.
    public static var automatic: Self { Self() }
}

/// The `page` tab view style.
public struct PageTabViewStyle: TabViewStyle {
    /// The condition for showing the page indicator. Has no effect in the browser host.
    public enum IndexDisplayMode: Sendable { case automatic, always, never }
    /// Creates an instance of the style.
    public init(indexDisplayMode: IndexDisplayMode = .automatic) {}
}
extension TabViewStyle where Self == PageTabViewStyle {
    /// The `page` tab view style.
    public static var page: Self { Self() }
    /// The `page` tab view style.
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> Self { Self() }
}

/// A type that defines the appearance of progress views.
public protocol ProgressViewStyle: _NamedStyle {}

extension View {
    /// Sets the style of progress views in this view.
    nonisolated public func progressViewStyle<S>(_ style: S) -> some View where S: ProgressViewStyle {
        styled(.progress, style)
    }
}

/// The default progress view style.
public struct DefaultProgressViewStyle: ProgressViewStyle { public init() {} }
extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// The default progress view style.
    public static var automatic: Self { Self() }
}

/// The `linear` progress view style.
public struct LinearProgressViewStyle: ProgressViewStyle { public init() {} }
extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// The `linear` progress view style.
    public static var linear: Self { Self() }
}

/// The `circular` progress view style.
public struct CircularProgressViewStyle: ProgressViewStyle { public init() {} }
extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// The `circular` progress view style.
    public static var circular: Self { Self() }
}

/// A type that defines the appearance of forms.
public protocol FormStyle: _NamedStyle {}

extension View {
    /// Sets the style of forms in this view.
    nonisolated public func formStyle<S>(_ style: S) -> some View where S: FormStyle {
        styled(.form, style)
    }
}

/// The default form style.
public struct AutomaticFormStyle: FormStyle { public init() {} }
extension FormStyle where Self == AutomaticFormStyle {
    /// The default form style.
    public static var automatic: Self { Self() }
}

/// The `grouped` form style.
public struct GroupedFormStyle: FormStyle { public init() {} }
extension FormStyle where Self == GroupedFormStyle {
    /// The `grouped` form style.
    public static var grouped: Self { Self() }
}

/// The `columns` form style.
public struct ColumnsFormStyle: FormStyle { public init() {} }
extension FormStyle where Self == ColumnsFormStyle {
    /// The `columns` form style.
    public static var columns: Self { Self() }
}

extension View {
    /// Sets the size of controls.
    nonisolated public func controlSize(_ controlSize: ControlSize) -> some View {
        environmentChange { $0.styleClasses[.size] = "\(controlSize)" }
    }
    /// Hides the labels of controls, except from assistive technology.
    nonisolated public func labelsHidden() -> some View { environmentChange { $0.areLabelsHidden = true } }
}
