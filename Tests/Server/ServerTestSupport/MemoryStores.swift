// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmSyncServer
    import RealmTestSupport

    /// The stores of a cluster, in memory. The nodes are in this process.
    package final class MemoryStores: SharedStores {
        /// The frames of a store, and the state of its log.
        struct Content {
            var parts: [[UInt8]] = []
            var frames: [(number: UInt64, id: Int64, bytes: [UInt8])] = []
            var end: UInt64 = 0
            var snapshot: UInt64 = 0
            /// The snapshot before the last one.
            var previous: UInt64 = 0
            /// The node that holds the append lock.
            var owner: ObjectIdentifier?
            var ingest = MemoryIngest.Content()
        }

        private struct State {
            var stores: [[String?]: UInt64] = [:]
            /// The files of apps, by app and path.
            var files: [[String]: [UInt8]] = [:]
            var lastStore: UInt64 = 0
            var contents: [UInt64: Content] = [:]
            var followers: [@Sendable (Set<UInt64>) -> Void] = []
            /// The number of commits that will fail.
            var failing = 0
            var losesResponse = false
            var isReachable = true
        }

        private let state = NIOLockedValueBox(State())

        package init() {}

        package func frames(app: String, name: String?) throws -> any SharedFrames {
            MemoryFrames(
                self,
                state.withLockedValue { state in
                    if let store = state.stores[[app, name]] { return store }
                    state.lastStore += 1
                    state.stores[[app, name]] = state.lastStore
                    state.contents[state.lastStore] = Content()
                    return state.lastStore
                })
        }

        package func holds(app: String, name: String?) -> Bool {
            state.withLockedValue { $0.stores[[app, name]] != nil }
        }

        package func apps(withStore name: String?) -> [String] {
            state.withLockedValue { state in state.stores.keys.compactMap { $0[1] == name ? $0[0] : nil } }
        }

        package func isFlexible(app: String) throws -> Bool? {
            try state.withLockedValue { state in
                guard state.isReachable else { throw SharedStoresUnavailable("unreachable") }
                let names = state.stores.keys.filter { $0[0] == app }
                return names.isEmpty ? nil : names.contains { $0[1] == nil }
            }
        }

        // MARK: Commands

        package var title: String { "memory" }

        package func apps() -> [String] { state.withLockedValue { Array(Set($0.stores.keys.compactMap { $0[0] })) } }

        package func names(of app: String) -> [String] {
            state.withLockedValue { $0.stores.keys.filter { $0[0] == app }.compactMap { $0[1] } }
        }

        package func contents(of path: String, app: String) -> [UInt8]? {
            state.withLockedValue { $0.files[[app, path]] }
        }

        package func write(_ contents: [UInt8]?, to path: String, app: String) {
            state.withLockedValue { $0.files[[app, path]] = contents }
        }

        package func append(_ contents: [UInt8], to path: String, app: String) {
            state.withLockedValue { $0.files[[app, path], default: []] += contents }
        }

        package func update(_ path: String, app: String, _ change: ([UInt8]?) throws -> [UInt8]?) throws {
            try state.withLockedValue { state in
                guard let changed = try change(state.files[[app, path]]) else { return }
                state.files[[app, path]] = changed
            }
        }

        package func sizes(of app: String) -> AppSizes {
            state.withLockedValue { state in
                var sizes = AppSizes()
                for (key, store) in state.stores where key[0] == app {
                    if key[1] != nil { sizes.partitionCount += 1 }
                    let content = state.contents[store] ?? Content()
                    sizes.bytes += (content.parts + content.frames.map(\.bytes)).reduce(0) { $0 + $1.count }
                }
                return sizes
            }
        }

        package func remove(app: String, name: String) { state.withLockedValue { $0.stores[[app, name]] = nil } }

        package func rename(app: String, _ name: String?, to newName: String?, with contents: [UInt8], _ path: String) {
            state.withLockedValue { state in
                state.stores[[app, newName]] = state.stores.removeValue(forKey: [app, name])
                state.files[[app, path]] = contents
            }
        }

        package func excludeServers() {}

        // MARK: Following

        package func follow(
            _ didAppend: @escaping @Sendable (Set<UInt64>) -> Void, _: @escaping @Sendable (any Error) -> Void
        ) {
            state.withLockedValue { $0.followers.append(didAppend) }
        }

        package var isReachable: Bool { state.withLockedValue { $0.isReachable } }

        package func stop() {}

        func access<Result>(_ store: UInt64, _ body: (inout Content) throws -> Result) rethrows -> Result {
            try state.withLockedValue { try body(&$0.contents[store, default: Content()]) }
        }

        func publish(_ store: UInt64) {
            for follower in state.withLockedValue({ $0.followers }) { follower([store]) }
            for observer in access(store, { $0.ingest.observers }) { observer() }
        }

        /// Makes the modes of apps unavailable, or available again.
        package func setReachable(_ isReachable: Bool) { state.withLockedValue { $0.isReachable = isReachable } }

        /// Makes the next commits fail without an effect.
        package func failCommits(_ count: Int) { state.withLockedValue { $0.failing = count } }

        /// Makes the next commit fail although it has an effect.
        package func loseResponse() { state.withLockedValue { $0.losesResponse = true } }

        /// The number of acquired and renewed leases of all stores.
        package var deliveryCount: Int {
            state.withLockedValue { $0.contents.values.reduce(0) { $0 + $1.ingest.deliveryCount } }
        }

        /// Loses the last frame of each store, as a database does that fails over to an older copy.
        package func loseFrames() {
            state.withLockedValue { state in
                for store in state.contents.keys where state.contents[store]?.frames.isEmpty == false {
                    state.contents[store]?.frames.removeLast()
                    state.contents[store]?.end -= 1
                }
            }
        }

        func takeFailure() -> Bool {
            state.withLockedValue { state in
                guard state.failing > 0 else { return false }
                state.failing -= 1
                return true
            }
        }

        func takeLostResponse() -> Bool {
            state.withLockedValue { state in
                defer { state.losesResponse = false }
                return state.losesResponse
            }
        }

        /// Ends the append lock of a node, as the database does for one that is stopped.
        package func expireLocks() {
            state.withLockedValue { state in for store in state.contents.keys { state.contents[store]?.owner = nil } }
        }
    }

    extension SharedFrames {
        /// Returns the parts of the snapshot, and the frames after it.
        package func load() throws -> (parts: [[UInt8]], frames: [[UInt8]], content: SharedContent) {
            var (parts, frames): ([[UInt8]], [[UInt8]]) = ([], [])
            let content = try load { piece in
                switch piece {
                case .part(let part): parts.append(part)
                case .frame(_, let frame): frames.append(frame)
                }
            }
            return (parts, frames, content)
        }
    }

    /// The frames of a store in memory, as one node uses them.
    final class MemoryFrames: SharedFrames {
        private let stores: MemoryStores
        let store: UInt64

        init(_ stores: MemoryStores, _ store: UInt64) { (self.stores, self.store) = (stores, store) }

        func ingested() -> any IngestSource { MemoryIngest(stores, store) }

        func load(_ body: (SharedPiece) throws -> Void) throws -> SharedContent {
            let (parts, loaded) = stores.access(store) { content in
                (content.parts, MemoryFrames.frames(content, after: content.snapshot))
            }
            for part in parts { try body(.part(part)) }
            for (number, frame) in zip((loaded.snapshot + 1)..., loaded.frames) { try body(.frame(number, frame)) }
            return loaded
        }

        func frames(after number: UInt64) -> SharedContent {
            stores.access(store) { MemoryFrames.frames($0, after: number) }
        }

        private static func frames(_ content: MemoryStores.Content, after number: UInt64) -> SharedContent {
            var result = SharedContent()
            let frames = content.frames.filter { $0.number > number }
            (result.frames, result.lastID) = (frames.map(\.bytes), frames.last?.id)
            result.previousID = content.frames.first { $0.number == number }?.id
            (result.end, result.snapshot) = (content.end, content.snapshot)
            result.size = content.frames.reduce(0) { $0 + ($1.number > content.snapshot ? $1.bytes.count : 0) }
            result.snapshotSize = content.parts.reduce(0) { $0 + $1.count }
            return result
        }

        func lock(after number: UInt64) throws -> SharedContent {
            while true {
                let content = stores.access(store) { content -> SharedContent? in
                    guard content.owner == nil else { return nil }
                    content.owner = ObjectIdentifier(self)
                    return MemoryFrames.frames(content, after: number)
                }
                if let content { return content }
                usleep(100)
            }
        }

        func commit(_ frames: [[UInt8]], ingesting records: [IngestRecord]) throws -> Int64? {
            if stores.takeFailure() {
                abandon()
                throw SharedStoresUnavailable("a failure for the test")
            }
            let id = try stores.access(store) { content in
                guard content.owner == ObjectIdentifier(self) else { throw SharedLogError("the append lock is lost") }
                content.owner = nil
                for frame in frames {
                    content.end += 1
                    content.frames.append((content.end, .random(in: .min ... .max), frame))
                }
                try content.ingest.append(records)
                return content.frames.last?.id
            }
            stores.publish(store)
            if stores.takeLostResponse() { throw SharedStoresUnavailable("a lost response for the test") }
            return id
        }

        func abandon() {
            stores.access(store) { if $0.owner == ObjectIdentifier(self) { $0.owner = nil } }
        }

        func replace(_ parts: [[UInt8]]) throws -> Int64? {
            let id = try commit([[]], ingesting: [])
            stores.access(store) { content in
                (content.previous, content.snapshot, content.parts) = (content.end, content.end, parts)
                content.frames.removeAll { $0.number < content.end }
            }
            return id
        }

        func adopt(_ parts: [[UInt8]], through number: UInt64) {
            stores.access(store) { content in
                guard number > content.snapshot else { return }
                (content.previous, content.snapshot, content.parts) = (content.snapshot, number, parts)
                content.frames.removeAll { $0.number < content.previous }
            }
        }
    }
#endif
