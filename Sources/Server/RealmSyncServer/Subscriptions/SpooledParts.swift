// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The parts of a bootstrap. All but the first are in a file.
///
/// They aren't durable: a file whose server restarts meanwhile gets another bootstrap of its query.
struct SpooledParts: Sendable {
    private let spool: SpoolFile?
    private var parts: [KeptBytes] = []

    /// - Parameter spool: If nil, all parts are in memory.
    init(_ spool: SpoolFile?) { self.spool = spool }

    var count: Int { parts.count }

    /// - Throws: `SystemError` if the disk is full.
    mutating func append(_ changesets: [[UInt8]]) throws {
        for bytes in changesets {
            guard !parts.isEmpty, let spool else {
                parts.append(.memory(bytes))
                continue
            }
            parts.append(.spooled(try spool.store(bytes)))
        }
    }

    mutating func append(_ other: SpooledParts) { parts += other.parts }

    /// - Throws: `SessionError` if the part can't be read. The client then tries again.
    @Sendable func part(_ index: Int) throws(SessionError) -> [UInt8] {
        do { return try parts[index].bytes } catch {
            throw SessionError(.other, "the objects of the query are not available now")
        }
    }
}
