// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Keeps the instances whose writes are open, so that `try Realm().beginWrite()` needs no variable (row S7).
///
/// A thread has one, which goes with the thread and takes back what it left open; instances refer to it weakly. The
/// main thread and the main queue have one that stays. Instances of other queues and of actors are not kept: nothing
/// ends with which an open write would.
///
/// Unchecked: `instances` is touched only at the place whose instances it keeps, which is serial.
final class OpenWrites: @unchecked Sendable {
    private static let ofMain = OpenWrites()
    private static let name = "regnum.openWrites"
    private var instances: [ObjectIdentifier: RealmInstance] = [:]

    /// That of the caller's thread or the main queue; nil where instances are not kept.
    static func of(_ confinement: Confinement) -> OpenWrites? {
        switch confinement {
        case .thread, .runLoop: break
        case .queue(let mark, _): return mark === QueueMark.main ? ofMain : nil
        case .actor, .none: return nil
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
