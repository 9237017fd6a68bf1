// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension AnyRealmValue: _Persistable, _DefaultConstructible, RealmCollectionValue {
    /// The type in which values are stored.
    public typealias PersistedType = AnyRealmValue

    /// The shape of a mixed value, which is always nullable in the file; null is `.none`.
    public static var _shape: _PropertyShape { _PropertyShape(type: .any, isOptional: true) }

    public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> AnyRealmValue { object._mixed(key) }

    public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: AnyRealmValue) {
        object._storeMixed(value._rlmContent, key)
    }
}

extension AnyRealmValue: _ObjcBridgeable {
    /// Converts a value of any type that has a case, or a collection of such values.
    public static func _convert(_ value: Any?) -> AnyRealmValue? {
        switch value {
        case nil: AnyRealmValue.none
        case let value? where isContainer(value): converted(collection: value)
        case let value as AnyRealmValue: value
        case let value as String: .string(value)
        case let value as Data: .data(value)
        case let value as Date: .date(value)
        case let value as ObjectId: .objectId(value)
        case let value as Decimal128: .decimal128(value)
        case let value as UUID: .uuid(value)
        case let value as Object: .object(value)
        case let value as List<AnyRealmValue>: .list(value)
        case let value as Map<String, AnyRealmValue>: .dictionary(value)
        case is ObjectBase: nil
        case let value as any PersistableEnum: _convert(value._rlmDynamicValue)
        case let value?: converted(number: value) ?? converted(collection: value)
        }
    }

    private static func converted(number value: Any) -> AnyRealmValue? {
        if let value = DecimalBits(foundation: value) { return .decimal128(Decimal128(bits: value)) }
        guard let number = DynamicNumber(value) else { return nil }
        switch number {
        case .bool(let value): return .bool(value)
        case .float(let value): return .float(value)
        case .double(let value): return .double(value)
        case .signed, .unsigned: return number.integer().map(AnyRealmValue.int)
        }
    }

    private static func converted(collection value: Any) -> AnyRealmValue? {
        if let entries = dictionaryEntries(of: value) {
            let map = Map<String, AnyRealmValue>()
            for (key, value) in entries {
                guard let value = _convert(value) else { return nil }
                map.updateValue(value, forKey: key)
            }
            return .dictionary(map)
        }
        if value is RLMSwiftCollectionBase { return nil }
        guard let elements = sequenceElements(of: value) else { return nil }
        let values = elements.compactMap(_convert)
        return values.count == elements.count ? fromArray(values) : nil
    }

    public var _rlmDynamicValue: Any? {
        switch self {
        case .none: nil
        case .int(let value): value
        case .bool(let value): value
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .object(let value): value
        case .objectId(let value): value
        case .decimal128(let value): value
        case .uuid(let value): value
        case .dictionary(let value): value
        case .list(let value): value
        }
    }

    public var _rlmContent: _StoredContent { content(level: 1) }

    /// The limit ends the recursion into a collection that contains itself. Values deeper than the limit can't be
    /// stored in any case.
    private func content(level: Int) -> _StoredContent {
        switch self {
        case .none: return .null
        case .int(let value): return value._rlmContent
        case .bool(let value): return value._rlmContent
        case .float(let value): return value._rlmContent
        case .double(let value): return value._rlmContent
        case .string(let value): return value._rlmContent
        case .data(let value): return value._rlmContent
        case .date(let value): return value._rlmContent
        case .object(let value): return value._rlmContent
        case .objectId(let value): return value._rlmContent
        case .decimal128(let value): return value._rlmContent
        case .uuid(let value): return value._rlmContent
        case .dictionary(let map):
            verify(level)
            return _StoredContent(.entries(map.map { ($0.key, $0.value.content(level: level + 1)) }))
        case .list(let list):
            verify(level)
            return _StoredContent(.elements(list.map { $0.content(level: level + 1) }))
        }
    }

    private func verify(_ level: Int) {
        if level > FileFormat.maximumNestingLevel { throwRealmException("Max nesting level reached") }
    }

    public static func _make(_ stored: _StoredElement) -> AnyRealmValue? {
        switch stored.value {
        case .typedLink(let link): return stored.realm.object(link).map(AnyRealmValue.object) ?? AnyRealmValue.none
        case .list(_, let key), .dictionary(_, let key):
            guard let container = stored.container else { return AnyRealmValue.none }
            return nested(stored.value, container.owner, container.path.appending(.nested(key)))
        default: return plain(stored.value)
        }
    }

    /// nil for objects and collections, which need their Realm.
    static func plain(_ value: StoredValue) -> AnyRealmValue? {
        switch value {
        case .null, .link: return AnyRealmValue.none
        case .int(let value): return .int(Int(value))
        case .bool(let value): return .bool(value)
        case .float(let value): return .float(value)
        case .double(let value): return .double(value)
        case .string(let value): return .string(value)
        case .binary(let value): return .data(Data(value))
        case .timestamp(let value): return .date(Date(value))
        case .objectId(let value): return .objectId(ObjectId(bits: value))
        case .decimal(let value): return .decimal128(Decimal128(bits: value))
        case .uuid(let value): return .uuid(UUID(value))
        case .typedLink, .list, .dictionary: return nil
        }
    }

    static func nested(_ value: StoredValue, of owner: OwnerReference, _ key: PropertyKey) -> AnyRealmValue? {
        guard let collectionKey = value.collectionKey else { return nil }
        var path = CollectionPath(owner.managed.columnKey(key), of: owner.key, in: owner.managed.tableKey)
        path.rootKey = collectionKey
        return nested(value, owner, path)
    }

    fileprivate static func nested(_ value: StoredValue, _ owner: OwnerReference, _ path: CollectionPath)
        -> AnyRealmValue
    {
        if case .list = value { return .list(List(ManagedList(owner, nested: path))) }
        return .dictionary(Map(ManagedMap(owner, nested: path)))
    }
}

extension RealmInstance {
    func object(_ link: ObjectLink) -> Object? {
        guard !link.object.isUnresolved, let table = table(link.table) else { return nil }
        let managed = coordinator.model(of: table) ?? dynamicClass(of: table)
        guard let type = managed.info.objectClass as? Object.Type else { return nil }
        return object(of: type, managed, link.object)
    }
}
