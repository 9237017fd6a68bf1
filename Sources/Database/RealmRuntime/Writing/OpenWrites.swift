// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Retains the instances with open writes, so that `try Realm().beginWrite()` needs no variable (row S7).
///
/// Each thread has one, which is deallocated with the thread and rolls back writes that are still open; instances refer
/// to it weakly. The main thread and the main queue have a permanent one. Instances of other queues and of actors
/// aren't retained, because they have no end at which an open write could be rolled back.
///
/// Unchecked: `instances` is accessed only by the thread or queue whose instances it retains, which is serial.
package final class OpenWrites: @unchecked Sendable {
    private static let ofMain = OpenWrites()
    private static let name = "regnum.openWrites"
    private var instances: [ObjectIdentifier: any WriteOwner] = [:]

    /// nil if instances with this confinement aren't retained.
    package static func of(_ confinement: Confinement) -> OpenWrites? {
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

    package func keep(_ instance: any WriteOwner) { instances[ObjectIdentifier(instance)] = instance }

    package func release(_ instance: any WriteOwner) { instances[ObjectIdentifier(instance)] = nil }
}
