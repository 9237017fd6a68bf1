// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The constants of the container: file header, footer, top array and limits (container 1, 5, 6).
package enum FileFormat {
    /// The version that every commit writes.
    package static let version: UInt8 = 24
    package static let mnemonic: [UInt8] = [0x54, 0x2D, 0x44, 0x42]
    package static let streamingMarker: UInt64 = .max
    package static let footerMagic: UInt64 = 0x3034_1252_37E5_26C8
    package static let footerByteCount = 16
    /// The unit of file sizes (container 0.1: P).
    package static let pageByteCount = 4096

    /// Offsets inside the 24 bytes at the start of the data space.
    package enum Header {
        package static let byteCount = 24
        package static let topRef = (0, 8)
        package static let mnemonic = 16
        package static let formatVersion = (20, 21)
        package static let flags = 23
        package static let selectBit: UInt8 = 1
    }

    /// Slots of the group's top array (container 5.1).
    package enum Top {
        package static let names = 0
        package static let tables = 1
        package static let logicalSize = 2
        package static let freePositions = 3
        package static let freeLengths = 4
        package static let freeVersions = 5
        package static let version = 6
        package static let historyType = 7
        package static let history = 8
        package static let historySchemaVersion = 9
        package static let fileIdentifier = 10
        package static let evacuation = 11
        package static let legalCounts: Set<Int> = [3, 5, 7, 9, 10, 11, maxCount]
        /// The number of slots of the longest top array, in which another engine has recorded the progress of an
        /// evacuation.
        package static let maxCount = evacuation + 1
        /// The number of slots that Regnum writes, for a local database with history.
        package static let count = 11
    }

    package enum History {
        package static let none: UInt64 = 0
        /// An obsolete history in separate files, in formats before 6.
        package static let outside: UInt64 = 1
        package static let local: UInt64 = 2
        package static let syncClient: UInt64 = 3
        package static let syncServer: UInt64 = 4
        package static let localSchemaVersion: UInt64 = 1
    }

    /// Slots of a table's top array (content 3).
    package enum Table {
        package static let spec = 0
        package static let clusters = 2
        package static let key = 3
        package static let indexes = 4
        package static let columnKeyCounter = 5
        package static let contentVersion = 6
        package static let oppositeTables = 7
        package static let oppositeColumns = 8
        package static let sequence = 9
        package static let collisions = 10
        package static let primaryKey = 11
        package static let flags = 12
        package static let tombstones = 13
        package static let count = 14
        package static let legalCounts = 12...14
    }

    /// Slots of a spec (content 4).
    package enum Spec {
        package static let types = 0
        package static let names = 1
        package static let attributes = 2
        package static let enumKeys = 4
        package static let keys = 5
        package static let count = 6
    }

    /// Slots of a Mixed array (content 6.14).
    package enum Mixed {
        package static let descriptors = 0
        package static let ints = 1
        package static let pairs = 2
        package static let strings = 3
        package static let refs = 4
        package static let keys = 5
        package static let count = 6
        package static let legalCounts = 4...6
    }

    /// The size of a section. No node of an ordinary commit crosses a multiple of it (container 6.4).
    package static let sectionByteCount = 1 << 26
    /// The maximum number of elements of a B+tree leaf, children of a B+tree node, and keys of an index node
    /// (container 2.8, content 10.3).
    package static let treeNodeCapacity = 1000
    /// The maximum number of rows of a cluster leaf, and of children of a cluster node; then the shift of its compact
    /// form (content 5.7).
    package static let clusterCapacity = 256
    package static let clusterShift = 8
    package static let maximumNameByteCount = 63
    package static let maximumStringByteCount = 0xFF_FFF8 - 8 - 1
    package static let maximumBinaryByteCount = 0xFF_FFF8 - 8
    package static let maximumTableCount = 65_535
    package static let leafIndexCount = 65_536
    package static let maximumNestingLevel = 100
    /// The limit of plausible versions and table keys. A file beyond it isn't genuine and would soon reach the format's
    /// own, slightly higher limit.
    package static let versionLimit: UInt64 = 1 << 62
    package static let keyNumberLimit: UInt64 = 1 << 62
    package static let maximumWordByteCount = 200
    package static let maximumTokenByteCount = 64
    /// The offset in the index data below which no sub-index exists (content 9.4).
    package static let lastIndexOffset = 200
    /// The prefix of tables for the application's classes (content 2.3).
    package static let classPrefix = "class_"
    package static let metadataTable = "metadata"
}
