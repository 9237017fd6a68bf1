// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The two trees of a column of timestamps (older 5.3).
struct RowDates {
    private let reader: RowReader
    let secondsRoot: Ref
    let nanosecondsRoot: Ref

    init(_ reader: RowReader, _ root: Ref) throws {
        let pair = try reader.refs(root)
        guard pair.count == 2 else { throw RowDates.damaged(root) }
        self.reader = reader
        (secondsRoot, nanosecondsRoot) = try (pair.child(0), pair.child(1))
    }

    /// Nullable even if the column isn't.
    func seconds() -> RowInts { RowInts(reader, secondsRoot, hasMarker: true) }
    func nanoseconds() -> RowInts { RowInts(reader, nanosecondsRoot) }

    static func timestamp(_ seconds: Int64, _ nanoseconds: Int64, at ref: Ref) throws -> Timestamp {
        guard let fraction = Int32(exactly: nanoseconds) else { throw damaged(ref) }
        let value = Timestamp(seconds: seconds, nanoseconds: fraction)
        guard value.isValid else { throw damaged(ref) }
        return value
    }

    static func damaged(_ ref: Ref) -> any Error {
        StorageError.corrupt("an impossible date; the file is damaged", at: ref)
    }
}
