// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The remaining cost that merges may have. Changes of one object can cost the product of both sides, which a server
/// must not spend on one upload.
package struct MergeBudget: Sendable {
    /// The number of instructions that may still be read or merged with another one.
    package private(set) var remaining: Int

    package init(_ remaining: Int) { self.remaining = remaining }

    package static let unlimited = MergeBudget(.max)

    @inline(__always) package mutating func spend(_ count: Int) throws(MergeError) {
        guard count <= remaining else { throw MergeError.tooLong }
        remaining -= count
    }
}
