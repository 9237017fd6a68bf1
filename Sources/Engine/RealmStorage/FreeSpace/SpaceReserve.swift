// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The free space that commits leave in the file, so objects can be removed when the disk is full.
///
/// A removal writes the changed nodes before it frees the old ones. If the file can't grow, it uses the reserve
/// (`WriteTransaction.layOut`). Other commits fail, and leave the reserve unchanged.
enum SpaceReserve {
    private static let smallByteCount: Ref = 1 << 16
    private static let maxByteCount: Ref = 1 << 18
    /// An encrypted file needs two free pages for copies (`copyPageCount`), and some for new nodes.
    private static let minPageCount: Ref = 4
    /// The free pages that a commit on a full disk leaves for copies of the pages that it changes in place: one for the
    /// first page, and one that is used for all others in turn.
    private static let copyPageCount: Ref = 2
    /// The bytes per free block of three lists and their successors, which need one contiguous block.
    private static let byteCountOfEntry: Ref = 32

    /// The size of the reserve, in whole units of `unit` bytes: a quarter of a small file, 64 KB from 256 KB on, a
    /// sixteenth from 1 MB on, and 256 KB from 4 MB on; more if the free lists are long. Removing an object needs as
    /// much as the leaf of its 256 objects, and the nodes above it.
    static func byteCount(logicalSize: Ref, entryCount: Int, unit: Int) -> Ref {
        let bySize = max(min(logicalSize / 4, smallByteCount), min(logicalSize / 16, maxByteCount))
        let wanted = max(bySize, byteCountOfEntry * Ref(entryCount))
        let unit = Ref(unit)
        let whole = (wanted + unit - 1) / unit * unit
        return unit > 8 ? max(whole, minPageCount * unit) : whole
    }

    /// The part that isn't used even on a full disk.
    static func minByteCount(unit: Int) -> Ref { unit > 8 ? copyPageCount * Ref(unit) : 0 }
}
