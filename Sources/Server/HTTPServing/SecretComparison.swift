// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The time doesn't depend on the number of equal bytes.
package func isSameSecret(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
