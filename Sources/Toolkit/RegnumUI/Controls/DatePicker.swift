// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The components of a date that a date picker shows.
public struct DatePickerComponents: OptionSet, Sendable {
    /// The raw value, with a bit for each component.
    public let rawValue: UInt
    /// Creates a set from its raw value.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The hour and minute.
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    /// The day, month, and year.
    public static let date = DatePickerComponents(rawValue: 2)
}

/// A control for choosing a date. A date outside of the range leaves the selection unchanged.
nonisolated public struct DatePicker<Label>: View, Primitive where Label: View {
    /// The components of a date that the picker shows.
    public typealias Components = DatePickerComponents

    private let selection: Binding<Date>
    private let minimum: Date?
    private let maximum: Date?
    private let components: Components
    private let label: Label

    fileprivate init(
        _ selection: Binding<Date>, _ minimum: Date?, _ maximum: Date?, _ components: Components, _ label: Label
    ) {
        (self.selection, self.minimum, self.maximum) = (selection, minimum, maximum)
        (self.components, self.label) = (components, label)
    }

    /// Creates a date picker.
    public init(
        selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> Label
    ) {
        self.init(selection, nil, nil, displayedComponents, label())
    }
    /// Creates a date picker limited to a range.
    public init(
        selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label
    ) {
        self.init(selection, range.lowerBound, range.upperBound, displayedComponents, label())
    }
    /// Creates a date picker with a minimum date.
    public init(
        selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label
    ) {
        self.init(selection, range.lowerBound, nil, displayedComponents, label())
    }
    /// Creates a date picker with a maximum date.
    public init(
        selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> Label
    ) {
        self.init(selection, nil, range.upperBound, displayedComponents, label())
    }

    @MainActor func evaluate(_ node: Node) { node.child(.part("label"), label) }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.labelled(.date, by: "label")
        element.state[.value] = .text(node.run { selection.wrappedValue }.formatted(.iso8601))
        element.state[.day] = .bool(components.contains(.date))
        element.state[.hour] = .bool(components.contains(.hourAndMinute))
        element.state[.minimum] = minimum.map { .text($0.formatted(.iso8601)) }
        element.state[.maximum] = maximum.map { .text($0.formatted(.iso8601)) }
        node.handle(.input, of: &element) { value in
            guard case .date(let date) = value, date >= minimum ?? date, date <= maximum ?? date else { return }
            selection.wrappedValue = date
        }
        return Output(element)
    }
}

extension DatePicker where Label == Text {
    /// Creates a date picker with a title.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, nil, nil, displayedComponents, Text(titleKey))
    }
    /// Creates a date picker with a title.
    @_disfavoredOverload public init<S>(
        _ title: S, selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, nil, nil, displayedComponents, Text(title))
    }
    /// Creates a date picker with a title, limited to a range.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, range.lowerBound, range.upperBound, displayedComponents, Text(titleKey))
    }
    /// Creates a date picker with a title, limited to a range.
    @_disfavoredOverload public init<S>(
        _ title: S, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, range.lowerBound, range.upperBound, displayedComponents, Text(title))
    }
    /// Creates a date picker with a title and a minimum date.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, range.lowerBound, nil, displayedComponents, Text(titleKey))
    }
    /// Creates a date picker with a title and a minimum date.
    @_disfavoredOverload public init<S>(
        _ title: S, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, range.lowerBound, nil, displayedComponents, Text(title))
    }
    /// Creates a date picker with a title and a maximum date.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection, nil, range.upperBound, displayedComponents, Text(titleKey))
    }
    /// Creates a date picker with a title and a maximum date.
    @_disfavoredOverload public init<S>(
        _ title: S, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) where S: StringProtocol {
        self.init(selection, nil, range.upperBound, displayedComponents, Text(title))
    }
}
