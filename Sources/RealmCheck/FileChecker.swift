// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The audit of a whole file against both conformance checklists of the format.
///
/// It is independent of the engine's readers, since it is what audits them: it has its own reader of bytes and nodes
/// and shares only the constants of the format. It reads the snapshot that the header selects and nothing else, and
/// takes no lock: no process may commit meanwhile. Hostile bytes end in a report, never in a trap; time and memory are
/// bounded by a multiple of the file's size.
package struct FileChecker {
    package struct Options: Sendable {
        /// Whether remnants are violations. Files that our own writer made from scratch pass so; files that were
        /// upgraded, or that the original engine wrote, may not.
        package var strict: Bool
        /// How many violations the report keeps.
        package var violationLimit: Int
        /// Whether the image was decrypted: then the streaming form may have padding before its footer (container 6.9).
        package var isDecrypted: Bool

        package init(strict: Bool = false, violationLimit: Int = 1000, isDecrypted: Bool = false) {
            self.strict = strict
            self.violationLimit = violationLimit
            self.isDecrypted = isDecrypted
        }
    }

    private let bytes: CheckedBytes
    private let options: Options

    /// `image` is the whole data space: an unencrypted file, or the decrypted content of an encrypted one. It has to
    /// outlive the checker.
    package init(image: UnsafeRawBufferPointer, options: Options = Options()) {
        unsafe bytes = CheckedBytes(image)
        self.options = options
    }

    package func check() -> CheckReport {
        let audit = Audit(bytes, options)
        audit.run()
        return audit.report
    }

    package static func check(bytes: [UInt8], options: Options = Options()) -> CheckReport {
        unsafe bytes.withUnsafeBytes { image in
            unsafe FileChecker(image: image, options: options).check()
        }
    }
}
