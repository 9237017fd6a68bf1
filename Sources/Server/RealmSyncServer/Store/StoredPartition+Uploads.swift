// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension StoredPartition {
    /// The maximum size of an upload that is integrated on the engine's thread, in bytes.
    private static let smallUpload = 64 << 10
    /// The maximum product of the sizes of an upload and the unseen changes that is merged on the engine's thread. A
    /// merge can cost this product.
    private static let smallMerge = 1 << 22
    /// The product above which a merge can cost more than the longest upload.
    private static let mediumMerge = 1 << 32
    /// The assumed size of an entry without changes, in bytes.
    private static let entrySize = 8

    package func effort(of entries: [ClientMessage.Upload.Entry], from ident: UInt64) -> UploadEffort {
        guard let first = entries.first else { return .short }
        let size = entries.reduce(0) { $0 + $1.changeset.count + StoredPartition.entrySize }
        let unseen =
            history.unseenBytes(by: ident, after: first.serverVersion)
            + history.unseenCount(by: ident, after: first.serverVersion)
            + history.spooledBytes(of: ident, after: first.serverVersion)
        if unseen > 0, size > StoredPartition.mediumMerge / unseen { return .longMerge }
        let isLong = size > StoredPartition.smallUpload || unseen > 0 && size > StoredPartition.smallMerge / unseen
        return isLong || history.isFlexible && concernsManyQueries(entries) ? .long : .short
    }

    package func integrate(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError) {
        try ServerSpan.upload.run { () throws(SessionError) in try integrateAdmitted(changes, from: ident) }
    }

    private func integrateAdmitted(_ changes: [UploadedChange], from ident: UInt64) throws(SessionError) {
        var budget = MergeBudget(options.longestMerge)
        let (admitted, refusal) = admitted(changes)
        if options.ingests {
            try integrateIngesting(admitted, from: ident, &budget)
        } else {
            try merge(admitted, from: ident, &budget)
        }
        if let refusal { throw refusal }
    }

    private func merge(
        _ changes: [UploadedChange], from ident: UInt64, _ budget: inout MergeBudget
    ) throws(SessionError) {
        if history.isFlexible { return try integrateFlexible(changes, from: ident, &budget) }
        do {
            write(try history.integrate(changes, from: ident, salt: salt, &budget))
            // A long upload runs outside the engine's thread, so it also creates a due bootstrap. Otherwise the next
            // new file would create it on the engine's thread.
            let size = changes.reduce(0) { $0 + $1.originalSize }
            if size > StoredPartition.smallUpload, history.isBootstrapDue { addBootstrap() }
        } catch {
            if error as? MergeError == .tooLong {
                // After its reset, the client sends its changes again, based on the newest version, so that nothing is
                // merged.
                throw SessionError(.fileExpired, MergeError.tooLong.message)
            }
            if let error = error as? StorageError { throw documentsFailure(error) }
            guard changes.count > 1 else { throw SessionError(.badChangeset, "\(error)") }
            // One of the changes can't be merged or applied. Those before it can.
            for change in changes { try merge([change], from: ident, &budget) }
        }
    }

    /// Ingests the objects of asymmetric classes, and merges everything else.
    private func integrateIngesting(
        _ changes: [UploadedChange], from ident: UInt64, _ budget: inout MergeBudget
    ) throws(SessionError) {
        let known = history.files[ident]?.upload.clientVersion ?? 0
        let separated: [IngestedChange]?
        do {
            let new = changes.filter { $0.clientVersion > known }
            separated = try history.state.separateIngested(new, in: folder) { rights(of: $0) }
        } catch let error as SessionError where error.code == .other {
            throw error
        } catch let error as StorageError {
            throw documentsFailure(error)
        } catch {
            guard changes.count > 1 else { throw SessionError(.badChangeset, "\(error)") }
            for change in changes { try integrateIngesting([change], from: ident, &budget) }
            return
        }
        guard let separated else { return try merge(changes, from: ident, &budget) }
        var waiting: [UploadedChange] = []
        let reported = reportedRejections[ident] ?? 0
        for (index, part) in separated.enumerated() {
            if !part.refusals.isEmpty, part.change.clientVersion > reported {
                try merge(waiting, from: ident, &budget)
                // The client gets one error for the rest of the upload, which it repeats afterwards.
                let rest = separated[index...].filter { !$0.refusals.isEmpty }
                let error = SessionError(rest.map(\.refusals), through: rest.last?.change.clientVersion ?? 0)
                if let error { throw error }
            }
            if part.documents.isEmpty || !part.change.changeset.isEmpty { waiting.append(part.change) }
            if part.documents.isEmpty { continue }
            try merge(waiting, from: ident, &budget)
            waiting = []
            try ingest(part, from: ident)
        }
        try merge(waiting, from: ident, &budget)
    }

    /// The documents are durable together with the client's progress, so a repeated upload isn't ingested again. They
    /// aren't a version, because no client receives them.
    func ingest(_ part: IngestedChange, from ident: UInt64) throws(SessionError) {
        guard let file = history.files[ident], !file.isExpired, part.change.serverVersion <= newest.version else {
            throw SessionError(.badChangeset, "the client file \(ident) is unknown, or its version is still to come")
        }
        let time = options.clock()
        for document in part.documents {
            let record = IngestRecord(
                sequence: history.ingested + 1, time: time, className: document.object.table, file: ident,
                user: GrantedRights.user(of: part.change.user), document: document.bytes)
            note(isShared ? .ingested(record.sequence) : .ingest(record))
            pendingIngest.append(record)
        }
        let cursor = UploadCursor(
            clientVersion: part.change.clientVersion, serverVersion: part.change.serverVersion)
        note(.advance(ident, cursor, seen: file.seen))
    }

    package func didReportRejection(through clientVersion: UInt64, to ident: UInt64) {
        reportedRejections[ident] = clientVersion
    }
}
