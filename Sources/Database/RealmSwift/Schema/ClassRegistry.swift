// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The object classes that this process has met, each with its `ClassInfo`.
///
/// Mutable state: `classes` and `inProgress`, both guarded by `lock`. The lock is recursive because building a class
/// runs the user's initialiser, which may lead back here; that is an error, and reported as one.
final class ClassRegistry: @unchecked Sendable {
    static let shared = ClassRegistry()

    private let lock = NSRecursiveLock()
    private var classes: [ObjectIdentifier: ClassInfo] = [:]
    private var inProgress: Set<ObjectIdentifier> = []

    private init() {}

    /// What is known about `objectClass`; found out at the first call.
    func info(for objectClass: ObjectBase.Type) -> ClassInfo {
        let identifier = ObjectIdentifier(objectClass)
        lock.lock()
        defer { lock.unlock() }
        if let known = classes[identifier] { return known }
        guard inProgress.insert(identifier).inserted else {
            throwRealmException(
                """
                Illegal recursive call of +[\(objectClass.className()) sharedSchema]. Note: Properties of Swift \
                `Object` classes must not be prepopulated with queried results from a Realm.
                """)
        }
        defer { inProgress.remove(identifier) }
        let info = ClassInfo(discovering: objectClass)
        classes[identifier] = info
        return info
    }

    /// The classes met so far.
    var known: [ClassInfo] {
        lock.lock()
        defer { lock.unlock() }
        return Array(classes.values)
    }
}
