// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The part of a `ServerStatus` that the engine's thread reads.
    struct EngineReport: Sendable {
        /// The maximum number of elements of each list.
        static let maxCount = 500

        private(set) var connectionCount = 0
        private(set) var sessionCount = 0
        private(set) var sessions: [ServerStatus.Session] = []
        private(set) var partitionCount = 0
        private(set) var partitions: [ServerStatus.Partition] = []
        private(set) var absentFileCount = 0
        private(set) var absentFiles: [ServerStatus.AbsentFile] = []
        private(set) var queryCount = 0
        private(set) var queries: [ServerStatus.Query] = []
        private(set) var ingests: [ServerStatus.Ingest] = []

        /// Call this on the engine's thread.
        init(_ folder: DataFolder, _ server: SyncServer) {
            let open = folder.openPartitions
            let reports = server.reports
            connectionCount = server.connectionCount
            partitionCount = open.count
            partitions = EngineReport.most(open) { $0.partition.isBusy ? 0 : UInt64($0.partition.logSize) }
                .map { EngineReport.partition($0) }
            addSessions(reports, folder.grants, open)
            addAbsentFiles(reports, open)
            addQueries(open)
            ingests = folder.openFeeds.map { app, partition, feed in
                ServerStatus.Ingest(
                    app: app, partition: partition, newest: feed.newestSequence, backlog: feed.backlog)
            }.sorted { ($0.app, $0.partition) < ($1.app, $1.partition) }
        }

        private mutating func addQueries(_ open: [DataFolder.OpenPartition]) {
            let all = open.filter { $0.partition.isFlexible && !$0.partition.isBusy }.flatMap { open in
                open.partition.queries.map { (app: open.app, query: $0, cost: $0.form.cost) }
            }
            queryCount = all.count
            queries = EngineReport.most(all) { UInt64($0.cost.objectCount) }.map { app, query, cost in
                ServerStatus.Query(
                    app: app, className: query.className.string,
                    query: ServerStatus.Subscription.short(query.name.text),
                    viewCount: query.files.count, evaluationCount: cost.evaluationCount, objectCount: cost.objectCount)
            }
        }

        private static func partition(_ open: DataFolder.OpenPartition) -> ServerStatus.Partition {
            let partition = open.partition
            guard !partition.isBusy else {
                return ServerStatus.Partition(
                    app: open.app, partition: open.name, isBusy: true, version: 0, versionCount: 0, fileCount: 0,
                    logBytes: 0)
            }
            return ServerStatus.Partition(
                app: open.app, partition: open.name, isBusy: false, version: partition.newest.version,
                versionCount: partition.keptVersions, fileCount: partition.fileCount, logBytes: partition.logSize)
        }

        private mutating func addSessions(
            _ reports: [SessionReport], _ grants: [UInt64: AccessGrant], _ open: [DataFolder.OpenPartition]
        ) {
            let byStore = Dictionary(uniqueKeysWithValues: open.map { (ObjectIdentifier($0.partition), $0) })
            let known = reports.compactMap { report -> (report: SessionReport, open: DataFolder.OpenPartition)? in
                byStore[ObjectIdentifier(report.store)].map { (report, $0) }
            }
            sessionCount = known.count
            let lagging = EngineReport.most(known) { $0.open.partition.versions(after: $0.report.sentVersion) }
            sessions = lagging.map { report, open in
                ServerStatus.Session(
                    connection: report.connection, app: open.app, user: grants[report.connection]?.user ?? "",
                    partition: open.name, file: report.file, version: report.sentVersion,
                    lag: open.partition.lag(of: report.file, after: report.sentVersion),
                    subscriptions: open.partition.subscriptions(of: report.file))
            }
        }

        private mutating func addAbsentFiles(_ reports: [SessionReport], _ open: [DataFolder.OpenPartition]) {
            let bound = Dictionary(grouping: reports) { ObjectIdentifier($0.store) }
            var found: [(file: PartitionFile, open: DataFolder.OpenPartition)] = []
            for open in open where !open.partition.isBusy {
                let present = Set((bound[ObjectIdentifier(open.partition)] ?? []).map(\.file))
                for file in open.partition.files where !file.isExpired && !present.contains(file.salt.ident) {
                    found.append((file, open))
                }
            }
            absentFileCount = found.count
            let lagging = EngineReport.most(found) { $0.open.partition.versions(after: $0.file.horizon) }
            absentFiles = lagging.compactMap { file, open in
                guard let lag = open.partition.lag(of: file.salt.ident, after: file.horizon) else { return nil }
                return ServerStatus.AbsentFile(
                    app: open.app, partition: open.name, file: file.salt.ident,
                    seen: Date(timeIntervalSince1970: Double(file.seen)), lag: lag,
                    subscriptions: open.partition.subscriptions(of: file.salt.ident))
            }
        }

        /// Returns the elements with the largest sizes, in descending order.
        static func most<Element>(
            _ elements: [Element], _ count: Int = maxCount, _ size: (Element) -> UInt64
        ) -> [Element] {
            var most: [(size: UInt64, index: Int)] = []
            for index in elements.indices {
                let size = size(elements[index])
                if most.count == count, let last = most.last, last.size >= size { continue }
                most.insert((size, index), at: most.partitioningIndex { $0.size < size })
                if most.count > count { most.removeLast() }
            }
            return most.map { elements[$0.index] }
        }
    }

    extension ServerStatus.Subscription {
        fileprivate static let maxCount = 20
        private static let maxLength = 500

        fileprivate static func short(_ query: Text) -> String {
            let text = query.string
            return text.count > maxLength ? text.prefix(maxLength) + "…" : text
        }
    }

    extension StoredPartition {
        fileprivate var queries: some Collection<QueryRegistry.Query> { history.registry.queries.values }

        /// Empty while another thread uses the partition.
        fileprivate func subscriptions(of file: UInt64) -> [ServerStatus.Subscription] {
            guard !isBusy, let view = history.files[file]?.views.last else { return [] }
            return view.queries.sorted { $0.key < $1.key }.prefix(ServerStatus.Subscription.maxCount).compactMap {
                guard let query = history.registry.queries[$1] else { return nil }
                return ServerStatus.Subscription(
                    className: $0.string, query: ServerStatus.Subscription.short(query.name.text))
            }
        }

        /// 0 while another thread uses the partition.
        fileprivate func versions(after version: UInt64) -> UInt64 {
            isBusy ? 0 : newest.version - min(version, newest.version)
        }

        /// Returns `nil` while another thread uses the partition.
        fileprivate func lag(of file: UInt64, after version: UInt64) -> ServerStatus.Lag? {
            guard !isBusy else { return nil }
            return ServerStatus.Lag(
                versions: versions(after: version), bytes: unseenBytes(by: file, after: version))
        }
    }
#endif
