// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The slots of a client file's history (§4.6). The history is an array of 21 slots, at slot 8 of the top array.
package enum HistorySlots {
    /// The log that sessions of realm-core share. Regnum's has one empty entry.
    static let sharedLog = 0
    static let salt = 2
    static let latestServerVersion = 3
    static let latestServerVersionSalt = 4
    static let downloadServerVersion = 5
    static let downloadClientVersion = 6
    static let uploadClientVersion = 7
    static let uploadServerVersion = 8
    static let downloadedBytes = 9
    static let downloadableBytes = 10
    static let uploadedBytes = 11
    static let uploadableBytes = 12
    package static let changesets = 13
    package static let reciprocals = 14
    static let remoteVersions = 15
    static let originIdents = 16
    static let originTimestamps = 17
    static let schemaVersions = 20
    static let count = 21

    /// The slots with numbers, which may be null.
    static let numbers = 2...12
    /// The slots with the state of downloads, which doesn't depend on the client's ident.
    static let downloadedState = [latestServerVersion, latestServerVersionSalt, downloadServerVersion]
    package static let oldestSchema: UInt64 = 11
    /// Older schemas store changesets uncompressed, without the byte of the algorithm.
    package static let firstCompressedSchema: UInt64 = 12
    package static let schema: UInt64 = 12
}
