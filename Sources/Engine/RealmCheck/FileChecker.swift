// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The audit of a whole file against both conformance checklists of the format.
///
/// It audits the engine's readers too, so it has its own reader of bytes and nodes and shares only the constants of the
/// format. It reads only the snapshot that the header selects, and takes no lock: no process may commit meanwhile.
/// Hostile bytes lead to a report, never to a trap. Time and memory are bounded by a multiple of the file's size.
package struct FileChecker {
    package typealias Options = CheckOptions

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
