// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Observation

/// Gives bindings to the properties of an observable object.
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value> where Value: AnyObject, Value: Observable {
    /// The object.
    public var wrappedValue: Value

    /// Makes bindings to an object available.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Makes bindings to an object available.
    public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Makes another of a projected value.
    public init(projectedValue: Bindable<Value>) { self = projectedValue }

    /// What gives the bindings.
    public var projectedValue: Bindable<Value> { self }

    /// A binding to a property. Views that read it follow it by Swift Observation.
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        Binding(ObjectLocation(wrappedValue, keyPath) { _, _ in })
    }
}

extension Bindable: Sendable where Value: Sendable {}
