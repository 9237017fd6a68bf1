// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Observation

/// A property wrapper that creates bindings to the properties of an observable object.
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value> where Value: AnyObject, Value: Observable {
    /// The object.
    public var wrappedValue: Value

    /// Creates bindings to the properties of an object.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates bindings to the properties of an object.
    public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates a wrapper from a projected value.
    public init(projectedValue: Bindable<Value>) { self = projectedValue }

    /// The wrapper itself, whose members are bindings.
    public var projectedValue: Bindable<Value> { self }

    /// Returns a binding to a property. Views that read it depend on the property through Swift Observation.
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        Binding(ObjectLocation(wrappedValue, keyPath) { _, _ in })
    }
}

extension Bindable: Sendable where Value: Sendable {}
