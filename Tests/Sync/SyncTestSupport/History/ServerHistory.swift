// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The history of one partition in memory, with a record of each client file.
package struct ServerHistory: Sendable {
    package let baseVersion: UInt64
    package private(set) var versions: [ServerVersion] = []
    package private(set) var files: [UInt64: ClientFile] = [:]
    /// For each file, the server versions created from its versions, in order.
    private var steps: [UInt64: [(version: UInt64, clientVersion: UInt64)]] = [:]

    package init(baseVersion: UInt64 = 0) { self.baseVersion = baseVersion }

    package var newestVersion: UInt64 { baseVersion + UInt64(versions.count) }

    package mutating func addFile(_ ident: UInt64, clientVersion: UInt64 = 0, serverVersion: UInt64 = 0) {
        files[ident] = ClientFile(ident: ident, clientVersion: clientVersion, serverVersion: serverVersion)
        steps[ident] = [(serverVersion, clientVersion)]
    }

    package func versions(after version: UInt64) -> ArraySlice<ServerVersion> {
        versions[Int(min(max(version, baseVersion), newestVersion) - baseVersion)...]
    }

    /// Integrates a change of a client file as one new version. Returns nil if the change was already integrated.
    package mutating func integrate(
        _ change: UploadedChange, from ident: UInt64
    ) throws(MergeError) -> ServerVersion? {
        guard var file = files[ident] else { throw MergeError("there is no client file \(ident)") }
        if file.hasIntegrated(change) { return nil }
        guard change.serverVersion <= newestVersion else {
            throw MergeError("server version \(change.serverVersion) doesn't exist yet")
        }
        let changeset = try file.integrate(change, later: versions(after: change.serverVersion))
        files[ident] = file
        let version = ServerVersion(
            version: newestVersion + 1, clientVersion: change.clientVersion, order: change.order, changeset: changeset)
        versions.append(version)
        steps[ident, default: []].append((version.version, change.clientVersion))
        return version
    }

    /// Records the progress of a file, including its versions without changes to send.
    package mutating func advance(_ ident: UInt64, clientVersion: UInt64, serverVersion: UInt64) {
        guard var file = files[ident] else { return }
        file.advance(clientVersion: clientVersion, serverVersion: min(serverVersion, newestVersion))
        files[ident] = file
    }

    package mutating func removeFile(_ ident: UInt64) {
        files[ident] = nil
        steps[ident] = nil
    }

    package func clientVersion(of ident: UInt64, at version: UInt64) -> UInt64 {
        guard let steps = steps[ident], let first = steps.first, first.version <= version else { return 0 }
        var range = 0..<steps.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = steps[middle].version <= version ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return steps[range.lowerBound].clientVersion
    }

    package func downloads(for ident: UInt64, after cursor: UInt64) -> [DownloadedChange] {
        versions(after: cursor).filter { isSent($0, to: ident) }.map { entry in
            DownloadedChange(
                serverVersion: entry.version, clientVersion: clientVersion(of: ident, at: entry.version),
                order: entry.order, changeset: entry.changeset)
        }
    }

    /// A file isn't sent its own changes or empty ones.
    package func isSent(_ version: ServerVersion, to ident: UInt64) -> Bool {
        version.order.fileIdent != ident && !version.changeset.isEmpty
    }
}

package struct ServerVersion: Sendable {
    package let version: UInt64
    /// The version of the change in the client file that committed it.
    package let clientVersion: UInt64
    /// The time of the change and the file that committed it.
    package let order: ChangeOrder
    /// The merged form, which follows the previous versions. Empty if merges discarded the whole change.
    package let changeset: Changeset

    package init(version: UInt64, clientVersion: UInt64, order: ChangeOrder, changeset: Changeset) {
        self.version = version
        self.clientVersion = clientVersion
        self.order = order
        self.changeset = changeset
    }
}
