// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The identity of a file that can be replaced. It can be compared without a reference to the owner of the file, which
/// would keep the file open.
///
/// The lock guards the value.
package final class LatestIdentity: @unchecked Sendable {
    private let lock = Lock()
    private var value: FileIdentity?

    package init(_ value: FileIdentity? = nil) { self.value = value }

    package var current: FileIdentity? {
        get { lock.locked { value } }
        set { lock.locked { value = newValue } }
    }
}
