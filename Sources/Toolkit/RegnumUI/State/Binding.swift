// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// A property that reads and writes a value owned by another object or view.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value>: DynamicProperty, ComparableField {
    /// The transaction of changes through the binding.
    public var transaction = Transaction()
    let location: Location<Value>

    init(_ location: Location<Value>) { self.location = location }

    /// Creates a binding from two functions, which run on the main actor.
    @preconcurrency public init(
        get: @escaping @MainActor @Sendable () -> Value, set: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        self.init(get: get, set: { value, _ in set(value) })
    }

    /// Creates a binding from two functions, the second of which receives the transaction. They run on the main actor.
    @preconcurrency public init(
        get: @escaping @MainActor @Sendable () -> Value,
        set: @escaping @MainActor @Sendable (Value, Transaction) -> Void
    ) {
        location = FunctionLocation(
            read: { onMainActor { get() } },
            write: { value, transaction in
                // Handed over to the main actor: this thread waits for `set` and doesn't use the value afterwards.
                nonisolated(unsafe) let value = value
                onMainActor { set(value, transaction) }
            })
    }

    /// Returns a binding to a constant, which ignores writes.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(ConstantLocation(value)) }

    /// Creates a binding from a projected value.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// Creates an optional binding from a binding. Setting nil has no effect.
    public init<V>(_ base: Binding<V>) where Value == V? {
        location = DerivedLocation(base.location, at: "optional", read: { $0 }, write: { if let new = $1 { $0 = new } })
    }

    /// Creates a binding to the value of an optional. Fails if the optional is nil. If it becomes nil later, the last
    /// value is read, and writes are ignored.
    public init?(_ base: Binding<Value?>) {
        guard let value = base.wrappedValue else { return nil }
        let last = LastValue(value)
        location = DerivedLocation(
            base.location, at: "unwrapped", read: { last.update($0) }, write: { if $0 != nil { $0 = last.update($1) } })
    }

    /// Creates a binding to a hashable value from a binding to a value of one type. Values of other types are ignored.
    public init<V>(_ base: Binding<V>) where Value == AnyHashable, V: Hashable {
        location = DerivedLocation(
            base.location, at: "hashable", read: { AnyHashable($0) }, write: { if let new = $1.base as? V { $0 = new } }
        )
    }

    /// The value.
    public var wrappedValue: Value {
        get { location.current }
        nonmutating set { location.set(newValue, transaction) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// Returns a binding to a part of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            DerivedLocation(
                location, at: AnyHashable(keyPath), read: { $0[keyPath: keyPath] }, write: { $0[keyPath: keyPath] = $1 }
            ))
    }

    /// Returns the binding with another transaction.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var copy = self
        copy.transaction = transaction
        return copy
    }

    /// Returns the binding with an animation for its changes.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        transaction(Transaction(animation: animation))
    }

    /// Two bindings to the same location are equal. The location notifies its readers of changes.
    func isSame(as other: Binding) -> Bool { location.isSame(as: other.location) }
}

/// The last value of an optional that may become nil. Used on the main thread, or guarded by the owner of the binding.
private final class LastValue<Value> {
    private var value: Value

    init(_ value: Value) { self.value = value }

    func update(_ new: Value?) -> Value {
        if let new { value = new }
        return value
    }
}

/// Runs the closure synchronously on the main actor, from any thread.
func onMainActor<T>(_ body: @MainActor () -> T) -> T {
    // Set on the main actor; this thread reads it after `run` has returned.
    nonisolated(unsafe) var result: T?
    func run() { MainActor.assumeIsolated { result = body() } }
    if MainPlace.isHere { run() } else { DispatchQueue.main.sync { run() } }
    guard let result else { preconditionFailure("The main queue did not run what it was given.") }
    return result
}

// A cell's lock guards its value, and `onMainActor` the functions of a binding. No lock guards the object of an
// `ObjectLocation`, nor a `LastValue`: bindings to those must be used on the main actor.
extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: Identifiable where Value: Identifiable {
    /// The identity of the value.
    public var id: Value.ID { wrappedValue.id }
}

extension Binding: Sequence where Value: MutableCollection {
    /// The elements, as bindings.
    public typealias Element = Binding<Value.Element>
    /// The iterator of a collection.
    public typealias Iterator = IndexingIterator<Binding<Value>>
    /// A slice of the collection of bindings.
    public typealias SubSequence = Slice<Binding<Value>>
}

extension Binding: Collection where Value: MutableCollection {
    /// The indices of the value.
    public typealias Index = Value.Index
    /// The indices of the value.
    public typealias Indices = Value.Indices

    /// The first index.
    public var startIndex: Value.Index { wrappedValue.startIndex }
    /// The index after the last element.
    public var endIndex: Value.Index { wrappedValue.endIndex }
    /// All indices.
    public var indices: Value.Indices { wrappedValue.indices }
    /// Returns the index after another.
    public func index(after i: Value.Index) -> Value.Index { wrappedValue.index(after: i) }
    /// Advances an index.
    public func formIndex(after i: inout Value.Index) { wrappedValue.formIndex(after: &i) }

    /// Returns a binding to the element at an index. If the index becomes invalid later, the last value is read, and
    /// writes are ignored.
    public subscript(position: Value.Index) -> Binding<Value.Element> {
        element(at: position, AnyHashable(ElementPlace(position)), wrappedValue[position])
    }

    func element(at position: Value.Index, _ place: AnyHashable, _ value: Value.Element) -> Binding<Value.Element> {
        let last = LastValue(value)
        return Binding<Value.Element>(
            DerivedLocation(
                location, at: place,
                read: { $0.contains(position) ? last.update($0[position]) : last.update(nil) },
                write: { if $0.contains(position) { $0[position] = last.update($1) } }))
    }
}

extension Collection {
    /// Whether an index is valid.
    fileprivate func contains(_ position: Index) -> Bool { position >= startIndex && position < endIndex }
}

/// An index of a collection as a component of a location's identity. Indices of most types are hashable.
private struct ElementPlace: Hashable {
    private let value: AnyHashable

    init<Index>(_ index: Index) {
        value = (index as? any Hashable).map { AnyHashable($0) } ?? AnyHashable(UniquePlace())
    }
}

private final class UniquePlace: Hashable {
    static func == (a: UniquePlace, b: UniquePlace) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Binding: BidirectionalCollection where Value: BidirectionalCollection & MutableCollection {
    /// Returns the index before another.
    public func index(before i: Value.Index) -> Value.Index { wrappedValue.index(before: i) }
    /// Moves an index back.
    public func formIndex(before i: inout Value.Index) { wrappedValue.formIndex(before: &i) }
}

extension Binding: RandomAccessCollection where Value: MutableCollection & RandomAccessCollection {}
