// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension Realm {
    /// An asynchronous sequence of the changes of a database, commit by commit. Use it in code without an actor, queue
    /// or thread to which a Realm could be confined, such as a server. An addition to Realm's API.
    ///
    /// ```swift
    /// for try await changes in try await Realm.ChangeFeed(configuration: configuration, since: saved) {
    ///     for record in try changes.records() { try await send(record) }
    ///     try save(changes.resumeToken)
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

        private let coordinator: RealmCoordinator
        private let start: Snapshot

        /// The number of the version at which the feed begins.
        public var startVersion: UInt64 { start.version }

        /// The position at which the feed begins. Store it with a first copy of the data.
        public var startToken: ResumeToken { ResumeToken(start) }

        /// Creates a feed of the changes of a configuration's database that begins at its newest version, or at the
        /// position of a token. Opens the database if necessary, and keeps it open.
        ///
        /// - Parameters:
        ///   - configuration: The configuration of the database.
        ///   - token: The position after the changes that were already processed, from this process or an earlier one;
        ///     nil for the newest version.
        /// - Throws: `Realm.Error`: `.versionNotFound` if the file no longer has the token's version, and other codes
        ///   if the database can't be opened. `CancellationError` if the task is cancelled.
        public init(
            configuration: Configuration = .defaultConfiguration, since token: ResumeToken? = nil
        ) async throws {
            do {
                let coordinator = try await RealmRegistry.coordinatorInBackground(configuration)
                self.init(coordinator, try await ChangeFeed.start(coordinator.database, token))
            } catch let error as CancellationError {
                throw error
            } catch {
                throw Realm.Error(error)
            }
        }

        /// Creates a feed of the changes of a database that begins at a frozen version.
        ///
        /// - Parameter earlier: A frozen Realm of the version, such as that of `Realm.snapshot(label:)`.
        /// - Throws: `Realm.Error` if the version can't be pinned.
        public init(since earlier: Frozen<Realm>) throws {
            let instance = earlier.value.instance
            do {
                self.init(instance.coordinator, try instance.pinnedVersion(label: ChangeFeed.label))
            } catch {
                throw Realm.Error(error)
            }
        }

        private init(_ coordinator: RealmCoordinator, _ start: Snapshot) {
            (self.coordinator, self.start) = (coordinator, start)
        }

        private static func start(_ database: Database, _ token: ResumeToken?) async throws -> Snapshot {
            guard let token else { return try database.snapshot(label: label) }
            // Runs outside the thread pool of Swift's tasks, because it may wait for the write lock.
            let found: Result<Snapshot?, any Swift.Error> = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: Result { try database.snapshot(token.mark, label: label) })
                }
            }
            if let version = try found.get() { return version }
            throw Realm.Error(versionNotFound: token.version, at: database.path)
        }

        /// Creates an iterator that begins at the feed's first version.
        public func makeAsyncIterator() -> Iterator { Iterator(coordinator, start) }

        /// An iterator over a change feed.
        public struct Iterator: AsyncIteratorProtocol {
            private let coordinator: RealmCoordinator
            private let signal = ChangeFeedSignal()
            private var last: Snapshot

            fileprivate init(_ coordinator: RealmCoordinator, _ start: Snapshot) {
                self.coordinator = coordinator
                last = start
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
}
