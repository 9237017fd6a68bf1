// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct CheckOptions: Sendable {
    /// Whether remnants are violations. Files that our own writer created pass. Files that were upgraded, or that the
    /// original engine wrote, may not.
    package var strict: Bool
    package var violationLimit: Int
    /// Whether the image was decrypted: then the streaming form may have padding before its footer (container 6.9).
    package var isDecrypted: Bool
    package var progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?

    package init(
        strict: Bool = false, violationLimit: Int = 1000, isDecrypted: Bool = false,
        progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) {
        self.strict = strict
        self.violationLimit = violationLimit
        self.isDecrypted = isDecrypted
        self.progress = progress
    }
}
