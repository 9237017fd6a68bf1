// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    /// The measurement of a store with small versions that an offline client still needs, which are in its snapshot.
    struct OpeningSpeed {
        let folder: String

        /// Creates the store, or opens it if it exists. Another process should open it, whose peak of memory is that of
        /// the opening.
        func run(versions count: Int) throws {
            let isNew = !FileManager.default.fileExists(atPath: folder)
            let start = ContinuousClock.now
            let partition = try StoredPartition(folder: folder, partition: "string:p")
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            if isNew { return try fill(partition, count) }
            print(
                "\(partition.keptVersions) versions opened in " + String(format: "%.1f s", seconds)
                    + "; resident \(ServerProcess.residentBytes(of: "self") >> 20) MiB, "
                    + "\(Self.peakKilobytes >> 10) MiB at most")
        }

        private func fill(_ partition: StoredPartition, _ count: Int) throws {
            _ = try partition.addFile()
            let writer = try partition.addFile().ident
            let schema = [SimpleChanges.schema, SimpleChanges.create(1)]
            var version: UInt64 = 0
            for start in stride(from: 0, to: count, by: 1000) {
                let changesets = (start == 0 ? schema : []) + (0..<1000).map { SimpleChanges.set(Int64($0), of: 1) }
                let base = partition.newest.version
                let changes = changesets.map { changeset in
                    version += 1
                    return UploadedChange(
                        clientVersion: version, serverVersion: base,
                        order: ChangeOrder(timestamp: version, fileIdent: writer), changeset: changeset)
                }
                try partition.integrate(changes, from: writer)
                try partition.flush(compacts: false)
            }
            try partition.compact()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let sizes = try names.map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                return (attributes[.size] as? Int) ?? 0
            }
            print("a store with \(partition.keptVersions) versions, \(sizes.reduce(0, +) >> 20) MiB")
        }

        private static var peakKilobytes: Int {
            let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
    }
#endif
