// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension ObjectBase {
    @usableFromInline final func _int(_ key: PropertyKey) -> Int64 { notManaged() }
    @usableFromInline final func _optionalInt(_ key: PropertyKey) -> Int64? { notManaged() }
    @usableFromInline final func _bool(_ key: PropertyKey) -> Bool { notManaged() }
    @usableFromInline final func _optionalBool(_ key: PropertyKey) -> Bool? { notManaged() }
    @usableFromInline final func _float(_ key: PropertyKey) -> Float { notManaged() }
    @usableFromInline final func _optionalFloat(_ key: PropertyKey) -> Float? { notManaged() }
    @usableFromInline final func _double(_ key: PropertyKey) -> Double { notManaged() }
    @usableFromInline final func _optionalDouble(_ key: PropertyKey) -> Double? { notManaged() }
    @usableFromInline final func _string(_ key: PropertyKey) -> String { notManaged() }
    @usableFromInline final func _optionalString(_ key: PropertyKey) -> String? { notManaged() }
    @usableFromInline final func _data(_ key: PropertyKey) -> Data { notManaged() }
    @usableFromInline final func _optionalData(_ key: PropertyKey) -> Data? { notManaged() }
    @usableFromInline final func _date(_ key: PropertyKey) -> Date { notManaged() }
    @usableFromInline final func _optionalDate(_ key: PropertyKey) -> Date? { notManaged() }
    @usableFromInline final func _objectId(_ key: PropertyKey) -> ObjectId { notManaged() }
    @usableFromInline final func _optionalObjectId(_ key: PropertyKey) -> ObjectId? { notManaged() }
    @usableFromInline final func _uuid(_ key: PropertyKey) -> UUID { notManaged() }
    @usableFromInline final func _optionalUUID(_ key: PropertyKey) -> UUID? { notManaged() }
    @usableFromInline final func _decimal(_ key: PropertyKey) -> Decimal128 { notManaged() }
    @usableFromInline final func _optionalDecimal(_ key: PropertyKey) -> Decimal128? { notManaged() }

    func _link<Target: ObjectBase>(_ key: PropertyKey, to: Target.Type) -> Target? { notManaged() }
    func _list<Element>(_ key: PropertyKey) -> List<Element> { notManaged() }
    func _linkingObjects<Element>(_ key: PropertyKey) -> LinkingObjects<Element> { notManaged() }
    func _store(_ value: StoredValue, _ key: PropertyKey) { notManaged() }
    func _storeLink(_ value: ObjectBase?, _ key: PropertyKey) { notManaged() }
    func _storeList<Element>(_ value: List<Element>, _ key: PropertyKey) { notManaged() }

    private func notManaged() -> Never { throwRealmException("The object is not managed by a Realm.") }
}
