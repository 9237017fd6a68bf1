// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct ClusterLayout: Sendable {
    package struct Column: Sendable {
        package let leafIndex: Int
        package let kind: LeafKind
        package let defaultValue: StoredValue
    }
    package var columns: [Column]

    var slotCount: Int { (columns.map(\.leafIndex).max() ?? -1) + 2 }
}
