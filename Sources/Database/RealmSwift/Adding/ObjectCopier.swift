// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// Makes unmanaged copies of the objects in a value passed to `create`, because `create` never makes the objects
/// themselves managed (realm 4): neither those of another Realm, nor unmanaged or embedded ones.
///
/// An object that occurs more than once is copied once, which preserves cycles and shared objects. Top-level objects of
/// the Realm itself are linked to.
final class ObjectCopier {
    private let realm: RealmInstance
    /// Retains each object, so that its identity isn't reused.
    private var copies: [(object: ObjectBase, copy: ObjectBase)] = []
    private var places: [Identity: Int] = [:]
    /// The number of copies that have their values. The others are filled by the outermost call, in the order in which
    /// they were found, so that a chain of objects needs no more stack than a single one.
    private var filledCount = 0
    private var isFilling = false

    private static let maxDepth = 200

    private enum Identity: Hashable {
        case row(ObjectIdentifier, ObjectIdentifier, Int64)
        case instance(ObjectIdentifier)
    }

    init(_ realm: RealmInstance) { self.realm = realm }

    /// Returns the value that an object of the class `target` is created from; its properties can be set
    /// from it.
    func source(_ value: Any, for target: ClassInfo) -> Any {
        guard !isContainer(value), let object = value as? ObjectBase else { return copy(value) ?? value }
        let source = PropertySource(object)
        return values(of: object, target.properties) { source.value(named: $0.name, for: target) }
    }

    /// Copies a value of a property. Values that describe objects are returned unchanged: their contents are copied
    /// when these objects are created.
    func copy(_ value: Any, for property: PropertyInfo) -> Any? {
        let shape = property.shape
        guard shape.type == .object, !shape.isMapped else { return copy(value, of: property) }
        guard let value = flattened(value) else { return nil }
        if let object = instance(value, of: ObjectBase.self) { return copy(object) }
        switch shape.collection {
        case .none: return value
        case .list, .set: return sequenceElements(of: value)?.map { copyIfObject($0) ?? NSNull() } ?? value
        case .dictionary:
            guard let entries = dictionaryEntries(of: value) else { return value }
            return Dictionary(entries.map { ($0.key, copyIfObject($0.value) ?? NSNull()) }) { $1 }
        }
    }

    private func copyIfObject(_ value: Any?) -> Any? {
        instance(value, of: ObjectBase.self).map(copy) ?? value
    }

    /// The source of a property of a mapped type is read at once, so it must have its values by then.
    private func copy(_ value: Any?, of property: PropertyInfo) -> Any? {
        property.shape.isMapped && isFilling ? ObjectCopier(realm).copy(value) : copy(value)
    }

    func copy(_ value: Any?, level: Int = 1) -> Any? {
        if let value, isPlain(value) { return value }
        guard let value = flattened(value) else { return nil }
        if !isContainer(value) {
            if let object = value as? ObjectBase { return copy(object) }
            if let value = value as? AnyRealmValue { return copy(value._rlmDynamicValue, level: level) }
        }
        if level > ObjectCopier.maxDepth {
            throwRealmException("Values are nested more than \(ObjectCopier.maxDepth) levels deep.")
        }
        if let entries = dictionaryEntries(of: value) {
            var copies: [String: Any] = [:]
            for entry in entries { copies[entry.key] = copy(entry.value, level: level + 1) ?? NSNull() }
            return copies
        }
        guard let elements = sequenceElements(of: value) else { return value }
        return elements.map { copy($0, level: level + 1) ?? NSNull() } as [Any]
    }

    private func copy(_ object: ObjectBase) -> ObjectBase {
        if object._rlmRow.realm === realm, !object.livesInParent, object.hasRow { return object }
        let identity = Self.identity(of: object)
        if let place = places[identity] { return copies[place].copy }
        let copy = realm.makeTwin(of: object)
        places[identity] = copies.count
        copies.append((object, copy))
        if !isFilling { fill() }
        return copy
    }

    private func fill() {
        isFilling = true
        while filledCount < copies.count {
            let (object, copy) = copies[filledCount]
            filledCount += 1
            let values = values(of: object, object.classInfo.properties, object.dynamicValue)
            for (name, value) in values { copy.setDynamicValue(value, named: name) }
        }
        isFilling = false
    }

    private func values(
        of object: ObjectBase, _ properties: [PropertyInfo], _ value: (PropertyInfo) -> Any?
    ) -> [String: Any] {
        if object.isInvalidated { realm.refuseInvalidated() }
        var values: [String: Any] = [:]
        for property in properties { values[property.name] = copy(value(property), of: property) ?? NSNull() }
        return values
    }

    private static func identity(of object: ObjectBase) -> Identity {
        guard let realm = object._rlmRow.realm, let managed = object._rlmRow.managed else {
            return .instance(ObjectIdentifier(object))
        }
        return .row(ObjectIdentifier(realm), ObjectIdentifier(managed), object._rlmRow.key.rawValue)
    }
}

extension RealmInstance {
    func refuseInvalidated() { refuse("Adding a deleted or invalidated object to a Realm is not permitted") }
}
