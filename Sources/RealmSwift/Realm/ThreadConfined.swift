// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What belongs to a Realm and may be used only where that Realm may.
public protocol ThreadConfined {
    /// The Realm that manages the value; nil when unmanaged.
    var realm: Realm? { get }

    /// Whether the value was managed and is gone, or its Realm was invalidated.
    var isInvalidated: Bool { get }
}

extension ObjectBase {
    /// The Realm that manages the object; nil when unmanaged.
    public var realm: Realm? {
        _rlmRow.realm?.verifyThread()
        return _rlmRow.realm.map(Realm.init)
    }
}

extension Object: ThreadConfined {}
extension EmbeddedObject: ThreadConfined {}
