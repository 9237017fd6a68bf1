// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Synchronization

/// A value in the user defaults, shared by all properties with the same key and type.
@propertyWrapper public struct AppStorage<Value>: DynamicProperty, ComparableField {
    private let cell: StateCell<Value>

    private init(
        _ key: String, _ store: UserDefaults?, _ value: Value, read: (Any) -> Value?,
        write: @escaping (Value) -> Any?
    ) {
        cell = StoredCells.cell(key, store ?? .standard, value, read, write)
    }

    /// The value. Setting it also writes it to the user defaults.
    public var wrappedValue: Value {
        get { cell.current }
        nonmutating set { cell.set(newValue, Transaction()) }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> { Binding(cell) }

    func isSame(as other: AppStorage) -> Bool { cell === other.cell }
}

private enum StoredCells {
    private struct Key: Hashable {
        let store: ObjectIdentifier
        let key: String
        let type: ObjectIdentifier
    }

    // `cell` is never replaced, and has its own lock; the lock of `cells` guards the dictionary.
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

/// A type whose values can be stored in user defaults.
public protocol _StorableInDefaults {
    /// Returns the value of an object in the user defaults, or `nil` if the object has another type.
    static func _stored(_ value: Any) -> Self?
    /// The object that represents the value in the user defaults.
    var _storable: Any { get }
}

extension _StorableInDefaults {
    /// Returns the object if it has this type, and `nil` otherwise.
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
    /// Returns the URL of a string, or `nil` if the object isn't a URL's string.
    public static func _stored(_ value: Any) -> URL? { (value as? String).flatMap { URL(string: $0) } }
    /// The absolute string of the URL.
    public var _storable: Any { absoluteString }
}

extension AppStorage where Value: _StorableInDefaults {
    /// Creates a property for a key in `store`, by default the standard user defaults. `wrappedValue` is the value if
    /// the key is missing.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(key, store, wrappedValue, read: Value._stored, write: { $0._storable })
    }
}

extension AppStorage {
    /// Creates a property for a key in `store`, by default the standard user defaults, which hold the raw value.
    /// `wrappedValue` is the value if the key is missing or its raw value is unknown.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue: _StorableInDefaults {
        self.init(
            key, store, wrappedValue, read: { Value.RawValue._stored($0).flatMap(Value.init(rawValue:)) },
            write: { $0.rawValue._storable })
    }

    /// Creates a property for a key in `store`, by default the standard user defaults. The value is `nil` if the key is
    /// missing; setting `nil` removes the key.
    public init<Wrapped>(_ key: String, store: UserDefaults? = nil)
    where Value == Wrapped?, Wrapped: _StorableInDefaults {
        self.init(key, store, nil, read: { Wrapped._stored($0) }, write: { $0?._storable })
    }

    /// Creates a property for a key in `store`, by default the standard user defaults, which hold the raw value. The
    /// value is `nil` if the key is missing or its raw value is unknown; setting `nil` removes the key.
    public init<Wrapped>(_ key: String, store: UserDefaults? = nil)
    where Value == Wrapped?, Wrapped: RawRepresentable, Wrapped.RawValue: _StorableInDefaults {
        self.init(
            key, store, nil, read: { Wrapped.RawValue._stored($0).flatMap(Wrapped.init(rawValue:)) },
            write: { $0?.rawValue._storable })
    }
}

/// A value shared by all properties of a window with the same key. It's kept in memory until the window is closed.
@propertyWrapper public struct SceneStorage<Value>: DynamicProperty, HostedProperty, ComparableField {
    private let key: String
    private var cell: StateCell<Value>

    /// Creates a property for a key. `wrappedValue` is the initial value.
    public init(wrappedValue: Value, _ key: String) {
        self.key = key
        cell = StateCell(wrappedValue)
    }

    /// Creates a property for a key, with an initial value of `nil`.
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

/// A namespace for the identities of matched views. Has no effect in the browser host.
@propertyWrapper public struct Namespace: DynamicProperty, ComparableField {
    /// The identity of a namespace. All namespaces have the same one.
    public struct ID: Hashable, Sendable {}

    /// Creates a namespace.
    public init() {}

    /// The identity of the namespace.
    public var wrappedValue: ID { ID() }

    func isSame(as other: Namespace) -> Bool { true }
}
