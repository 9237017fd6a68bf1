// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmStorage
    import RealmSystem

    /// The apps of a data folder. A server can use it meanwhile.
    struct FolderApps {
        private let data: String
        private var path: String { data + "/apps" }

        init(_ data: String) { self.data = data }

        /// The ids of the apps that clients have used.
        var names: [String] {
            (try? FolderCatalog(data).apps()) ?? []
        }

        /// - Parameter accounts: The accounts of the folder, or `nil` if another service has them.
        func status(_ accounts: ServerAccounts?) async throws -> [AppStatus] {
            var result: [AppStatus] = []
            for app in Set(names).union(accounts?.apps ?? []).sorted() {
                let mode = try DataFolder.storedMode(app, in: data)
                let (count, bytes) = mode == .flexible ? (0, try flexibleSize(of: app)) : try sizes(of: app)
                let users = try await accounts?.userCount(of: app) ?? 0
                result.append(
                    AppStatus(
                        app: app, mode: mode == .flexible ? .flexible : .partitions, partitionCount: count,
                        bytes: bytes, userCount: users))
            }
            return result
        }

        private func flexibleSize(of app: String) throws -> Int {
            let place = DocumentPlace(app: ByteText(app), name: nil)
            let folder = try DataFolder.folder(of: place, in: data, makesParents: false)
            return size(ofFolder: folder) + size(ofFolder: IngestLog.folder(in: folder))
        }

        private func sizes(of app: String) throws -> (count: Int, bytes: Int) {
            let folder = try DataFolder.folder(app, in: path) + "/partitions"
            guard Folder.holds(folder) else { return (0, 0) }
            let partitions = try Folder.names(in: folder, prefix: "").filter { !$0.hasPrefix(".") }
            return (partitions.count, partitions.reduce(0) { $0 + size(ofFolder: folder + "/" + $1) })
        }

        private func size(ofFolder folder: String) -> Int {
            // Files are replaced meanwhile.
            let files = (try? Folder.names(in: folder, prefix: "")) ?? []
            return files.reduce(0) { $0 + size(of: folder + "/" + $1) }
        }

        private func size(of file: String) -> Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return 0 }
            return (attributes?[.size] as? NSNumber)?.intValue ?? 0
        }
    }
#endif
