// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A file format older than the current one, and the differences of its files (container 10.2).
///
/// A file opened for writing is upgraded, and one opened read-only is presented in its upgraded state
/// (`Database.bringUpToDate`).
package struct LegacyFormat: Equatable, Sendable {
    package let format: UInt8

    /// The formats that can be upgraded to the current one (container 10.1, older 2.1). No file of format 1 is known.
    static let upgradable: Set<UInt8> = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 21, 22, 23]

    /// Returns nil for the current format, and for formats that can't be read.
    package init?(_ format: UInt8) {
        guard LegacyFormat.upgradable.contains(format) else { return nil }
        self.format = format
    }

    /// Whether tables have columns of rows instead of clusters of objects; `RowUpgrade` reads them.
    package var hasRowTables: Bool { format < 10 }
    /// Whether object keys are derived from the primary key, whose column may have no search index.
    package var hashesPrimaryKeys: Bool { format < 22 }
    /// Whether a dictionary is a cluster tree whose keys are hashes, and sets of Mixed treat strings and binaries as
    /// one type.
    package var hashesDictionaries: Bool { format == 21 || format == 22 }
    /// Whether asymmetric tables kept their objects, which the upgrade removes.
    var keepsAsymmetricObjects: Bool { format == 22 }
    var hasMixed: Bool { format >= 21 }

    static func refusal(_ format: UInt8) -> any Error {
        let message =
            switch format {
            case 0:
                "a Realm file that does not tell its format, with content; no release of Realm has written it, and the "
                    + "file is damaged"
            case 1:
                "a Realm file of format 1, from before 2014; only Realm 0.9 or older reads it, export its content with "
                    + "that"
            case 10..<FileFormat.version: "a Realm file of format \(format), which no release of Realm has written"
            default: "a Realm file of format \(format), newer than this library (24); use a newer release"
            }
        return StorageError(.unsupportedFormat(format), message)
    }
}
