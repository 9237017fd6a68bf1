// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A path bound to columns, for all conditions that begin with it.
final class BoundPath: Sendable {
    let path: ResolvedPath
    /// The column of the object itself whose single value it leads to, if it leads to one.
    let ownColumn: ColumnKey?

    init(_ path: consuming ResolvedPath) {
        ownColumn =
            if path.hops.isEmpty, path.aspect == .value, case .column(let column) = path.end, !column.isCollection {
                column
            } else { nil }
        self.path = path
    }
}

/// The columns that paths of one property led to lately.
///
/// The same key path and the same text produce the same path each time, the very same array of steps, so that its
/// columns are found without looking up names. Use it from one thread, and only while names of properties are constant.
package final class PathBindingCache {
    /// Nothing below looks at it while it changes.
    @exclusivity(unchecked) private var paths = [BoundPath?](repeating: nil, count: 32)

    package init() {}

    /// Returns the cached binding of the path, if its columns still exist.
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

    /// Two arrays at one address are one array as long as both exist.
    private static func place(_ path: PropertyPath) -> (slot: Int, address: UInt) {
        let address = unsafe path.steps.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        return (Int((address >> 4 ^ address >> 9) & 31), address)
    }
}
