// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// A property that reads and writes a value stored elsewhere, such as the `State` of an ancestor.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value>: DynamicProperty, ComparableField {
    /// The transaction passed along with each change through the binding.
    public var transaction = Transaction()
    let location: Location<Value>

    init(_ location: Location<Value>) { self.location = location }

    /// Creates a binding from two functions, which run on the main actor.
    @preconcurrency public init(
        get: @escaping @MainActor @Sendable () -> Value, set: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        self.init(get: get, set: { value, _ in set(value) })
    }

    /// Creates a binding from two functions, which run on the main actor. `set` also receives the transaction.
    @preconcurrency public init(
        get: @escaping @MainActor @Sendable () -> Value,
        set: @escaping @MainActor @Sendable (Value, Transaction) -> Void
    ) {
        location = FunctionLocation(
            read: { onMainActor { get() } },
            write: { value, transaction in
                // Transferred to the main actor: this thread waits for `set` and doesn't use the value afterwards.
                nonisolated(unsafe) let value = value
                onMainActor { set(value, transaction) }
            })
    }

    /// Returns a binding to a constant. Setting the binding has no effect.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(ConstantLocation(value)) }

    /// Creates a binding from a projected value.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// Creates an optional binding from a binding to a value. Setting `nil` has no effect.
    public init<V>(_ base: Binding<V>) where Value == V? {
        location = DerivedLocation(base.location, at: "optional", read: { $0 }, write: { if let new = $1 { $0 = new } })
    }

    /// Creates a binding to the value of an optional, or returns `nil` if the optional is `nil`. If it becomes `nil`
    /// later, the binding returns the last value, and setting it has no effect.
    public init?(_ base: Binding<Value?>) {
        guard let value = base.wrappedValue else { return nil }
        let last = LastValue(value)
        location = DerivedLocation(
            base.location, at: "unwrapped", read: { last.update($0) }, write: { if $0 != nil { $0 = last.update($1) } })
    }

    /// Creates a type-erased binding from a binding to a hashable value. Setting a value of another type has no effect.
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

    /// Returns a binding to a property of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            DerivedLocation(
                location, at: AnyHashable(keyPath), read: { $0[keyPath: keyPath] }, write: { $0[keyPath: keyPath] = $1 }
            ))
    }

    /// Returns the binding with a transaction for its changes.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var copy = self
        copy.transaction = transaction
        return copy
    }

    /// Returns the binding with an animation for its changes.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        transaction(Transaction(animation: animation))
    }

    /// Compares locations only: a location itself notifies its readers of changes.
    func isSame(as other: Binding) -> Bool { location.isSame(as: other.location) }
}

/// Used on the main thread, or guarded by the owner of the binding.
private final class LastValue<Value> {
    private var value: Value

    init(_ value: Value) { self.value = value }

    func update(_ new: Value?) -> Value {
        if let new { value = new }
        return value
    }
}

/// Can be called from any thread.
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
    /// The type of the elements: bindings to the elements of the value.
    public typealias Element = Binding<Value.Element>
    /// The type of the iterator.
    public typealias Iterator = IndexingIterator<Binding<Value>>
    /// The type of a slice.
    public typealias SubSequence = Slice<Binding<Value>>
}

extension Binding: Collection where Value: MutableCollection {
    /// The type of an index of the value.
    public typealias Index = Value.Index
    /// The type of the collection of the value's indices.
    public typealias Indices = Value.Indices

    /// The first index of the value.
    public var startIndex: Value.Index { wrappedValue.startIndex }
    /// The index after the last element of the value.
    public var endIndex: Value.Index { wrappedValue.endIndex }
    /// The indices of the value.
    public var indices: Value.Indices { wrappedValue.indices }
    /// Returns the index after an index.
    public func index(after i: Value.Index) -> Value.Index { wrappedValue.index(after: i) }
    /// Replaces an index with the next one.
    public func formIndex(after i: inout Value.Index) { wrappedValue.formIndex(after: &i) }

    /// Returns a binding to the element at an index. If the index becomes invalid later, the binding returns the last
    /// value, and setting it has no effect.
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
    fileprivate func contains(_ position: Index) -> Bool { position >= startIndex && position < endIndex }
}

/// An index that isn't hashable is unique.
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
    /// Returns the index before an index.
    public func index(before i: Value.Index) -> Value.Index { wrappedValue.index(before: i) }
    /// Replaces an index with the previous one.
    public func formIndex(before i: inout Value.Index) { wrappedValue.formIndex(before: &i) }
}

extension Binding: RandomAccessCollection where Value: MutableCollection & RandomAccessCollection {}
