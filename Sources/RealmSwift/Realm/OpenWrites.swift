// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Keeps the instances whose writes are open, so that `try Realm().beginWrite()` needs no variable (row S7).
///
/// A thread has one, which goes with the thread and takes back what it left open; where an instance belongs to a queue
/// or an actor, it has one of its own. Touched at the place of its instances only.
final class OpenWrites {
    private static let name = "regnum.openWrites"
    private var instances: [ObjectIdentifier: RealmInstance] = [:]

    static func of(_ confinement: Confinement) -> OpenWrites {
        switch confinement {
        case .thread, .runLoop: break
        case .queue, .actor, .none: return OpenWrites()
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
