// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSync
import RealmSyncCore

struct SubscriptionWait {
    let number: Int
    /// The version of the set that the wait is for.
    var version: UInt64
    /// Whether an opening waits, which may be ended by a lost connection.
    let isOpening: Bool
    let block: @Sendable ((any Error)?) -> Void
}

/// The subscriptions of a file.
extension SynchronisedFile {
    /// Calls `block` once, after the server has answered a set, or a newer one.
    ///
    /// - Returns: A function that ends the wait immediately, with the error passed to it.
    @discardableResult
    func waitForSubscriptions(
        _ version: UInt64, isOpening: Bool = false, _ block: @escaping @Sendable ((any Error)?) -> Void
    ) -> @Sendable (any Error) -> Void {
        let number = nextWait()
        queue.async { [self] in
            if phase == .over { return block(TransferWait.cancellation("the session has ended")) }
            subscriptionWaits.append(
                SubscriptionWait(number: number, version: version, isOpening: isOpening, block: block))
            endSubscriptionWaits()
            if phase == .loggedOut { endSubscriptionWaits(TransferWait.loggedOut) }
        }
        return { [weak self] error in
            self?.queue.async { [weak self] in
                guard let self, let index = subscriptionWaits.firstIndex(where: { $0.number == number }) else { return }
                subscriptionWaits.remove(at: index).block(error)
            }
        }
    }

    /// Returns after the server has answered a set, or a newer one, or throws after a time in seconds.
    func waitForSubscriptions(_ version: UInt64, within limit: TimeInterval? = nil) async throws {
        try await Cancellation.wait { block in
            let end = waitForSubscriptions(version, block)
            if let limit { queue.asyncAfter(deadline: .now() + limit) { end(Self.timeout(limit)) } }
            return end
        }
    }

    private static func timeout(_ limit: TimeInterval) -> NSError {
        let tenths = Int((limit * 10).rounded())
        return NSError(
            domain: NSPOSIXErrorDomain, code: Int(ETIMEDOUT),
            userInfo: [
                NSLocalizedDescriptionKey: "Waiting for update timed out after \(tenths / 10).\(tenths % 10) seconds."
            ])
    }

    /// Calls `block` once, after all data was downloaded: with subscriptions, after the newest set is complete.
    ///
    /// - Returns: A function that ends the wait immediately, with the error passed to it.
    @discardableResult
    func waitForDownload(_ block: @escaping @Sendable ((any Error)?) -> Void) -> @Sendable (any Error) -> Void {
        let restarts = summary.withLock { $0.restarts }
        guard sync.isFlexible, let version = newestSet else { return wait(.download, block) }
        let end = Cancellation.Ending()
        end.holdFirst(
            waitForSubscriptions(version, isOpening: true) { [weak self] error in
                guard error == nil, let self else {
                    return block(error ?? TransferWait.cancellation("the file was closed"))
                }
                end.hold(
                    wait(.download) { [weak self] error in
                        // A file that has started over has other subscriptions.
                        guard error == nil, let self, summary.withLock({ $0.restarts }) != restarts else {
                            return block(error)
                        }
                        end.hold(waitForDownload(block))
                    })
            })
        return { end.call($0) }
    }

    /// Lets openings wait for the subscriptions of a file that has started over.
    func retargetOpenings() {
        guard let version = newestSet else { return }
        for index in subscriptionWaits.indices where subscriptionWaits[index].isOpening {
            subscriptionWaits[index].version = version
        }
        endSubscriptionWaits()
    }

    func waitForDownload() async throws { try await Cancellation.wait { waitForDownload($0) } }

    private var newestSet: UInt64? {
        guard let database else { return nil }
        return try? SubscriptionStore(try database.snapshot(label: "subscriptions"))?.latest?.version
    }

    func endSubscriptionWaits() {
        guard !subscriptionWaits.isEmpty, let database else { return }
        for wait in subscriptionWaits {
            guard let outcome = Self.outcome(of: wait.version, in: database) else { continue }
            end(wait, outcome.error)
        }
    }

    func endSubscriptionWaits(_ error: any Error, where isEnded: (SubscriptionWait) -> Bool = { _ in true }) {
        for wait in subscriptionWaits where isEnded(wait) { end(wait, error) }
    }

    private func end(_ wait: SubscriptionWait, _ error: (any Error)?) {
        subscriptionWaits.removeAll { $0.number == wait.number }
        connection.callbacks.async { wait.block(error) }
    }

    private struct Outcome {
        let error: (any Error)?
    }

    private static func outcome(of version: UInt64, in database: Database) -> Outcome? {
        do {
            let store = try SubscriptionStore(try database.snapshot(label: "subscriptions"))
            switch try store?.status(of: version) {
            case nil, .pending: return nil
            case .complete, .superseded: return Outcome(error: nil)
            case .error(let reason):
                return Outcome(error: SyncError(.invalidFlexibleSyncSubscriptions, text: reason))
            }
        } catch {
            return Outcome(error: Realm.Error(error))
        }
    }
}
