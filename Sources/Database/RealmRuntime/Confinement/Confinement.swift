// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmSystem

/// The thread, queue or actor on which an instance of a Realm, and everything obtained from it, may be used.
package enum Confinement: Sendable {
    /// One thread, by its token.
    case thread(UInt)
    /// One thread whose run loop is running, by its token.
    case runLoop(UInt, RunLoopMark)
    /// A serial queue. The main thread, the main queue and the main actor are one confinement, that of the main queue.
    case queue(QueueMark, DispatchQueue)
    case actor(ActorMark)
    /// All threads, for a frozen Realm. The quick check handles it.
    case none

    package var description: String {
        switch self {
        case .thread, .runLoop: "the thread that it was opened on"
        case .queue(let mark, let queue): mark === QueueMark.main ? "the main thread" : "the queue '\(queue.label)'"
        case .actor: "the actor that it was opened in"
        case .none: "all threads"
        }
    }

    package static var main: Confinement { .queue(.main, .main) }

    /// The caller's confinement, which is the default for opening a Realm.
    package static var current: Confinement { QueueMark.isMain ? .main : .thread(ThreadToken.current()) }

    package enum Key: Hashable {
        case thread(UInt)
        case mark(ObjectIdentifier)
    }

    package var key: Key {
        switch self {
        case .thread(let token), .runLoop(let token, _): .thread(token)
        case .queue(let mark, _): .mark(ObjectIdentifier(mark))
        case .actor(let mark): .mark(ObjectIdentifier(mark))
        case .none: .thread(0)
        }
    }

    /// The thread token compared by the quick check: 0 if it can't decide, so that `isCurrent` is used.
    package var threadToken: UInt {
        switch self {
        case .thread(let token), .runLoop(let token, _): token
        case .queue(let mark, _): mark === QueueMark.main && Thread.isMainThread ? ThreadToken.current() : 0
        case .actor, .none: 0
        }
    }

    /// Whether the caller runs in the confinement. For an actor this traps otherwise: Swift provides no other check.
    package var isCurrent: Bool {
        switch self {
        case .thread(let token), .runLoop(let token, _): token == ThreadToken.current()
        case .queue(let mark, _): mark.isCurrent
        case .actor(let mark): mark.isCurrent
        case .none: false
        }
    }

    package var canSchedule: Bool {
        switch self {
        case .queue, .actor, .runLoop: true
        case .thread, .none: false
        }
    }

    /// Whether it is the main thread or an actor, where `async` functions of a Realm can be called.
    package var isActor: Bool {
        switch self {
        case .queue(let mark, _): mark === QueueMark.main
        case .actor: true
        case .thread, .runLoop, .none: false
        }
    }

    /// Prepares for work that another thread will schedule. A block of the main queue that runs the main run
    /// loop must not return before that work.
    package func expectWork() {
        if case .queue(let mark, _) = self, mark === QueueMark.main { NestedQueueWork.main.keepLoop() }
    }

    /// Schedules `body` in the confinement, after earlier work. Does nothing if no work can be scheduled there.
    package func run(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .queue(let mark, let queue): mark.run(body, on: queue)
        case .actor(let mark): mark.run(body)
        case .runLoop(_, let mark): mark.run(body)
        case .thread, .none: break
        }
    }
}

/// Identifies a dispatch queue and checks whether the caller runs on it.
///
/// Retained by the queue: on some platforms `DispatchQueue` is only one of many handles for the same queue. The key is
/// immutable, hence `@unchecked`.
package final class QueueMark: @unchecked Sendable {
    private static let ofQueue = DispatchSpecificKey<QueueMark>()
    private static let lock = NSLock()

    package static let main = QueueMark.of(.main)

    /// Finds this mark on the queue itself, or on one whose work this queue runs.
    private let key = DispatchSpecificKey<Bool>()
    package let waiting = WaitingPorts()

    package static func of(_ queue: DispatchQueue) -> QueueMark {
        lock.lock()
        defer { lock.unlock() }
        if let mark = queue.getSpecific(key: ofQueue) { return mark }
        let mark = QueueMark()
        queue.setSpecific(key: ofQueue, value: mark)
        queue.setSpecific(key: mark.key, value: true)
        return mark
    }

    /// Schedules `body` on the queue, after earlier work. Work for the main queue also runs while one of its blocks
    /// runs the main run loop, as in Realm.
    package func run(_ body: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
        if self === QueueMark.main { NestedQueueWork.main.run(body) } else { queue.async(execute: body) }
    }

    package var isCurrent: Bool {
        DispatchQueue.getSpecific(key: key) != nil || self === QueueMark.main && Thread.isMainThread
    }

    /// Whether the caller is on the main thread or the main queue, which on Linux may no longer run on that thread.
    package static var isMain: Bool { Thread.isMainThread || main.isCurrent }
}

/// An actor that a Realm is isolated to. Not retained, because the actor usually retains the Realm.
///
/// `actor` is set once; `work` is guarded by its lock.
package final class ActorMark: @unchecked Sendable {
    private static let ofActor = Locked<[ObjectIdentifier: Weak<ActorMark>]>([:])

    private weak var actor: (any Actor)?
    private let work = Locked<[@Sendable () -> Void]>([])

    private init(_ actor: any Actor) { self.actor = actor }

    package static func of(_ actor: any Actor) -> ActorMark {
        ofActor.withLock { marks in
            if let mark = marks[ObjectIdentifier(actor)]?.object, mark.actor === actor { return mark }
            marks = marks.filter { $0.value.object != nil }
            let mark = ActorMark(actor)
            marks[ObjectIdentifier(actor)] = Weak(object: mark)
            return mark
        }
    }

    package var isCurrent: Bool {
        guard let actor else { return false }
        actor.preconditionIsolated("Realm accessed from incorrect thread.")
        return true
    }

    /// Schedules `body` on the actor. Tasks may overtake each other, so the order of their work is maintained here.
    package func run(_ body: @escaping @Sendable () -> Void) {
        guard let actor else { return }
        work.withLock { $0.append(body) }
        Task { await runNext(on: actor) }
    }

    private func runNext(on actor: isolated any Actor) {
        let body = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        body?()
    }
}
