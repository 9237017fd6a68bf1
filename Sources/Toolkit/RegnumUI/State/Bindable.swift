// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Observation

/// A property wrapper that creates bindings to the properties of an observable object.
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value> where Value: AnyObject, Value: Observable {
    /// The object.
    public var wrappedValue: Value

    /// Creates a wrapper of an object.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates a wrapper of an object.
    public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates a wrapper from a projected value.
    public init(projectedValue: Bindable<Value>) { self = projectedValue }

    /// The wrapper itself, whose members are bindings.
    public var projectedValue: Bindable<Value> { self }

    /// Returns a binding to a property of the object. Views that read the binding depend on the property through
    /// Observation.
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        Binding(ObjectLocation(wrappedValue, keyPath) { _, _ in })
    }
}

extension Bindable: Sendable where Value: Sendable {}
