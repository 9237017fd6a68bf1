// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Keeps the instances whose writes are open, so that `try Realm().beginWrite()` needs no variable (row S7).
///
/// A thread has one, which goes with the thread and takes back what it left open; instances refer to it weakly.
/// Instances of queues and actors are not kept: nothing ends with which an open write would. Touched by its thread
/// only.
final class OpenWrites {
    private static let name = "regnum.openWrites"
    private var instances: [ObjectIdentifier: RealmInstance] = [:]

    /// That of this thread; nil where instances are not kept.
    static func of(_ confinement: Confinement) -> OpenWrites? {
        switch confinement {
        case .thread, .runLoop: break
        case .queue, .actor, .none: return nil
        }
        let values = Thread.current.threadDictionary
        if let known = values[name] as? OpenWrites { return known }
        let made = OpenWrites()
        values[name] = made
        return made
    }

    func keep(_ instance: RealmInstance) { instances[ObjectIdentifier(instance)] = instance }

    func release(_ instance: RealmInstance) { instances[ObjectIdentifier(instance)] = nil }
}
