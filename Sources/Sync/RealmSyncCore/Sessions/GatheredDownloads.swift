// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Consecutive downloads that were received while the client was busy. They are integrated as one version, because the
/// cost of a version hardly depends on its size.
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

    /// The size of decoded changesets in memory, in bytes, at which they are integrated.
    private static let limit = 4 << 20

    var progress: ClientProgress? { downloads.last?.progress }
    var isFull: Bool { byteCount >= GatheredDownloads.limit }

    mutating func append(_ message: ServerMessage.Download, _ progress: ClientProgress) throws(SessionError) {
        downloads.append(
            Download(
                changes: try message.entries.map(DownloadedChange.init), progress: progress,
                downloadableBytes: message.stage.downloadable))
        byteCount += message.entries.reduce(0) { $0 + $1.changeset.count }
    }

    struct Outcome {
        var progress: ClientProgress?
        var entryCount = 0
        var failure: SessionError?
    }

    /// Integrates and removes the downloads. If they can't be integrated together, integrates them one by one up to the
    /// first failure.
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
