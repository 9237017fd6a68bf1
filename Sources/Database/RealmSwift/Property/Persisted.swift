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
/// collection, now, or a new random identifier. As soon as a class has one such property, its other stored properties
/// are ignored.
@frozen
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    /// The value in an unmanaged object once there is one, or what a managed object keeps of it.
    @usableFromInline var value: Value?
    /// Where a managed object finds the property. A read decides by this field alone.
    @usableFromInline var key = PropertyKey.unmanaged
    /// What the declaration asked for. Read once, from a fresh instance, when the schema of the class is built.
    @usableFromInline var options: Options = []

    @frozen @usableFromInline
    struct Options: OptionSet {
        @usableFromInline let rawValue: UInt8

        @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

        @usableFromInline static var indexed: Options { @inlinable get { Options(rawValue: 1) } }
        @usableFromInline static var primaryKey: Options { @inlinable get { Options(rawValue: 2) } }
        /// Stands for a `dynamic var` of the style before 10.10.
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

    /// Reached only where there is no enclosing object, which the compiler reports.
    @available(*, unavailable, message: "@Persisted can only be used as a property on a Realm object")
    public var wrappedValue: Value {
        get { throwRealmException("@Persisted can only be used as a property on a Realm object") }
        set { throwRealmException("@Persisted can only be used as a property on a Realm object") }
    }

    /// The property of `observed`.
    ///
    /// Inlinable as a whole, so that in the user's module the storage key path becomes a field access; no call may
    /// receive a key path from here, as that would build one at each read: 256 ns instead of 1.1, where the optimiser
    /// was left to choose.
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
    /// What the macro `@PersistedMembers` adds to a `dynamic var`: a property of a class whose `primaryKey()`,
    /// `indexedProperties()` and `ignoredProperties()` count (model 6).
    @inlinable public init(_dynamic: Bool) {
        self.init(value: nil, options: _dynamic ? .legacy : [])
    }

    /// What the macro `@PersistedMembers` adds to a `dynamic var` with a default value.
    @inlinable public init(wrappedValue value: Value, _dynamic: Bool) {
        self.init(value: value, options: _dynamic ? .legacy : [])
    }
}

extension Persisted where Value.PersistedType: _Indexable {
    /// Declares a property that queries for equality find through an index.
    @inlinable public init(indexed: Bool) {
        self.init(value: nil, options: indexed ? .indexed : [])
    }

    /// Declares an indexed property with a default value.
    @inlinable public init(wrappedValue value: Value, indexed: Bool) {
        self.init(value: value, options: indexed ? .indexed : [])
    }
}

extension Persisted where Value.PersistedType: _FullTextIndexable {
    /// Declares a text whose words are indexed, which queries with `TEXT` search (ours):
    ///
    /// ```swift
    /// class Note: Object {
    ///     @Persisted(fullText: true) var text: String
    /// }
    /// realm.objects(Note.self).filter("text TEXT %@", "swift -objc data*")
    /// ```
    ///
    /// That finds the notes with the word "swift", a word that begins with "data", and without the word "objc",
    /// whatever their case and marks. Only a `String` or `String?` can have such an index, which takes the place of
    /// `indexed` and `primaryKey`. A class that declares it for a property whose column has no index, or one of values,
    /// gives the column the new index when the Realm is opened; the schema version need not grow for that.
    @inlinable public init(fullText: Bool) {
        self.init(value: nil, options: fullText ? .fullText : [])
    }

    /// Declares a text with a default value whose words are indexed.
    @inlinable public init(wrappedValue value: Value, fullText: Bool) {
        self.init(value: value, options: fullText ? .fullText : [])
    }
}

extension Persisted {
    /// Reached only by what has no words, which the compiler reports.
    @_disfavoredOverload
    @available(*, unavailable, message: "only a String or String? property can have a full-text index")
    public init(fullText: Bool) { self.init(value: nil, options: []) }

    /// Reached only by declarations that ask for two indexes, which the compiler reports.
    @available(*, unavailable, message: "a property with a full-text index cannot be indexed otherwise")
    public init(indexed: Bool, fullText: Bool) { self.init(value: nil, options: []) }

    /// Reached only by declarations that ask for two indexes, which the compiler reports.
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
    /// Declares the inverse of a link: the objects of `Value.Element` whose property `originProperty` leads here.
    public init(originProperty: String) {
        self.init(wrappedValue: Value._inverse(of: originProperty))
    }
}
