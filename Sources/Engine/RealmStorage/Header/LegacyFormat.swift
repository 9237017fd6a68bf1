// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A file format older than ours, and what is different in its files (container 10.2).
///
/// Nothing outside of this folder and of the audit asks for it: a file that is opened for writing is upgraded, and one
/// that is opened read-only is shown as it would be after that (`Database.bringUpToDate`).
package struct LegacyFormat: Equatable, Sendable {
    package let format: UInt8

    /// The formats from which there is a way to ours (container 10.1, older 2.1). No file of format 1 is known.
    static let upgradable: Set<UInt8> = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 21, 22, 23]

    /// nil for our own format, and for those that cannot be read.
    package init?(_ format: UInt8) {
        guard LegacyFormat.upgradable.contains(format) else { return nil }
        self.format = format
    }

    /// Tables have columns of rows instead of clusters of objects: `RowUpgrade` reads them.
    package var hasRowTables: Bool { format < 10 }
    /// Object keys follow from the primary key, and its column may have no search index.
    package var hashesPrimaryKeys: Bool { format < 22 }
    /// A dictionary is a cluster tree whose keys are hashes, and in sets of Mixed strings and binaries are one type.
    package var hashesDictionaries: Bool { format == 21 || format == 22 }
    /// Asymmetric tables kept their objects, which the upgrade removes.
    var keepsAsymmetricObjects: Bool { format == 22 }
    /// There are columns of Mixed.
    var hasMixed: Bool { format >= 21 }

    /// What is said of a file of a format that there is no way to read.
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
