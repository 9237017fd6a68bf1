// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Downloads that came one behind the other while the client was busy. They are integrated as one version: what a
/// version costs is mostly the same, however much is in it.
struct GatheredDownloads {
    private struct Download {
        let changes: [DownloadedChange]
        let progress: ClientProgress
        let downloadableBytes: UInt64

        func integrate(into store: any ClientStore, _ outcome: inout Outcome) throws(SessionError) {
            try store.integrate(changes, progress, downloadableBytes: downloadableBytes)
            outcome.progress = progress
            outcome.entryCount += changes.count
        }
    }

    private var downloads: [Download] = []
    private var byteCount = 0

    /// How many bytes of changesets are held in memory, decoded, before they are integrated.
    private static let limit = 4 << 20

    /// Where the file is when it has all of them.
    var progress: ClientProgress? { downloads.last?.progress }
    var isFull: Bool { byteCount >= GatheredDownloads.limit }

    /// - Parameter progress: where the file is when it has this one.
    mutating func append(_ message: ServerMessage.Download, _ progress: ClientProgress) throws(SessionError) {
        guard case .partition(let downloadableBytes) = message.stage else { return }
        downloads.append(
            Download(
                changes: try message.entries.map(DownloadedChange.init), progress: progress,
                downloadableBytes: downloadableBytes))
        byteCount += message.entries.reduce(0) { $0 + $1.changeset.count }
    }

    /// What has become of them.
    struct Outcome {
        /// Where the file is now; nil if nothing was integrated.
        var progress: ClientProgress?
        var entryCount = 0
        /// Why the next one could not be integrated.
        var failure: SessionError?
    }

    /// Integrates them, and forgets them. Of several that cannot be integrated together, those are that can be.
    mutating func integrate(into store: any ClientStore) -> Outcome {
        defer { self = GatheredDownloads() }
        var outcome = Outcome()
        guard let last = downloads.last else { return outcome }
        let all = Download(
            changes: downloads.flatMap(\.changes), progress: last.progress, downloadableBytes: last.downloadableBytes)
        do throws(SessionError) {
            try all.integrate(into: store, &outcome)
        } catch {
            outcome.failure = error
            guard downloads.count > 1 else { return outcome }
            outcome.failure = nil
            for download in downloads where outcome.failure == nil {
                do throws(SessionError) { try download.integrate(into: store, &outcome) } catch {
                    outcome.failure = error
                }
            }
        }
        return outcome
    }
}
