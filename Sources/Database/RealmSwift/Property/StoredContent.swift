// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// A Swift value in the engine's form: a stored value, a link's target, or a collection.
public struct _StoredContent {
    enum Kind {
        case value(StoredValue)
        case object(ObjectBase)
        /// The elements of a list, a set, or a list in a mixed value. A copy, because the collection may be about to
        /// become managed.
        case elements([_StoredContent])
        case entries([(key: String, value: _StoredContent)])
    }
    let kind: Kind

    init(_ value: StoredValue) { kind = .value(value) }
    init(_ kind: Kind) { self.kind = kind }

    static var null: _StoredContent { _StoredContent(.null) }

    /// Null for objects and collections.
    var storedValue: StoredValue {
        if case .value(let value) = kind { value } else { .null }
    }
}

/// A stored value, with its Realm, for conversion to a Swift type.
///
/// Valid only during the call that creates it. The caller retains the Realm, because counting references would take a
/// large part of the time for reading an element.
public struct _StoredElement {
    let value: StoredValue
    @safe unowned(unsafe) let realm: RealmInstance
    var target: ManagedClass?
    var place: RowLocation?
    /// The collection that contains the mixed value. Also retained by the caller.
    @safe unowned(unsafe) var container: ManagedCollection?
}

extension RealmCollectionValue {
    public static func _rlmContents(at address: UnsafeRawPointer, count: Int) -> [_StoredContent] {
        let elements = unsafe UnsafeBufferPointer(start: address.assumingMemoryBound(to: Self.self), count: count)
        return unsafe elements.map { $0._rlmContent }
    }
}

extension _StoredAsInteger {
    public var _rlmContent: _StoredContent { _StoredContent(.int(Int64(self))) }
    public static func _make(_ stored: _StoredElement) -> Self? {
        if case .int(let value) = stored.value { Self(truncatingIfNeeded: value) } else { nil }
    }
}

extension Int {
    public static func _rlmContents(at address: UnsafeRawPointer, count: Int) -> [_StoredContent] {
        let elements = unsafe UnsafeBufferPointer(start: address.assumingMemoryBound(to: Int.self), count: count)
        return unsafe elements.map { _StoredContent(.int(Int64($0))) }
    }

    /// Returns the stored integer. Unlike the function of `_StoredAsInteger`, it isn't generic, because it's called for
    /// each element of a list.
    public static func _make(_ stored: _StoredElement) -> Int? {
        if case .int(let value) = stored.value { Int(value) } else { nil }
    }
}

extension Bool {
    public var _rlmContent: _StoredContent { _StoredContent(.bool(self)) }
    public static func _make(_ stored: _StoredElement) -> Bool? {
        if case .bool(let value) = stored.value { value } else { nil }
    }
}

extension Float {
    public var _rlmContent: _StoredContent { _StoredContent(.float(self)) }
    public static func _make(_ stored: _StoredElement) -> Float? {
        if case .float(let value) = stored.value { value } else { nil }
    }
}

extension Double {
    public var _rlmContent: _StoredContent { _StoredContent(.double(self)) }
    public static func _make(_ stored: _StoredElement) -> Double? {
        if case .double(let value) = stored.value { value } else { nil }
    }
}

extension String {
    public var _rlmContent: _StoredContent { _StoredContent(.string(self)) }
    public static func _make(_ stored: _StoredElement) -> String? {
        if case .string(let value) = stored.value { value } else { nil }
    }
}

extension Data {
    public var _rlmContent: _StoredContent { _StoredContent(.binary(Array(self))) }
    public static func _make(_ stored: _StoredElement) -> Data? {
        if case .binary(let value) = stored.value { Data(value) } else { nil }
    }
}

extension Date {
    public var _rlmContent: _StoredContent { _StoredContent(.timestamp(Timestamp(self))) }
    public static func _make(_ stored: _StoredElement) -> Date? {
        if case .timestamp(let value) = stored.value { Date(value) } else { nil }
    }
}

extension ObjectId {
    public var _rlmContent: _StoredContent { _StoredContent(.objectId(bits)) }
    public static func _make(_ stored: _StoredElement) -> ObjectId? {
        if case .objectId(let value) = stored.value { ObjectId(bits: value) } else { nil }
    }
}

extension UUID {
    public var _rlmContent: _StoredContent { _StoredContent(.uuid(UUIDBytes(self))) }
    public static func _make(_ stored: _StoredElement) -> UUID? {
        if case .uuid(let value) = stored.value { UUID(value) } else { nil }
    }
}

extension Decimal128 {
    public var _rlmContent: _StoredContent { _StoredContent(.decimal(bits)) }
    public static func _make(_ stored: _StoredElement) -> Decimal128? {
        if case .decimal(let value) = stored.value { Decimal128(bits: value) } else { nil }
    }
}

extension Optional where Wrapped: _ObjcBridgeable {
    public var _rlmContent: _StoredContent { self?._rlmContent ?? .null }
    public static func _make(_ stored: _StoredElement) -> Wrapped?? {
        if case .null = stored.value { return .some(nil) }
        return .some(Wrapped._make(stored))
    }
}

extension PersistableEnum {
    public var _rlmContent: _StoredContent { rawValue._rlmContent }
    public static func _make(_ stored: _StoredElement) -> Self? {
        guard let rawValue = RawValue._make(stored) else { return nil }
        guard let value = Self(rawValue: rawValue) else {
            throwRealmException("Could not convert value '\(rawValue)' to type '\(Self.self)'.")
        }
        return value
    }
}

extension ObjectBase {
    public var _rlmContent: _StoredContent { _StoredContent(.object(stored)) }
    /// Returns an accessor of the link's target.
    public static func _make(_ stored: _StoredElement) -> Self? {
        guard case .link(let key) = stored.value, !key.isUnresolved else { return nil }
        let managed = stored.target ?? stored.realm.requireManaged(self)
        return stored.realm.object(of: self, managed, key, at: stored.place)
    }
}

extension RLMSwiftCollectionBase {
    public var _rlmContent: _StoredContent { contents }
}

extension List {
    /// Returns nil: lists are read through their owner.
    public static func _make(_ stored: _StoredElement) -> List? { nil }
}

extension MutableSet {
    /// Returns nil: sets are read through their owner.
    public static func _make(_ stored: _StoredElement) -> MutableSet? { nil }
}

extension Map {
    /// Returns nil: maps are read through their owner.
    public static func _make(_ stored: _StoredElement) -> Map? { nil }
}

extension LinkingObjects {
    public var _rlmContent: _StoredContent { .null }
    public static func _make(_ stored: _StoredElement) -> LinkingObjects? { nil }
}
