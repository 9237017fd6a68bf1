// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The history of one partition in memory, with what it keeps for each client file.
package struct ServerHistory: Sendable {
    /// The file ident of changes that the server makes itself.
    package static let ownIdent: UInt64 = 1

    /// The version before the first of `versions`.
    package let baseVersion: UInt64
    package private(set) var versions: [ServerVersion] = []
    package private(set) var files: [UInt64: ClientFile] = [:]
    /// By file, after which server version which of its versions was integrated, in order.
    private var progress: [UInt64: [(after: UInt64, clientVersion: UInt64)]] = [:]

    package init(baseVersion: UInt64 = 0) { self.baseVersion = baseVersion }

    package var newestVersion: UInt64 { baseVersion + UInt64(versions.count) }

    /// Takes in a file that has all up to a version.
    package mutating func addFile(_ ident: UInt64, clientVersion: UInt64 = 0, serverVersion: UInt64 = 0) {
        files[ident] = ClientFile(ident: ident, clientVersion: clientVersion, serverVersion: serverVersion)
        progress[ident] = [(serverVersion, clientVersion)]
    }

    /// The versions after one, in order.
    package func versions(after version: UInt64) -> ArraySlice<ServerVersion> {
        versions[Int(min(max(version, baseVersion), newestVersion) - baseVersion)...]
    }

    /// Integrates a change of a client file as one new version, which it gives. Nil if it was integrated before.
    package mutating func integrate(
        _ change: UploadedChange, from ident: UInt64
    ) throws(MergeError) -> ServerVersion? {
        guard var file = files[ident] else { throw MergeError("there is no client file \(ident)") }
        if file.hasIntegrated(change) { return nil }
        guard change.serverVersion <= newestVersion else {
            throw MergeError("server version \(change.serverVersion) is still to come")
        }
        let changeset = try file.integrate(change, later: versions(after: change.serverVersion))
        files[ident] = file
        let version = ServerVersion(
            version: newestVersion + 1, clientVersion: change.clientVersion, order: change.order, changeset: changeset)
        versions.append(version)
        progress[ident, default: []].append((version.version, change.clientVersion))
        return version
    }

    /// Takes note of what a file has integrated, and of versions of it that hold nothing to send.
    package mutating func advance(_ ident: UInt64, clientVersion: UInt64, serverVersion: UInt64) {
        guard var file = files[ident] else { return }
        if clientVersion > file.clientVersion { progress[ident, default: []].append((newestVersion, clientVersion)) }
        file.advance(clientVersion: clientVersion, serverVersion: min(serverVersion, newestVersion))
        files[ident] = file
    }

    /// What a client file is sent that has all up to `cursor`.
    package func downloads(for ident: UInt64, after cursor: UInt64) -> [DownloadedChange] {
        var steps = (progress[ident] ?? [])[...]
        var clientVersion: UInt64 = 0
        var downloads: [DownloadedChange] = []
        for entry in versions(after: cursor) where entry.order.fileIdent != ident && !entry.changeset.isEmpty {
            while let step = steps.first, step.after < entry.version {
                clientVersion = step.clientVersion
                steps.removeFirst()
            }
            downloads.append(
                DownloadedChange(
                    serverVersion: entry.version, clientVersion: clientVersion, order: entry.order,
                    changeset: entry.changeset))
        }
        return downloads
    }
}
