// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The key of an environment value.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value of views without an ancestor that sets it.
    static var defaultValue: Self.Value { get }
}

/// The values that a view passes to its descendants.
public struct EnvironmentValues: CustomStringConvertible {
    fileprivate protocol Entry {
        var value: Any { get }
        @MainActor func isSame(as other: Any) -> Bool
    }

    private struct EntryOf<T>: Entry {
        let kept: T
        var value: Any { kept }

        @MainActor func isSame(as other: Any) -> Bool { (other as? T).map { Comparison.areSame(kept, $0) } ?? false }
    }

    /// Never mutated after it's shared.
    fileprivate final class Storage {
        var entries: [ObjectIdentifier: any Entry]
        init(_ entries: [ObjectIdentifier: any Entry]) { self.entries = entries }
    }

    private var storage = Storage([:])

    /// The keys read by the current recording, or `nil` without a recording. Used on the main thread only.
    nonisolated(unsafe) private static var reads: Set<ObjectIdentifier>?

    /// Creates an environment with default values.
    public init() {}

    /// The value of a key.
    public subscript<K>(key: K.Type) -> K.Value where K: EnvironmentKey {
        get {
            if MainPlace.isHere { Self.reads?.insert(ObjectIdentifier(key)) }
            return storage.entries[ObjectIdentifier(key)]?.value as? K.Value ?? K.defaultValue
        }
        set { set(newValue, ObjectIdentifier(key)) }
    }

    /// A description with the number of keys that are set.
    public var description: String { "EnvironmentValues(\(storage.entries.count) set)" }

    private mutating func set<T>(_ value: T, _ key: ObjectIdentifier) {
        let entry = EntryOf(kept: value)
        if isKnownUniquelyReferenced(&storage) {
            storage.entries[key] = entry
        } else {
            storage = Storage(storage.entries.merging([key: entry]) { $1 })
        }
    }

    func object<T: AnyObject>(_ type: T.Type) -> T? { storage.entries[ObjectIdentifier(type)]?.value as? T }

    mutating func set<T: AnyObject>(_ object: T?, as type: T.Type) { set(object, ObjectIdentifier(type)) }

    @MainActor func keysDifferent(from other: EnvironmentValues) -> Set<ObjectIdentifier> {
        guard storage !== other.storage else { return [] }
        let (new, old) = (storage.entries, other.storage.entries)
        var keys = Set(old.keys.filter { new[$0] == nil })
        for (key, entry) in new {
            if let before = old[key], entry.isSame(as: before.value) { continue }
            keys.insert(key)
        }
        return keys
    }

    @MainActor static func recordingReads<T>(_ body: () -> T) -> (T, Set<ObjectIdentifier>) {
        let outer = reads
        reads = []
        let result = body()
        let inner = reads ?? []
        reads = outer?.union(inner)
        return (result, inner)
    }
}

// The storage is never mutated after it's shared; values are read on the main actor only.
extension EnvironmentValues: @unchecked Sendable {}

/// A property that reads an environment value.
@propertyWrapper public struct Environment<Value>: DynamicProperty, HostedProperty, ComparableField {
    private let read: @MainActor (Node?) -> Value
    private let key: AnyHashable
    private weak var node: Node?

    /// Creates a property that reads the value at a key path.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        key = AnyHashable(keyPath)
        // Immutable, and read on the main actor only, where `read` runs.
        nonisolated(unsafe) let keyPath = keyPath
        read = { $0?.read(keyPath) ?? EnvironmentValues()[keyPath: keyPath] }
    }

    /// Creates a property that reads the observable object of a type.
    ///
    /// - Precondition: When the property is read, an ancestor has set an object of this type.
    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        key = AnyHashable(ObjectIdentifier(objectType))
        read = { node in
            guard let object = node?.readObject(Value.self) else {
                preconditionFailure("No Observable object of type \(Value.self) found.")
            }
            return object
        }
    }

    /// Creates a property that reads the observable object of a type, or `nil` if no ancestor has set one.
    public init<T>(_ objectType: T.Type) where Value == T?, T: AnyObject, T: Observable {
        key = AnyHashable(ObjectIdentifier(objectType))
        read = { $0?.readObject(T.self) }
    }

    /// The environment value. Outside of a view, it's the default value.
    public var wrappedValue: Value {
        let (node, read) = (node, read)
        return onMainActor { read(node) }
    }

    @MainActor mutating func connect(_ slot: PropertySlot) { node = slot.node }

    func isSame(as other: Environment) -> Bool { key == other.key }
}

nonisolated struct EnvironmentModification<Value>: Modification {
    let change: (inout EnvironmentValues) -> Void

    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node) { change(&environment) }
}

extension View {
    /// Sets an environment value of the view and its descendants.
    nonisolated public func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View {
        modifier(EnvironmentModification<V> { $0[keyPath: keyPath] = value })
    }

    /// Transforms an environment value of the view and its descendants.
    nonisolated public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View {
        modifier(EnvironmentModification<V> { transform(&$0[keyPath: keyPath]) })
    }
}
