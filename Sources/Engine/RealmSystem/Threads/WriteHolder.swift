// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct WriteHolder: Equatable, Sendable, CustomStringConvertible {
    package let processIdentifier: Int
    package let name: String
    /// Nanoseconds since 1970.
    package let since: Int64

    package init(processIdentifier: Int, name: String, since: Int64) {
        self.processIdentifier = processIdentifier
        self.name = name
        self.since = since
    }

    private var seconds: Int64 { CurrentProcess.nanoseconds(since: since) / 1_000_000_000 }

    package var description: String {
        let holder =
            processIdentifier == CurrentProcess.identifier
            ? "this process" : "process \(processIdentifier)" + (name.isEmpty ? "" : " ('\(name)')")
        return "\(holder), which has held the write lock for \(seconds) s"
    }
}
