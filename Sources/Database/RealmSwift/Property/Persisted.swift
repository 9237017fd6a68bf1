// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// A property wrapper that declares a stored property of an object class.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted(indexed: true) var name: String
///     @Persisted(fullText: true) var notes: String
///     @Persisted var age = 1
///     @Persisted var toy: Toy?
///     @Persisted var tags: List<String>
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
///
/// A property declared without a value gets the default of its type when it is first read: nil, zero, an empty string
/// or collection, the current date, or a new random identifier. If a class has at least one `@Persisted` property, its
/// other properties aren't stored.
@frozen
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// In an unmanaged object, the value after it is set; in a managed object, the retained collection.
    @usableFromInline var value: Value?
    /// Reads depend only on this field.
    @usableFromInline var key = PropertyKey.unmanaged
    /// Read once, from a fresh instance, when the schema of the class is built.
    @usableFromInline var options: Options = []

    @frozen @usableFromInline
    struct Options: OptionSet {
        @usableFromInline let rawValue: UInt8

        @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

        @usableFromInline static var indexed: Options { @inlinable get { Options(rawValue: 1) } }
        @usableFromInline static var primaryKey: Options { @inlinable get { Options(rawValue: 2) } }
        /// Marks a `dynamic var` in the style from before Realm 10.10.
        @usableFromInline static var legacy: Options { @inlinable get { Options(rawValue: 4) } }
        @usableFromInline static var fullText: Options { @inlinable get { Options(rawValue: 8) } }
    }

    @inlinable init(value: Value?, options: Options) {
        self.value = value
        self.options = options
    }

    /// Declares a property with the default value of its type.
    @inlinable public init() {
        self.init(value: nil, options: [])
    }

    /// Declares a property with a default value.
    @inlinable public init(wrappedValue value: Value) {
        self.init(value: value, options: [])
    }

    /// Unavailable: a persisted property must be declared in an object class.
    @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
    public var wrappedValue: Value {
        get { throwRealmException("@Persisted can only be used as a property on a Realm object") }
        set { throwRealmException("@Persisted can only be used as a property on a Realm object") }
    }

    /// The property of the enclosing object.
    ///
    /// Inlinable as a whole, so that in the user's module the storage key path becomes a field access. A call that
    /// receives a key path would build one at each read: without inlining, a read took 256 ns instead of 1.1.
    @inlinable
    public static subscript<EnclosingSelf: ObjectBase>(
        _enclosingInstance observed: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        @inline(__always) get {
            let key = observed[keyPath: storageKeyPath].key
            if key != .unmanaged && !Value._keepsManagedValue { return Value._get(observed, key) }
            if let value = observed[keyPath: storageKeyPath].value { return value }
            let value = key == .unmanaged ? Value._makeDefault() : Value._get(observed, key)
            if observed._keepsCollections { observed[keyPath: storageKeyPath].value = value }
            return value
        }
        @inline(__always) set {
            let key = observed[keyPath: storageKeyPath].key
            if key != .unmanaged {
                Value._set(observed, key, newValue)
            } else {
                let old = observed[keyPath: storageKeyPath].value
                observed[keyPath: storageKeyPath].value = Value._assigned(newValue, replacing: old)
            }
        }
    }
}

extension Persisted {
    /// Creates a property for the macro `@PersistedMembers` and a `dynamic var`. The property is stored according to
    /// the `primaryKey()`, `indexedProperties()` and `ignoredProperties()` of its class.
    @inlinable public init(_dynamic: Bool) {
        self.init(value: nil, options: _dynamic ? .legacy : [])
    }

    /// Creates a property for the macro `@PersistedMembers` and a `dynamic var` with a default value.
    @inlinable public init(wrappedValue value: Value, _dynamic: Bool) {
        self.init(value: value, options: _dynamic ? .legacy : [])
    }
}

extension Persisted where Value.PersistedType: _Indexable {
    /// Declares a property with an index, which equality queries use.
    @inlinable public init(indexed: Bool) {
        self.init(value: nil, options: indexed ? .indexed : [])
    }

    /// Declares an indexed property with a default value.
    @inlinable public init(wrappedValue value: Value, indexed: Bool) {
        self.init(value: value, options: indexed ? .indexed : [])
    }
}

extension Persisted where Value.PersistedType: _FullTextIndexable {
    /// Declares a string property with a full-text index, for queries with `TEXT`. An addition to Realm's API.
    ///
    /// ```swift
    /// class Note: Object {
    ///     @Persisted(fullText: true) var text: String
    /// }
    /// realm.objects(Note.self).filter("text TEXT %@", "swift -objc data*")
    /// ```
    ///
    /// The query finds notes that contain the word "swift" and a word that begins with "data", but not the word "objc".
    /// Case and diacritics are ignored. Only a `String` or `String?` property can have a full-text index, and it can't
    /// also be `indexed` or a `primaryKey`. The index is created when the Realm is opened, without an increase of the
    /// schema version; it replaces an existing index of the property's values.
    @inlinable public init(fullText: Bool) {
        self.init(value: nil, options: fullText ? .fullText : [])
    }

    /// Declares a string property with a full-text index and a default value. An addition to Realm's API.
    @inlinable public init(wrappedValue value: Value, fullText: Bool) {
        self.init(value: value, options: fullText ? .fullText : [])
    }
}

extension Persisted {
    /// Unavailable: only strings can have a full-text index.
    @_disfavoredOverload
    @available(*, unavailable, message: "only a String or String? property can have a full-text index")
    public init(fullText: Bool) { self.init(value: nil, options: []) }

    /// Unavailable: a property can't have two indexes.
    @available(*, unavailable, message: "a property with a full-text index cannot be indexed otherwise")
    public init(indexed: Bool, fullText: Bool) { self.init(value: nil, options: []) }

    /// Unavailable: a primary key can't have a full-text index.
    @available(*, unavailable, message: "a property with a full-text index cannot be the primary key")
    public init(primaryKey: Bool, fullText: Bool) { self.init(value: nil, options: []) }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
    /// Declares the primary key, which identifies an object among those of its class.
    @inlinable public init(primaryKey: Bool) {
        self.init(value: nil, options: primaryKey ? .primaryKey : [])
    }

    /// Declares the primary key with a default value.
    @inlinable public init(wrappedValue value: Value, primaryKey: Bool) {
        self.init(value: value, options: primaryKey ? .primaryKey : [])
    }
}

extension Persisted where Value: LinkingObjectsProtocol {
    /// Declares the inverse of a link: the objects of `Value.Element` that link to this object through their property
    /// `originProperty`.
    public init(originProperty: String) {
        self.init(wrappedValue: Value._inverse(of: originProperty))
    }
}
