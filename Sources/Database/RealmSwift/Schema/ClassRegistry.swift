// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// The object classes that this process has used, each with its `ClassInfo`.
///
/// Mutable state: `classes` and `inProgress`, both guarded by `lock`. The lock is recursive because building a class
/// runs the user's initialiser, which may call this again; that is reported as an error.
final class ClassRegistry: @unchecked Sendable {
    static let shared = ClassRegistry()

    private let lock = NSRecursiveLock()
    private var classes: [ObjectIdentifier: ClassInfo] = [:]
    private var inProgress: Set<ObjectIdentifier> = []

    private init() {}

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

    var known: [ClassInfo] {
        lock.lock()
        defer { lock.unlock() }
        return Array(classes.values)
    }
}
