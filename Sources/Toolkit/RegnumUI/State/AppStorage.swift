// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Synchronization

/// A value in the user's defaults. Views of one key follow each other.
@propertyWrapper public struct AppStorage<Value>: DynamicProperty, ComparableField {
    private let cell: StateCell<Value>

    private init(
        _ key: String, _ store: UserDefaults?, _ value: Value, read: (Any) -> Value?,
        write: @escaping (Value) -> Any?
    ) {
        cell = StoredCells.cell(key, store ?? .standard, value, read, write)
    }

    /// The value.
    public var wrappedValue: Value {
        get { cell.current }
        nonmutating set { cell.set(newValue, Transaction()) }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> { Binding(cell) }

    func isSame(as other: AppStorage) -> Bool { cell === other.cell }
}

/// The cells of all keys in use. The lock guards them.
private enum StoredCells {
    private struct Key: Hashable {
        let store: ObjectIdentifier
        let key: String
        let type: ObjectIdentifier
    }

    // Guarded by the lock of `StoredCells`.
    private struct Kept: @unchecked Sendable {
        weak var cell: AnyObject?
    }

    private static let cells = Mutex<[Key: Kept]>([:])

    static func cell<Value>(
        _ key: String, _ store: UserDefaults, _ value: Value, _ read: (Any) -> Value?,
        _ write: @escaping (Value) -> Any?
    ) -> StateCell<Value> {
        let place = Key(store: ObjectIdentifier(store), key: key, type: ObjectIdentifier(Value.self))
        if let kept = cells.withLock({ $0[place] })?.cell as? StateCell<Value> { return kept }
        let cell = StateCell(store.object(forKey: key).flatMap(read) ?? value)
        cell.didSet = { value in
            if let value = write(value) { store.set(value, forKey: key) } else { store.removeObject(forKey: key) }
        }
        let kept = Kept(cell: cell)
        cells.withLock { $0[place] = kept }
        return cell
    }
}

/// A type that the defaults hold as it is.
public protocol _StorableInDefaults {
    /// Makes the value of what the defaults hold.
    static func _stored(_ value: Any) -> Self?
    /// What the defaults hold for the value.
    var _storable: Any { get }
}

extension _StorableInDefaults {
    /// Takes a value of the type itself.
    public static func _stored(_ value: Any) -> Self? { value as? Self }
    /// The value itself.
    public var _storable: Any { self }
}

extension Bool: _StorableInDefaults {}
extension Int: _StorableInDefaults {}
extension Double: _StorableInDefaults {}
extension String: _StorableInDefaults {}
extension Data: _StorableInDefaults {}
extension Date: _StorableInDefaults {}
extension URL: _StorableInDefaults {
    /// Makes an address of its text.
    public static func _stored(_ value: Any) -> URL? { (value as? String).flatMap { URL(string: $0) } }
    /// The text of the address.
    public var _storable: Any { absoluteString }
}

extension AppStorage where Value: _StorableInDefaults {
    /// Makes the property of a key, with the value that holds where the defaults have none.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(key, store, wrappedValue, read: Value._stored, write: { $0._storable })
    }
}

extension AppStorage {
    /// Makes the property of a key whose values are named by texts or numbers.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue: _StorableInDefaults {
        self.init(
            key, store, wrappedValue, read: { Value.RawValue._stored($0).flatMap(Value.init(rawValue:)) },
            write: { $0.rawValue._storable })
    }

    /// Makes the property of a key that may have no value.
    public init<Wrapped>(_ key: String, store: UserDefaults? = nil)
    where Value == Wrapped?, Wrapped: _StorableInDefaults {
        self.init(key, store, nil, read: { Wrapped._stored($0) }, write: { $0?._storable })
    }

    /// Makes the property of a key that may have no value, and whose values are named by texts or numbers.
    public init<Wrapped>(_ key: String, store: UserDefaults? = nil)
    where Value == Wrapped?, Wrapped: RawRepresentable, Wrapped.RawValue: _StorableInDefaults {
        self.init(
            key, store, nil, read: { Wrapped.RawValue._stored($0).flatMap(Wrapped.init(rawValue:)) },
            write: { $0?.rawValue._storable })
    }
}

/// A value that is kept for the session of a window.
@propertyWrapper public struct SceneStorage<Value>: DynamicProperty, HostedProperty, ComparableField {
    private let key: String
    private var cell: StateCell<Value>

    /// Makes the property of a key.
    public init(wrappedValue: Value, _ key: String) {
        self.key = key
        cell = StateCell(wrappedValue)
    }

    /// Makes the property of a key that may have no value.
    public init<Wrapped>(_ key: String) where Value == Wrapped? { self.init(wrappedValue: nil, key) }

    /// The value.
    public var wrappedValue: Value {
        get { cell.current }
        nonmutating set { cell.set(newValue, Transaction()) }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> { Binding(cell) }

    @MainActor mutating func connect(_ slot: PropertySlot) {
        let session = slot.node.graph
        if let kept = session.sceneStorage[key] as? StateCell<Value> {
            cell = kept
        } else {
            cell = StateCell(cell.unread)
            session.sceneStorage[key] = cell
        }
    }

    func isSame(as other: SceneStorage) -> Bool { key == other.key }
}

/// A space for identities of views that change into one another. Nothing is animated here.
@propertyWrapper public struct Namespace: DynamicProperty, ComparableField {
    /// The identity of a namespace.
    public struct ID: Hashable, Sendable {}

    /// Makes a namespace.
    public init() {}

    /// Its identity.
    public var wrappedValue: ID { ID() }

    func isSame(as other: Namespace) -> Bool { true }
}
