// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension Realm {
    /// An asynchronous sequence of the changes of a database, commit by commit. Use it in code without an actor, queue
    /// or thread to which a Realm could be confined, such as a server. An addition to Realm's API.
    ///
    /// ```swift
    /// for try await changes in try await Realm.changeFeed(configuration: configuration) {
    ///     for record in try changes.records() { try await send(record) }
    /// }
    /// ```
    ///
    /// A feed includes commits of all Realms and all processes. If a loop is slow to request the next element, all
    /// changes made in the meantime are combined into one. Writers never wait for the loop, but the feed's current
    /// version stays pinned, under the label "change feed". Commits that change no object are omitted. The feed ends
    /// when the task is cancelled, and throws `Realm.Error` if the file can't be read. While nothing is committed, a
    /// feed uses no processor time.
    ///
    /// A feed can be used from any task. Each loop over it begins at the version at which the feed was created.
    public struct ChangeFeed: AsyncSequence, Sendable {
        public typealias Element = Changes

        fileprivate let coordinator: RealmCoordinator
        fileprivate let start: Snapshot

        /// The number of the version at which the feed begins.
        public var startVersion: UInt64 { start.version }

        /// Creates an iterator that begins at the feed's first version.
        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// An iterator over a change feed.
        public struct Iterator: AsyncIteratorProtocol {
            private let coordinator: RealmCoordinator
            private let signal = ChangeFeedSignal()
            private var last: Snapshot

            fileprivate init(_ feed: ChangeFeed) {
                coordinator = feed.coordinator
                last = feed.start
                coordinator.host.add(signal)
                coordinator.host.watchOtherProcesses()
            }

            /// Returns the changes since the previous call, as soon as there are any; nil after the task is cancelled.
            public mutating func next() async throws -> Changes? {
                while !Task.isCancelled {
                    do {
                        let newest = try coordinator.database.snapshot(label: ChangeFeed.label)
                        if newest.version != last.version {
                            let changes = try Changes(from: last, to: newest, ClassNames(coordinator))
                            last = newest
                            if !changes.isEmpty { return changes }
                            continue
                        }
                    } catch {
                        throw Realm.Error(error)
                    }
                    await signal.wait()
                }
                return nil
            }
        }

        fileprivate static let label = "change feed"
    }

    /// Returns a feed of the changes of a configuration's database that begins at its newest version. Opens the
    /// database if necessary, and keeps it open.
    ///
    /// - Throws: `Realm.Error` if the database can't be opened.
    public static func changeFeed(
        configuration: Configuration = .defaultConfiguration
    ) async throws -> ChangeFeed {
        let coordinator = try await RealmRegistry.coordinatorInBackground(configuration)
        return try changeFeed(coordinator, nil)
    }

    /// Returns a feed of the changes of this Realm's database that begins at the current version, or at an earlier
    /// frozen one.
    ///
    /// - Precondition: `earlier` is nil or a frozen Realm of the same file.
    /// - Throws: `Realm.Error` if the version can't be pinned.
    public func changeFeed(since earlier: Realm? = nil) throws -> ChangeFeed {
        instance.verifyThread()
        if let earlier, !earlier.isFrozen || earlier.instance.coordinator !== instance.coordinator {
            throwRealmException("changeFeed(since:) needs a frozen Realm of the same file.")
        }
        return try Realm.changeFeed(instance.coordinator, (earlier?.instance ?? instance.frozen()).snapshot)
    }

    private static func changeFeed(_ coordinator: RealmCoordinator, _ version: Snapshot?) throws -> ChangeFeed {
        do {
            let start = try version?.again(label: ChangeFeed.label)
            return ChangeFeed(
                coordinator: coordinator,
                start: try start ?? coordinator.database.snapshot(label: ChangeFeed.label))
        } catch {
            throw Realm.Error(error)
        }
    }
}
