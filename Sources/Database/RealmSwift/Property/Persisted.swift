// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Declares a property of an object class as stored in the database.
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
/// A property declared without a value gets the empty value of its type when first read: nil, zero, "", an empty
/// collection, now, or a new random identifier. If a class has at least one such property, its other stored properties
/// are ignored.
@frozen
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// The value in an unmanaged object, after it is set; in a managed object, the instance that it retains.
    @usableFromInline var value: Value?
    /// The key of the property in a managed object. A read depends on this field alone.
    @usableFromInline var key = PropertyKey.unmanaged
    /// The options of the declaration. Read once, from a fresh instance, when the schema of the class is built.
    @usableFromInline var options: Options = []

    @frozen @usableFromInline
    struct Options: OptionSet {
        @usableFromInline let rawValue: UInt8

        @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

        @usableFromInline static var indexed: Options { @inlinable get { Options(rawValue: 1) } }
        @usableFromInline static var primaryKey: Options { @inlinable get { Options(rawValue: 2) } }
        /// Marks a `dynamic var` of the style before 10.10.
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

    /// Used only without an enclosing object, which the compiler reports.
    @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
    public var wrappedValue: Value {
        get { throwRealmException("@Persisted can only be used as a property on a Realm object") }
        set { throwRealmException("@Persisted can only be used as a property on a Realm object") }
    }

    /// The property of `observed`.
    ///
    /// Inlinable as a whole, so that in the user's module the storage key path becomes a field access. No call may
    /// receive a key path from here, as that would build one at each read: without inlining, a read took 256 ns instead
    /// of 1.1.
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
    /// Creates the wrapper that the macro `@PersistedMembers` adds to a `dynamic var`: a property of a class whose
    /// `primaryKey()`, `indexedProperties()` and `ignoredProperties()` are used (model 6).
    @inlinable public init(_dynamic: Bool) {
        self.init(value: nil, options: _dynamic ? .legacy : [])
    }

    /// Creates the wrapper that the macro `@PersistedMembers` adds to a `dynamic var` with a default value.
    @inlinable public init(wrappedValue value: Value, _dynamic: Bool) {
        self.init(value: value, options: _dynamic ? .legacy : [])
    }
}

extension Persisted where Value.PersistedType: _Indexable {
    /// Declares a property with an index for equality queries.
    @inlinable public init(indexed: Bool) {
        self.init(value: nil, options: indexed ? .indexed : [])
    }

    /// Declares an indexed property with a default value.
    @inlinable public init(wrappedValue value: Value, indexed: Bool) {
        self.init(value: value, options: indexed ? .indexed : [])
    }
}

extension Persisted where Value.PersistedType: _FullTextIndexable {
    /// Declares a text whose words are indexed for queries with `TEXT` (ours):
    ///
    /// ```swift
    /// class Note: Object {
    ///     @Persisted(fullText: true) var text: String
    /// }
    /// realm.objects(Note.self).filter("text TEXT %@", "swift -objc data*")
    /// ```
    ///
    /// This finds the notes with the word "swift", a word that begins with "data", and without the word "objc",
    /// ignoring case and diacritics. Only a `String` or `String?` can have such an index, which replaces `indexed` and
    /// `primaryKey`. If a class declares it for a property whose column has no index, or one of values, the column gets
    /// the new index when the Realm is opened; the schema version doesn't have to be increased.
    @inlinable public init(fullText: Bool) {
        self.init(value: nil, options: fullText ? .fullText : [])
    }

    /// Declares a text with a default value whose words are indexed.
    @inlinable public init(wrappedValue value: Value, fullText: Bool) {
        self.init(value: value, options: fullText ? .fullText : [])
    }
}

extension Persisted {
    /// Used only for types that aren't text, which the compiler reports.
    @_disfavoredOverload
    @available(*, unavailable, message: "only a String or String? property can have a full-text index")
    public init(fullText: Bool) { self.init(value: nil, options: []) }

    /// Used only by declarations with two indexes, which the compiler reports.
    @available(*, unavailable, message: "a property with a full-text index cannot be indexed otherwise")
    public init(indexed: Bool, fullText: Bool) { self.init(value: nil, options: []) }

    /// Used only by declarations with two indexes, which the compiler reports.
    @available(*, unavailable, message: "a property with a full-text index cannot be the primary key")
    public init(primaryKey: Bool, fullText: Bool) { self.init(value: nil, options: []) }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
    /// Declares the property whose value identifies an object among those of its class.
    @inlinable public init(primaryKey: Bool) {
        self.init(value: nil, options: primaryKey ? .primaryKey : [])
    }

    /// Declares the primary key with a default value.
    @inlinable public init(wrappedValue value: Value, primaryKey: Bool) {
        self.init(value: value, options: primaryKey ? .primaryKey : [])
    }
}

extension Persisted where Value: LinkingObjectsProtocol {
    /// Declares the inverse of a link: the objects of `Value.Element` whose property `originProperty` links here.
    public init(originProperty: String) {
        self.init(wrappedValue: Value._inverse(of: originProperty))
    }
}
