// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A view of an object that contains a selection of its properties, which can be renamed, and of properties of objects
/// that it links to.
///
/// ```swift
/// class PersonProjection: Projection<Person> {
///     @Projected(\Person.firstName) var firstName
///     @Projected(\Person.address?.city) var homeCity
/// }
/// let people = realm.objects(PersonProjection.self).sorted(by: \.firstName)
/// ```
///
/// A projection stores only a reference to its root object. Like that object, it is live and confined to a thread.
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>: RealmCollectionValue,
    ProjectionObservable, CustomStringConvertible
{
    /// The type that is stored for an element of a collection of projections.
    public typealias PersistedType = Root

    /// The object that is projected.
    public let rootObject: Root

    /// Creates a projection of an object, which may be unmanaged.
    ///
    /// - Precondition: The key path of each property begins with one declared `@Persisted`.
    public required init(projecting object: Root) {
        rootObject = object
        ProjectionInfo.of(self).verify()
    }

    /// A textual representation of the properties, with their paths in the root object and their values.
    open var description: String {
        let lines = ProjectionInfo.of(self).properties.map { property in
            "\t\t\(property.name)(\\.\(property.origin)) = \(property.printedValue(of: rootObject));\n"
        }
        let place = unsafe "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), radix: 16)
        return "\(type(of: self))<\(Root.self)> <\(place)> {\n\(lines.joined())}"
    }

    /// Returns whether both project the same stored object or, if it is unmanaged, the same instance.
    public static func == (lhs: Projection, rhs: Projection) -> Bool {
        lhs.rootObject === rhs.rootObject || lhs.rootObject.denotesSameRow(as: rhs.rootObject)
    }

    /// Hashes the identity of the root object. If its class has a primary key, the hash equals that of the root object.
    public func hash(into hasher: inout Hasher) {
        if rootObject.isManaged && rootObject.classInfo.primaryKey == nil {
            hasher.combine(rootObject._rlmRow.key.rawValue)
        } else {
            rootObject.hash(into: &hasher)
        }
    }
}

/// An object that projects another object. ``Projection`` is the only conforming type.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
    /// The class of the projected object.
    associatedtype Root: ObjectBase

    /// The object that is projected.
    var rootObject: Root { get }

    /// Creates a projection of an object.
    init(projecting object: Root)
}

extension Projection: ThreadConfined where Root: ThreadConfined {
    /// The Realm that manages the root object; nil when unmanaged.
    public var realm: Realm? { rootObject.realm }

    /// A Boolean value that indicates whether the root object was managed and has been deleted.
    public var isInvalidated: Bool { rootObject.isInvalidated }

    /// A Boolean value that indicates whether the root object is frozen.
    public var isFrozen: Bool { rootObject.isFrozen }

    /// Returns a projection of an immutable snapshot of the root object.
    ///
    /// - Precondition: The root object is managed.
    public func freeze() -> Self { Self(projecting: rootObject.freeze()) }

    /// Returns a projection of the live root object for the caller's thread, or nil if it was deleted.
    public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }
}

extension Projection: Transferable {
    var managingInstance: RealmInstance? { rootObject.managingInstance }

    func transferred(to instance: RealmInstance) -> Self {
        Self(projecting: rootObject.transferred(to: instance))
    }
}

extension Projection: RealmFetchable {}
extension Projection: KeypathSortable {}

// MARK: Elements of results

extension Projection: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> Self? {
        if let projection = value as? Self { return projection }
        return (value as? Root).map { Self(projecting: $0) }
    }

    /// The root object.
    public var _rlmDynamicValue: Any? { rootObject }

    public var _rlmContent: _StoredContent { rootObject._rlmContent }

    public static func _make(_ stored: _StoredElement) -> Self? {
        Root._make(stored).map { Self(projecting: $0) }
    }
}

extension Projection {
    public static var _elementShape: _PropertyShape { Root._elementShape }

    public static var _isProjection: Bool { true }

    public static func _element(_ object: ObjectBase) -> Self {
        unsafe Self(projecting: unsafeDowncast(object, to: Root.self))
    }
}

extension Projection: ProjectionClass {
    static var rootClass: ObjectBase.Type { Root.self }

    static func projection(of object: ObjectBase) -> Self { _element(object) }

    static var origins: [String] { ProjectionInfo.of(projection(of: rootClass.init())).properties.map(\.origin) }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// An identifier that is equal for all projections of the same stored object.
    public var id: UInt64 { rootObject.rowIdentifier }
}

/// Returns the names of the root object's stored properties for a key path of a projection, separated by dots.
public func _name<O: ObjectBase, T>(for keyPath: PartialKeyPath<T>) -> String where T: Projection<O> {
    PropertyProbe.nameIfStored(keyPath) ?? ""
}
