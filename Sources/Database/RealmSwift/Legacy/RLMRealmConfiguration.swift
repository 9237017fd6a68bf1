// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The configuration of the Objective-C half of Realm's SDK: a ``Realm/Configuration`` with reference semantics.
///
/// It has the properties of a `Realm.Configuration`. It is a class because Swift code changes constants of this type.
@dynamicMemberLookup
public final class RLMRealmConfiguration {
    /// The settings as a value, for `Realm(configuration:)`.
    public var configuration: Realm.Configuration

    /// Creates a configuration with the given settings.
    public init(_ configuration: Realm.Configuration = Realm.Configuration()) { self.configuration = configuration }

    /// Returns a copy of the default configuration.
    public static func `default`() -> RLMRealmConfiguration { RLMRealmConfiguration(.defaultConfiguration) }

    /// Sets the default configuration to a copy of the given one.
    public static func setDefault(_ configuration: RLMRealmConfiguration) {
        Realm.Configuration.defaultConfiguration = configuration.configuration
    }

    /// A property of ``Realm/Configuration``.
    public subscript<Value>(dynamicMember member: WritableKeyPath<Realm.Configuration, Value>) -> Value {
        get { configuration[keyPath: member] }
        set { configuration[keyPath: member] = newValue }
    }

    /// A read-only property of ``Realm/Configuration``.
    public subscript<Value>(dynamicMember member: KeyPath<Realm.Configuration, Value>) -> Value {
        configuration[keyPath: member]
    }

    /// The classes to store; nil for all classes of the process.
    public var objectClasses: [ObjectBase.Type]? {
        get { configuration.objectTypes }
        set { configuration.objectTypes = newValue }
    }
}

extension Realm {
    /// Opens the Realm of a configuration of the Objective-C half.
    ///
    /// - Throws: `Realm.Error`, like the initialiser that takes a ``Realm/Configuration``.
    @_disfavoredOverload public init(configuration: RLMRealmConfiguration) throws {
        try self.init(configuration: configuration.configuration)
    }
}
