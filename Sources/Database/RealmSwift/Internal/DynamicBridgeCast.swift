// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value in its stored form as a Swift type: an enum from its raw value, for example. Traps if the value cannot be
/// one.
public func dynamicBridgeCast<T>(fromObjectiveC x: Any) -> T {
    if let value = x as? T { return value }
    if let type = T.self as? any _ObjcBridgeable.Type, let value = type._convert(flattened(x)) as? T { return value }
    throwRealmException("Could not convert value '\(x)' to type '\(T.self)'.")
}

/// A value in its stored form: the raw value of an enum, for example.
public func dynamicBridgeCast<T>(fromSwift x: T) -> Any {
    (x as? any _ObjcBridgeable)?._rlmDynamicValue ?? x
}
