// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A bound path, shared by all conditions that begin with it.
final class BoundPath: Sendable {
    let path: ResolvedPath
    let ownColumn: ColumnKey?

    init(_ path: consuming ResolvedPath) {
        ownColumn =
            if path.hops.isEmpty, path.aspect == .value, case .column(let column) = path.end, !column.isCollection {
                column
            } else { nil }
        self.path = path
    }
}

/// The columns to which paths of one property were recently bound.
///
/// The same key path and the same text produce the same path each time: the identical array of steps. So its columns
/// are found without looking up names. Confined to one thread, and valid only while the names of properties are
/// constant.
package final class PathBindingCache {
    /// No code called below reads it while it changes.
    @exclusivity(unchecked) private var paths = [BoundPath?](repeating: nil, count: 32)

    package init() {}

    func find(_ path: PropertyPath, in table: Table) -> BoundPath? {
        let (slot, address) = PathBindingCache.place(path)
        guard let known = unsafe paths[slot], known.path.origin == table.key,
            PathBindingCache.place(known.path.written).address == address, let column = known.ownColumn,
            table.position(of: column) != nil
        else { return nil }
        return known
    }

    func remember(_ bound: BoundPath) {
        guard bound.ownColumn != nil, bound.path.written.steps.count == 1 else { return }
        unsafe paths[PathBindingCache.place(bound.path.written).slot] = bound
    }

    /// Two arrays at the same address are identical as long as both exist.
    private static func place(_ path: PropertyPath) -> (slot: Int, address: UInt) {
        let address = unsafe path.steps.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        return (Int((address >> 4 ^ address >> 9) & 31), address)
    }
}
