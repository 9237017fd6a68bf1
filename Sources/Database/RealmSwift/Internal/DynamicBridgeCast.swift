// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// Converts a value in its stored form to a Swift type, for example an enum from its raw value. Traps if the conversion
/// fails.
public func dynamicBridgeCast<T>(fromObjectiveC x: Any) -> T {
    if let value = x as? T { return value }
    if let type = T.self as? any _ObjcBridgeable.Type, let value = type._convert(flattened(x)) as? T { return value }
    throwRealmException("Could not convert value '\(x)' to type '\(T.self)'.")
}

/// Converts a value to its stored form, for example an enum to its raw value.
public func dynamicBridgeCast<T>(fromSwift x: T) -> Any {
    (x as? any _ObjcBridgeable)?._rlmDynamicValue ?? x
}
