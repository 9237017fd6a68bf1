// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Makes unmanaged copies of the objects in a value that `create` is given, because `create` never makes the objects
/// themselves managed (realm 4): not those of another Realm, not unmanaged ones, and no embedded ones.
///
/// An object that is met again is the same copy, so that cycles and shared objects stay what they are. Top-level
/// objects of the Realm itself are linked to.
struct ObjectCopier {
    private let realm: RealmInstance
    private var copies: [(object: ObjectBase, copy: ObjectBase)] = []
    private var places: [Identity: Int] = [:]

    /// An object: the row, or the instance of an unmanaged one.
    private enum Identity: Hashable {
        case row(ObjectIdentifier, ObjectIdentifier, Int64)
        case instance(ObjectIdentifier)
    }

    init(_ realm: RealmInstance) { self.realm = realm }

    /// What an object of the class `target` is to be made from, as a value by which its properties can be set.
    mutating func source(_ value: Any, for target: ClassInfo) -> Any {
        guard !isContainer(value), let object = value as? ObjectBase else { return copy(value) ?? value }
        let source = PropertySource(object)
        return values(of: object, target.properties) { source.value(named: $0.name, for: target) }
    }

    /// A value without objects that must not be used themselves.
    mutating func copy(_ value: Any?) -> Any? {
        if let value, isPlain(value) { return value }
        guard let value = flattened(value) else { return nil }
        if !isContainer(value) {
            if let object = value as? ObjectBase { return copy(object) }
            if let value = value as? AnyRealmValue { return copy(value._rlmDynamicValue) }
        }
        if let entries = dictionaryEntries(of: value) {
            var copies: [String: Any] = [:]
            for entry in entries { copies[entry.key] = copy(entry.value) ?? NSNull() }
            return copies
        }
        guard let elements = sequenceElements(of: value) else { return value }
        return elements.map { copy($0) ?? NSNull() } as [Any]
    }

    private mutating func copy(_ object: ObjectBase) -> ObjectBase {
        if object._rlmRow.realm === realm, !object.livesInParent, object.hasRow { return object }
        let identity = Self.identity(of: object)
        if let place = places[identity] { return copies[place].copy }
        let copy = realm.makeTwin(of: object)
        places[identity] = copies.count
        // Holding the object keeps its identity from being given to another one.
        copies.append((object, copy))
        let values = values(of: object, object.classInfo.properties, object.dynamicValue)
        for (name, value) in values { copy.setDynamicValue(value, named: name) }
        return copy
    }

    private mutating func values(
        of object: ObjectBase, _ properties: [PropertyInfo], _ value: (PropertyInfo) -> Any?
    ) -> [String: Any] {
        if object.isInvalidated {
            realm.refuse("Adding a deleted or invalidated object to a Realm is not permitted")
        }
        var values: [String: Any] = [:]
        for property in properties { values[property.name] = copy(value(property)) ?? NSNull() }
        return values
    }

    private static func identity(of object: ObjectBase) -> Identity {
        guard let realm = object._rlmRow.realm, let managed = object._rlmRow.managed else {
            return .instance(ObjectIdentifier(object))
        }
        return .row(ObjectIdentifier(realm), ObjectIdentifier(managed), object._rlmRow.key.rawValue)
    }
}
