// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// A way to read and write a value that something else owns.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value>: DynamicProperty, ComparableField {
    /// What a set through the binding says of itself.
    public var transaction = Transaction()
    let location: Location<Value>

    init(_ location: Location<Value>) { self.location = location }

    /// Makes a binding of two functions. They run on the main actor.
    @preconcurrency public init(
        get: @escaping @MainActor @Sendable () -> Value, set: @escaping @MainActor @Sendable (Value) -> Void
    ) {
        self.init(get: get, set: { value, _ in set(value) })
    }

    /// Makes a binding of two functions, one of which is told the transaction. They run on the main actor.
    @preconcurrency public init(
        get: @escaping @MainActor @Sendable () -> Value,
        set: @escaping @MainActor @Sendable (Value, Transaction) -> Void
    ) {
        location = FunctionLocation(
            read: { onMainActor { get() } },
            write: { value, transaction in
                nonisolated(unsafe) let value = value
                onMainActor { set(value, transaction) }
            })
    }

    /// Makes a binding that reads a value and ignores what is set.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(ConstantLocation(value)) }

    /// Makes a binding of a binding.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// Makes a binding to an optional of a binding to a value. Setting nil does nothing.
    public init<V>(_ base: Binding<V>) where Value == V? {
        location = DerivedLocation(base.location, at: "optional", read: { $0 }, write: { if let new = $1 { $0 = new } })
    }

    /// Makes a binding to the value of an optional, or nothing if there is none. If it becomes nil later, the last
    /// value is read, and what is set is dropped.
    public init?(_ base: Binding<Value?>) {
        guard let value = base.wrappedValue else { return nil }
        let last = LastValue(value)
        location = DerivedLocation(
            base.location, at: "unwrapped", read: { last.update($0) }, write: { if $0 != nil { $0 = last.update($1) } })
    }

    /// Makes a binding to any hashable value of a binding to one of a type. A value of another type is dropped.
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

    /// A binding to a part of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            DerivedLocation(
                location, at: AnyHashable(keyPath), read: { $0[keyPath: keyPath] }, write: { $0[keyPath: keyPath] = $1 }
            ))
    }

    /// The binding with another transaction.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var copy = self
        copy.transaction = transaction
        return copy
    }

    /// The binding with an animation of what it changes.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        transaction(Transaction(animation: animation))
    }

    /// Two bindings to one place are the same. If what is there changed, its readers are told by that place.
    func isSame(as other: Binding) -> Bool { location.isSame(as: other.location) }
}

/// The last value of an optional that may become nil. Bindings are used on the main thread, or guarded by their owner.
private final class LastValue<Value> {
    private var value: Value

    init(_ value: Value) { self.value = value }

    func update(_ new: Value?) -> Value {
        if let new { value = new }
        return value
    }
}

/// Runs on the main actor and waits, from whichever thread.
func onMainActor<T>(_ body: @MainActor () -> T) -> T {
    nonisolated(unsafe) var result: T?
    func run() { MainActor.assumeIsolated { result = body() } }
    if MainPlace.isHere { run() } else { DispatchQueue.main.sync { run() } }
    guard let result else { preconditionFailure("The main queue did not run what it was given.") }
    return result
}

// Locations of Sendable values are guarded by their locks or confined to the main actor.
extension Binding: @unchecked Sendable where Value: Sendable {}

extension Binding: Identifiable where Value: Identifiable {
    /// The identity of the value.
    public var id: Value.ID { wrappedValue.id }
}

extension Binding: Sequence where Value: MutableCollection {
    /// Elements are bindings.
    public typealias Element = Binding<Value.Element>
    /// The iterator of a collection.
    public typealias Iterator = IndexingIterator<Binding<Value>>
    /// Slices are those of any collection.
    public typealias SubSequence = Slice<Binding<Value>>
}

extension Binding: Collection where Value: MutableCollection {
    /// The indices of the value.
    public typealias Index = Value.Index
    /// The indices of the value.
    public typealias Indices = Value.Indices

    /// The first position.
    public var startIndex: Value.Index { wrappedValue.startIndex }
    /// The position after the last.
    public var endIndex: Value.Index { wrappedValue.endIndex }
    /// All positions.
    public var indices: Value.Indices { wrappedValue.indices }
    /// The position after another.
    public func index(after i: Value.Index) -> Value.Index { wrappedValue.index(after: i) }
    /// Moves a position forward.
    public func formIndex(after i: inout Value.Index) { wrappedValue.formIndex(after: &i) }

    /// A binding to the element at a position. If the position is gone later, the last value is read, and what is set
    /// is dropped.
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
    /// Whether there is an element at a position.
    fileprivate func contains(_ position: Index) -> Bool { position >= startIndex && position < endIndex }
}

/// A position in a collection as a part of a location's identity: the types of most can be hashed.
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
    /// The position before another.
    public func index(before i: Value.Index) -> Value.Index { wrappedValue.index(before: i) }
    /// Moves a position back.
    public func formIndex(before i: inout Value.Index) { wrappedValue.formIndex(before: &i) }
}

extension Binding: RandomAccessCollection where Value: MutableCollection & RandomAccessCollection {}
